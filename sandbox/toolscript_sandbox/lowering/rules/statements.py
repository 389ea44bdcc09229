"""Rules for statements that Monty does not have.

Stands in for `del`, for imports of what only guests have, for `async with`, and for the bases `NamedTuple`, `TypedDict`
and those that only mean something to a type checker.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Set

from toolscript_sandbox.lowering.class_features import WITHOUT_EFFECT
from toolscript_sandbox.lowering.classes.ordering import home
from toolscript_sandbox.lowering.guest_modules import guest, offers
from toolscript_sandbox.lowering.monty_features import MODULES
from toolscript_sandbox.lowering.parts import defines, native, piece
from toolscript_sandbox.lowering.rewriter import Node, Rewriter
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE
from toolscript_sandbox.text.syntax import index_of


def statements(node: Node, r: Rewriter) -> str | None:
    """The first rule that knows the statement."""
    match node:
        case ast.Import():
            return _import(node, r)
        case ast.ImportFrom():
            return _import_from(node, r)
        case ast.Delete():
            return _delete(node, r)
        case ast.ClassDef():
            return _class(node, r)
        case ast.AsyncWith():
            return _async_with(node, r)
        case _:
            return None


def _import(node: ast.Import, r: Rewriter) -> str | None:
    if all(guest(alias.name) is None or alias.name in MODULES for alias in node.names):
        return None
    kept = [alias for alias in node.names if guest(alias.name) is None or alias.name in MODULES]
    return f'import {_aliases(kept)}' if kept else 'pass'


def _import_from(node: ast.ImportFrom, r: Rewriter) -> str | None:
    module = _home(node.module or '')
    if module not in MODULES and guest(module) is None and _are_host_functions(node, r):
        r.scene.note(f'Dropped the import from {node.module}: its functions are here already.')
        return 'pass'
    provided = [alias for alias in node.names if offers(home(module, alias.name, r), alias.name)]
    if module == 'asyncio' and not r.scene.tasks:
        return None
    if not provided:
        return None
    kept = [alias for alias in node.names if alias not in provided]
    parts = [f'from {module} import {_aliases(kept)}'] if kept else []
    parts += [
        f'{alias.asname or alias.name} = {piece(r, home(module, alias.name, r), alias.name)}' for alias in provided
    ]
    return '; '.join(parts)


def _are_host_functions(node: ast.ImportFrom, r: Rewriter) -> bool:
    return all(r.scene.functions.get(alias.name) is not None and alias.asname is None for alias in node.names)


def _home(module: str) -> str:
    return 'typing' if module == 'typing_extensions' else module


def _aliases(aliases: list[ast.alias]) -> str:
    return ', '.join(f'{alias.name} as {alias.asname}' if alias.asname else alias.name for alias in aliases)


def _delete(node: ast.Delete, r: Rewriter) -> str:
    *others, last = [part for target in node.targets for part in _parts(target)]
    before = ''.join(f'{_deleted(target, r)}; ' for target in others if not isinstance(target, ast.Name))
    names = [target for target in [*others, last] if isinstance(target, ast.Name)]
    if not names:
        return f'{before}{_deleted(last, r)}'
    if isinstance(r.parent(node), ast.ClassDef):
        # A class body holds no more than methods and values in Monty.
        return '; '.join(f'{name.id} = None' for name in names)
    start = r.source.start(node)
    line = r.source.text[r.source.text.rfind('\n', 0, start) + 1 : start]
    if line.strip() or (before and len(others) + 1 > len(names)):
        raise Refused([refusal(node, 'A name can be deleted here only on a line of its own, apart from items.')])
    return f'{NEW_LINE}{line}'.join(_unbound(name, line) for name in names)


def _unbound(name: ast.Name, indent: str) -> str:
    # What a handler caught is unbound behind it, by Python's rules; the first line fails where nothing is bound.
    lines = [name.id, 'try: raise KeyError', f'except KeyError as {name.id}: pass']
    return f'{NEW_LINE}{indent}'.join(lines)


def _parts(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [part for element in target.elts for part in _parts(element)]
    return [target]


def _deleted(target: ast.expr, r: Rewriter) -> str:
    match target:
        case ast.Subscript(value=value, slice=key) if defines(r, '__delitem__'):
            return f'{piece(r, "members", "removed")}({r.text(value)}, {_key(key, r)})'
        case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper, step=ast.expr() as step)):
            ends = ', '.join('None' if end is None else r.text(end) for end in (lower, upper, step))
            return f'{piece(r, "builtins", "without_slice")}({r.text(value)}, {native(r, "slice")}({ends}))'
        case ast.Subscript(value=value, slice=ast.Slice()):
            return f'{r.text(target)} = []' if value else ''
        case ast.Subscript(value=value, slice=key) if r.once('collections', lambda: _collections(r)):
            return f'{piece(r, "collections", "removed_from")}({r.text(value)}, {r.text(key)})'
        case ast.Subscript(value=value, slice=key):
            return f'{r.text(value)}.pop({r.text(key)})'
        case ast.Attribute(value=value, attr=name) if f'.{name}' in r.scene.kin:
            return f'{piece(r, "members", "deleted")}({r.text(value)}, {name!r})'
        case _:
            raise Refused([refusal(target, 'An attribute cannot be deleted here. Set it to None.')])


def _collections(r: Rewriter) -> Set[str]:
    return index_of(r.source.tree).words & {'Counter', 'deque'}


def _key(key: ast.expr, r: Rewriter) -> str:
    match key:
        case ast.Slice(lower=lower, upper=upper, step=step):
            return f'slice({", ".join("None" if part is None else r.text(part) for part in (lower, upper, step))})'
        case ast.Tuple():
            return f'({r.text(key)})'
        case _:
            return r.text(key)


def _class(node: ast.ClassDef, r: Rewriter) -> str | None:
    if not node.bases and not node.keywords:
        return None
    bases = [_base_name(base) for base in node.bases]
    if bases[:1] == ['NamedTuple']:
        return _named_tuple(node, r)
    if all(base in WITHOUT_EFFECT for base in bases) and not node.keywords:
        return _headed(node, r)
    if len(bases) == 1 and _is_error(bases[0]) and _is_empty(node):
        r.scene.note(f'Let {node.name} be another name of {bases[0]}: classes cannot inherit here.')
        return f'{node.name} = {r.text(node.bases[0])}'
    return None


def _base_name(base: ast.expr) -> str:
    base = base.value if isinstance(base, ast.Subscript) else base
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ''


def _headed(node: ast.ClassDef, r: Rewriter) -> str:
    return _HEAD.sub(r'\1', r.inside(node), count=1)


def _named_tuple(node: ast.ClassDef, r: Rewriter) -> str | None:
    fields = [part for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)]
    if len(fields) != len([part for part in node.body if not _is_text(part)]):
        return None
    names = [part.target.id for part in fields if isinstance(part.target, ast.Name)]
    defaults = [r.text(part.value) for part in fields if part.value is not None]
    tail = f', defaults=[{", ".join(defaults)}]' if defaults else ''
    return f'import collections as _collections; {node.name} = _collections.namedtuple({node.name!r}, {names!r}{tail})'


def _is_text(part: ast.stmt) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)


def _is_empty(node: ast.ClassDef) -> bool:
    return all(isinstance(part, ast.Pass) or _is_text(part) for part in node.body)


def _is_error(base: str) -> bool:
    return base.endswith(('Error', 'Exception'))


def _async_with(node: ast.AsyncWith, r: Rewriter) -> str | None:
    """`async with`, which Monty lacks: the contexts are entered and left by hand."""
    first, column = node.body[0], node.col_offset
    on_own_lines = first.lineno > node.lineno
    inner = first.col_offset if on_own_lines else column + len(node.items) + 1
    opening, closing = '', ''
    for place, item in enumerate(node.items):
        # Each context stands one column further in than the one around it; the body stands in all of them.
        glue = NEW_LINE + ' ' * (column + place if inner > column + place else column)
        name = f'_context_{node.lineno}_{column}_{place}'
        target = '' if item.optional_vars is None else f'{r.source.segment(item.optional_vars)} = '
        made = f'{name} = {piece(r, "entered", "Entered")}({r.text(item.context_expr)})'
        opening += f'{glue if place else ""}{made}{glue}{target}await {name}.enter(){glue}try:'
        handled = f'{glue}except BaseException as {name}_error:{glue} if not await {name}.failed({name}_error): raise'
        closing = f'{handled}{glue}finally: await {name}.left(){closing}'
    breaks = '\n' * (first.lineno - node.lineno) if on_own_lines else NEW_LINE
    return f'{opening}{breaks}{" " * inner}{r.text_between(node.body)}{closing}'


_HEAD = re.compile(r'(\Aclass\s+\w+)\s*\([^()]*\)')
