"""`super()`, which Monty lacks: what it reads is written as the member of the class that comes next in the line.

Which one that is depends on whose method it is. Where all classes that have the method agree, it is written down; where
they do not (several bases), the object's own class says it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import walk

from .lineage import Family, Method, dataclass_mark, decorator, meaningful_bases, own


def super_calls(method: Method, node: ast.ClassDef, family: Family, source: Source) -> Iterator[Edit]:
    """What each `super()` in a method of a class becomes."""
    if not family.bases(node) and meaningful_bases(node):
        return
    first = method.args.args[0].arg if method.args.args else 'self'
    called = {part.func: part for part in walk(method) if isinstance(part, ast.Call)}
    for part in walk(method):
        match part:
            case ast.Attribute(value=ast.Call(func=ast.Name(id='super'), args=args)) if _is_plain(
                args, node.name, first
            ):
                whom = first if decorator(method) == 'classmethod' else f'{_piece("class_of")}({first})'
                yield from _read(part, called.get(part), (first, whom), node, family, source)
            case _:
                pass


def _is_plain(args: list[ast.expr], name: str, first: str) -> bool:
    return not args or [ast.unparse(argument) for argument in args] == [name, first]


def _read(
    part: ast.Attribute,
    call: ast.Call | None,
    firsts: tuple[str, str],
    node: ast.ClassDef,
    family: Family,
    source: Source,
) -> Iterator[Edit]:
    """Of the `firsts`, methods get one, and methods of the class the other."""
    first, of_class = firsts
    owners = _owners(node, part.attr, family)
    kinds = {family.kind(owner, part.attr) or '' for owner in owners.values() if owner is not None}
    known = {owner.name if owner is not None else '' for owner in owners.values()}
    if len(kinds) > 1:
        raise Refused(
            [refusal(part, f'{part.attr} is not the same kind of method in all bases. Call one by its name.')]
        )
    kind = next(iter(kinds), '')
    if known == {''}:
        yield from _ended(part, call, node, source)
    elif kind in ('property', 'cached_property') and call is None:
        yield source.replace(part, f'{_member(owners, part.attr, first, ".getter")}({first})')
    elif call is None or kind in ('property', 'cached_property'):
        said = f'Write super().{part.attr}(...) of a method, and super().{part.attr} of what stands under @property.'
        raise Refused([refusal(part, said)])
    else:
        member = _member(owners, part.attr, first, '.function' if kind == 'classmethod' else '')
        glue = ', ' if call.args or call.keywords else ''
        opening = source.text.index('(', source.end(part))
        given = '(' if kind == 'staticmethod' else f'({of_class if kind == "classmethod" else first}{glue}'
        # As the only argument, a generator expression has the call's parentheses for its own.
        shares = (
            bool(call.args) and isinstance(call.args[0], ast.GeneratorExp) and source.start(call.args[0]) == opening
        )
        yield Edit(source.start(part), opening + 1, f'{member}{given}{"(" if shares else ""}')
        if shares:
            yield Edit(source.end(call), source.end(call), ')')


def _owners(node: ast.ClassDef, name: str, family: Family) -> dict[str, ast.ClassDef | None]:
    """Whose member comes next, for the class and each of its heirs."""
    found = dict[str, ast.ClassDef | None]()
    for one in (node, *(family.classes[heir] for heir in family.heirs(node.name))):
        line = family.line(one)
        behind = line[line.index(node) + 1 :] if node in line else []
        found[one.name] = next((above for above in behind if name in _has(above)), None)
    return found


def _has(node: ast.ClassDef) -> set[str]:
    return own(node) | ({'__init__', '__repr__', '__eq__'} if dataclass_mark(node) is not None else set())


def _member(owners: dict[str, ast.ClassDef | None], name: str, first: str, behind: str) -> str:
    texts = {
        heir: f'{_piece("nothing")}' if owner is None else f'{owner.name}.{name}{behind}'
        for heir, owner in owners.items()
    }
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    table = ', '.join(f'{heir!r}: lambda: {text}' for heir, text in texts.items())
    return f'{_piece("beyond")}({first}, {{{table}}})'


def _ended(part: ast.Attribute, call: ast.Call | None, node: ast.ClassDef, source: Source) -> Iterator[Edit]:
    """What `object` has, as far as it does nothing."""
    if part.attr not in ('__init__', '__init_subclass__') or call is None:
        raise Refused([refusal(part, f'Nothing above {node.name} has {part.attr} to be called here.')])
    opening = source.text.index('(', source.end(part))
    yield Edit(source.start(part), opening, _piece('end_of_line'))


def _piece(name: str) -> str:
    version = guest('members')
    assert version is not None
    return version.prefixed(name)
