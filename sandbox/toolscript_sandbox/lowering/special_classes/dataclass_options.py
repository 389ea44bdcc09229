"""What Monty's dataclasses cannot be told: `kw_only`, `repr` and `slots`, and what `field` says beyond a default.

Such a class gets its `__init__`, `__repr__` and `__eq__` behind its definition, and so does one that shows where it
stands (`main.<locals>.Point(x=1)`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.classes.lineage import dataclass_mark, last_name, named_parts, own_fields
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of

from .shown_classes import places


def with_dataclass_options(program: Program) -> Program:
    """The snippet with such dataclasses furnished by hand."""
    source, stand = program.source, places(program.tree, program.scene)
    edits = list[Edit]()
    for node in all_of(program.tree, ast.ClassDef):
        mark = dataclass_mark(node)
        if mark is not None and (_is_told(mark, node) or stand[node.name] != node.name):
            edits += _furnished(node, mark, stand[node.name], source)
    if edits:
        program.scene.pieces.add('dataclasses')
    return program.edited(edits)


def _is_told(mark: ast.expr, node: ast.ClassDef) -> bool:
    words = mark.keywords if isinstance(mark, ast.Call) else []
    if any(word.arg in _OF_CLASSES for word in words):
        return True
    return any(_is_sentinel(field) or _words(field).keys() & OF_FIELDS.keys() for field in own_fields(node).values())


def _words(field: ast.AnnAssign) -> dict[str, ast.expr]:
    """What a field is told."""
    if not isinstance(field.value, ast.Call) or last_name(field.value) != 'field':
        return {}
    return {word.arg: word.value for word in field.value.keywords if word.arg}


def _is_sentinel(field: ast.AnnAssign) -> bool:
    return last_name(field.annotation) == 'KW_ONLY'


def _furnished(node: ast.ClassDef, mark: ast.expr, place: str, source: Source) -> Iterator[Edit]:
    words = {word.arg or '': word.value for word in mark.keywords} if isinstance(mark, ast.Call) else {}
    left = [f'{name}={ast.unparse(value)}' for name, value in words.items() if name not in _OF_CLASSES]
    yield source.replace(mark, f'{ast.unparse(mark.func if isinstance(mark, ast.Call) else mark)}({", ".join(left)})')
    said, only = dict[str, dict[str, bool]](), _is(words.get('kw_only'), default=False)
    has_default = False
    for name, field in own_fields(node).items():
        if _is_sentinel(field):
            only = True
            yield source.replace(field, 'pass')
            continue
        told = _words(field)
        said[name] = {word: _is(value, default=False) for word, value in told.items() if OF_FIELDS.get(word)}
        if only:
            said[name].setdefault('kw_only', True)
        yield from _plain(field, told, source, has_default)
        has_default = has_default or field.value is not None
    own = {
        '__init__': _is(words.get('init'), default=True),
        '__repr__': _is(words.get('repr'), default=True),
        '__eq__': _is(words.get('eq'), default=True),
        '__hash__': _is(words.get('frozen'), default=False) or _is(words.get('unsafe_hash'), default=False),
    }
    made = [name for name, wanted in own.items() if wanted and name not in set(named_parts(node))]
    if not own['__repr__'] and '__repr__' not in set(named_parts(node)):
        made.append('object.__repr__')
    options = {name: one for name, one in said.items() if one}
    words_of = ((name, _words(field).get('metadata')) for name, field in own_fields(node).items())
    metadata = ', '.join(f'{name!r}: {source.segment(value)}' for name, value in words_of if value is not None)
    end, indent = source.end(node), ' ' * node.col_offset
    furnish = f'{_piece("furnish")}({node.name}, {place!r}, {made!r}, {options!r}, {{{metadata}}})'
    yield Edit(end, end, f'{NEW_LINE}{indent}{furnish}')


def _plain(field: ast.AnnAssign, told: dict[str, ast.expr], source: Source, has_default: bool) -> Iterator[Edit]:
    """The field with nothing but a default, which Monty wants behind one that has a default."""
    defaults = [f'{word}={source.segment(value)}' for word, value in told.items() if word not in OF_FIELDS]
    if isinstance(field.value, ast.Call) and last_name(field.value) == 'field':
        if defaults:
            yield source.replace(field.value, f'{ast.unparse(field.value.func)}({", ".join(defaults)})')
            return
        end = source.end(field.annotation)
        yield Edit(end, source.end(field), f' = {_piece("NONE")}' if has_default else '')
    elif field.value is None and has_default:
        end = source.end(field)
        yield Edit(end, end, f' = {_piece("NONE")}')


def _is(value: ast.expr | None, *, default: bool) -> bool:
    if value is None:
        return default
    if not isinstance(value, ast.Constant) or not isinstance(value.value, bool):
        raise Refused([refusal(value, 'Write True or False here.')])
    return value.value


def _piece(name: str) -> str:
    version = guest('dataclasses')
    assert version is not None
    return version.prefixed(name)


_OF_CLASSES = frozenset(['kw_only', 'repr', 'slots', 'init', 'match_args'])
OF_FIELDS = {'init': True, 'repr': True, 'compare': True, 'hash': True, 'kw_only': True, 'metadata': False}
"""What `field` can be told beside a default, and whether that is True or False."""
