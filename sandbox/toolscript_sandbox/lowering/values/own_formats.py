"""`f'{price:.2f}'` of a class with `__format__`, which Monty never asks: a guest's function does.

Only snippets with such a class (and sessions that have had one) are rewritten. The format leaves the f-string, which
could not take its quotes before Python 3.12, and stands in a variable.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from string import Formatter

from toolscript_sandbox.lowering.parts import has_method, is_builtin, piece
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of


def with_own_formats(program: Program) -> Program:
    """The snippet with `__format__` asked wherever Python asks it."""
    if not has_method(program, '__format__'):
        return program
    r = Rewriter(program)
    asked = piece(r, 'builtins', 'formatted')
    edits = list[Edit]()
    specs = {part.format_spec for part in all_of(program.tree, ast.FormattedValue)}
    for string in all_of(program.tree, ast.JoinedStr):
        if string in specs:
            continue
        fields = [part for part in string.values if isinstance(part, ast.FormattedValue) and part.conversion == -1]
        if not r.is_placed(string):
            raise Refused([refusal(string, 'Write this f-string on one line: a class here has a __format__.')])
        edits += [edit for part in fields for edit in _of_field(part, program.source, asked, program.scene)]
    for call in all_of(program.tree, ast.Call):
        if is_builtin(call, 'format', r) and call.args:
            edits.append(program.source.replace(call.func, asked))
        elif isinstance(call.func, ast.Attribute) and call.func.attr == 'format':
            edits += _of_template(call, call.func, program.source, asked)
    edited = program.edited(edits)
    if edits and edited is program:
        raise Refused([refusal(program.tree.body[0], 'Write f-strings without other f-strings or quotes inside here.')])
    return edited


def _of_field(part: ast.FormattedValue, source: Source, asked: str, scene: Scene) -> Iterator[Edit]:
    end = source.end(part.value)
    after = source.text[end:]
    closing = end + len(after) - len(after.lstrip())
    if source.text[closing] == '=' or isinstance(part.value, ast.Constant):
        return
    # What stands in parentheses ends behind them.
    while source.text[closing] == ')':
        closing += 1
    given = ''
    if source.text[closing] == ':':
        stop = _closing(source.text, closing)
        given = ''.join(f', {text}' for text in _parts(source.text[closing + 1 : stop], scene))
        yield Edit(closing, stop, '')
    opening = source.start(part.value)
    while source.text[opening - 1] == '(':
        opening -= 1
    yield Edit(opening, opening, f'{asked}(')
    yield Edit(closing, closing, f'{given})')


def _closing(text: str, place: int) -> int:
    """Where the field ends whose format begins there."""
    depth = 0
    while depth or text[place] != '}':
        depth += {'{': 1, '}': -1}.get(text[place], 0)
        place += 1
    return place


def _parts(spec: str, scene: Scene) -> Iterator[str]:
    """The format as arguments: variables for its texts, and what stands in its own fields."""
    for text, name, inner, conversion in Formatter().parse(spec):
        if inner or conversion:
            continue
        if text:
            yield _named(text, scene)
        if name:
            yield name


def _named(text: str, scene: Scene) -> str:
    name = f'_format_{"_".join(str(ord(char)) for char in text)}'
    statement = f'{name} = {text!r}'
    if statement not in scene.imports:
        scene.imports.append(statement)
    return name


def _of_template(call: ast.Call, func: ast.Attribute, source: Source, asked: str) -> Iterator[Edit]:
    """`'{:.2f}'.format(price)`, whose template takes texts instead."""
    given: dict[str, ast.expr] = {str(place): part for place, part in enumerate(call.args)}
    given.update({word.arg: word.value for word in call.keywords if word.arg is not None})
    template = func.value.value if isinstance(func.value, ast.Constant) else None
    fields = [] if not isinstance(template, str) else list(Formatter().parse(template))
    names, place = list[str](), 0
    for _, name, spec, conversion in fields:
        if name is not None:
            names.append(name or str(place))
            place += not name
            if names[-1] not in given or '{' in (spec or '') or conversion:
                raise Refused([refusal(call, _TEMPLATE)])
    if template is None or len(set(names)) < len(names) or len(given) < len(call.args) + len(call.keywords):
        raise Refused([refusal(call, _TEMPLATE)])
    specs = [spec or '' for _, name, spec, _ in fields if name is not None]
    for name, spec in zip(names, specs, strict=True):
        yield from source.wrap(given[name], f'{asked}(', f', {spec!r})')
    plain = ''.join(
        text.replace('{', '{{').replace('}', '}}') + ('' if name is None else f'{{{name}}}')
        for text, name, _, _ in fields
    )
    yield source.replace(func.value, repr(plain))


_TEMPLATE = 'Write an f-string here: a class of the script has a __format__, which is not asked for by a template.'
