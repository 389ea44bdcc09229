"""Ordered dicts, classes and sets, shown as Python shows them, in whatever they stand.

Monty shows a dict, `<class 'Point'>` for `<class '__main__.Point'>`, and sets in the order in which their items came.
In snippets that may have such values, what `print`, `str`, `repr`, f-strings and templates show is given to a guest's
function first (`guest/shown.py`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_builtin, is_repeatable
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.lowering.special_classes.shown_classes import table_of_places
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of, index_of

from .circles import may_hold_itself
from .set_order import has_sets


def with_shown_values(program: Program) -> Program:
    """The snippet with what it shows looked at."""
    tree, scene = program.tree, program.scene
    ordered = has_ordered_dicts(tree, scene)
    if ordered:
        scene.kin[ORDERED] = ()
    shows = ordered or has_sets(tree, scene) or _keeps_classes(tree) or _asks_for_times(tree)
    if not shows and not _asks_for_kinds(tree, scene):
        return _with_whole_values(program) if may_hold_itself(tree) else program
    r = Rewriter(program)
    edits = [edit for node, word in _shown(tree, r) for edit in program.source.wrap(node, f'{_piece(word)}(', ')')]
    if ordered:
        edits += [edit for node in all_of(tree, ast.Compare) for edit in _compared(node, r)]
        edits += [edit for node in all_of(tree, ast.Call) for edit in (*_copied(node, r), *_asked_for_kind(node, r))]
        edits += [edit for node in all_of(tree, ast.BinOp) for edit in _joined(node, r)]
        edits += [edit for node in all_of(tree, ast.AugAssign) for edit in _joined_in_place(node, r)]
    if edits:
        scene.pieces.add('shown')
        table_of_places(r)
    return program.edited(edits)


def _with_whole_values(program: Program) -> Program:
    """The snippet with what may hold itself shown as it is."""
    version = guest('whole')
    assert version is not None
    nodes = list(_shown(program.tree, Rewriter(program)))
    if nodes:
        program.scene.pieces.add('whole')
    edits = (edit for node, word in nodes for edit in program.source.wrap(node, f'{version.prefixed(word)}(', ')'))
    return program.edited(edits)


ORDERED = 'collections.OrderedDict'
"""Among the kin of a session: that it may have ordered dicts."""


def has_ordered_dicts(tree: ast.Module, scene: Scene) -> bool:
    """Whether there may be ordered dicts in the snippet."""
    if ORDERED in scene.kin:
        return True
    # One look at all names: each snippet is asked this twice.
    return _OF_ORDERED.search(' '.join(index_of(tree).words)) is not None


def _asks_for_times(tree: ast.Module) -> bool:
    """Whether there may be named tuples that show their module."""
    return _OF_TIMES.search(' '.join(index_of(tree).names)) is not None


def _asks_for_kinds(tree: ast.Module, scene: Scene) -> bool:
    """Whether the types of iterators, of what guests make, of exceptions or of named tuples may be shown."""
    names = index_of(tree).names
    if names.isdisjoint(['type', '_errors_type_of']):
        return False
    made = any(name.startswith('_iterators_') or name in _KINDS for name in names)
    if 'type' in names and (made or bool(all_of(tree, ast.GeneratorExp)) or bool(all_of(tree, ast.Yield))):
        return True
    return _has_own_classes(tree, scene) and any(_is_kept(node, tree) for node in all_of(tree, ast.Call))


def _has_own_classes(tree: ast.Module, scene: Scene) -> bool:
    """Whether there are modules whose classes Monty shows otherwise."""
    imported = {node.module for node in all_of(tree, ast.ImportFrom)} | {*scene.modules.values()}
    imported |= {alias.name for node in all_of(tree, ast.Import) for alias in node.names}
    return bool(imported & _SHOWN_OTHERWISE) or any(module in _SHOWN_OTHERWISE for module, _ in scene.members.values())


def _is_kept(node: ast.Call, tree: ast.Module) -> bool:
    """Whether a type is asked for, and not only compared or asked for its name."""
    if not isinstance(node.func, ast.Name) or node.func.id not in ('type', '_errors_type_of'):
        return False
    return not isinstance(index_of(tree).parents.get(node), (ast.Attribute, ast.Compare))


def _keeps_classes(tree: ast.Module) -> bool:
    """Whether classes of the snippet are put into something."""
    names = {node.name for node in all_of(tree, ast.ClassDef)}
    if not names:
        return False
    holders: list[ast.AST] = [*all_of(tree, ast.List), *all_of(tree, ast.Dict), *all_of(tree, ast.Tuple)]
    parts = [part for node in holders for part in ast.iter_child_nodes(node)]
    parts += [node.value for node in all_of(tree, ast.Assign) if isinstance(node.targets[0], ast.Subscript)]
    parts += [part for node in all_of(tree, ast.Call) if _adds(node) for part in node.args]
    asked = any(isinstance(part, ast.Call) and ast.unparse(part.func) == 'type' for part in parts)
    return asked or any(isinstance(part, ast.Name) and part.id in names for part in parts)


def _adds(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr in ('append', 'add', 'setdefault', 'insert')


def _shown(tree: ast.Module, r: Rewriter) -> Iterator[tuple[ast.expr, str]]:
    """What is shown, each with the guest's function for it."""
    for node in all_of(tree, ast.Call):
        if _shows(node, r) or (isinstance(node.func, ast.Attribute) and _is_simple(node.func)):
            words = () if isinstance(node.func, ast.Name) else node.keywords
            parts = [*node.args, *(word.value for word in words if word.arg)]
            yield from ((part, 'shown') for part in parts if _may_differ(part))
            yield from ((part.value, 'all_shown') for part in parts if isinstance(part, ast.Starred))
    for node in all_of(tree, ast.JoinedStr):
        if r.is_placed(node):
            yield from ((part.value, 'shown') for part in node.values if _is_shown_whole(part, r))
    for node in all_of(tree, ast.BinOp):
        if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and _TEXT.search(str(node.left.value)):
            if '%(' in str(node.left.value):
                continue
            word, parts = (
                ('shown', node.right.elts) if isinstance(node.right, ast.Tuple) else ('each_shown', [node.right])
            )
            yield from ((part, word) for part in parts if _may_differ(part))


def _shows(node: ast.Call, r: Rewriter) -> bool:
    if isinstance(node.func, ast.Name) and node.func.id == '_builtins_print_to':
        return True
    if any(is_builtin(node, name, r) for name in ('print', 'repr')):
        return True
    return len(node.args) == 1 and any(is_builtin(node, name, r) for name in ('str', 'format'))


def _is_shown_whole(part: ast.expr, r: Rewriter) -> TypeGuard[ast.FormattedValue]:
    if not isinstance(part, ast.FormattedValue) or part.format_spec is not None or not _may_differ(part.value):
        return False
    return r.source.text[r.source.end(part.value) :].lstrip()[:1] != '='


def _is_simple(func: ast.Attribute) -> bool:
    """Whether it is the `format` of a template that shows whole values only."""
    template = func.value.value if isinstance(func.value, ast.Constant) else None
    return func.attr == 'format' and isinstance(template, str) and not _PARTS.search(template)


def _may_differ(node: ast.expr) -> bool:
    match node:
        case ast.Constant() | ast.JoinedStr() | ast.Compare() | ast.UnaryOp() | ast.Starred():
            return False
        case ast.Call(func=ast.Name(id=name)):
            return name not in _PLAIN
        case ast.Call(func=ast.Attribute(attr=name)):
            return name not in _TEXTS
        case _:
            return True


def _compared(node: ast.Compare, r: Rewriter) -> Iterator[Edit]:
    """`first == second`: two ordered dicts are equal where their order is."""
    match node:
        case ast.Compare(left=left, ops=[(ast.Eq() | ast.NotEq()) as sign], comparators=[right]):
            if not _may_differ(left) or not _may_differ(right):
                return
            start, end, word = r.source.end(left), r.source.start(right), '==' if isinstance(sign, ast.Eq) else '!='
            between = r.source.text[start:end]
            yield Edit(start, end, between.replace(word, ',', 1))
            yield from r.source.wrap(node, f'{_piece("equal" if word == "==" else "unequal")}(', ')')
        case _:
            return


def _joined(node: ast.BinOp, r: Rewriter) -> Iterator[Edit]:
    """`first | second`."""
    if isinstance(node.op, ast.BitOr) and _may_differ(node.left) and _may_differ(node.right):
        start, end = r.source.end(node.left), r.source.start(node.right)
        yield Edit(start, end, r.source.text[start:end].replace('|', ',', 1))
        yield from r.source.wrap(node, f'{_piece("joined")}(', ')')


def _joined_in_place(node: ast.AugAssign, r: Rewriter) -> Iterator[Edit]:
    """`first |= second`."""
    if isinstance(node.op, ast.BitOr) and is_repeatable(node.target) and _may_differ(node.value):
        start, end = r.source.end(node.target), r.source.end(node)
        place = r.source.text.index('|=', start)
        yield Edit(place, place + 2, f'= {_piece("joined_in_place")}({r.source.segment(node.target)}, (')
        yield Edit(end, end, '))')


def _asked_for_kind(node: ast.Call, r: Rewriter) -> Iterator[Edit]:
    """`type(x)`."""
    match node:
        case ast.Call(func=ast.Name(id='type' | '_errors_type_of') as func, args=[_], keywords=[]):
            opening = r.source.end(func)
            if r.scene.is_free(func) and r.source.text[opening] == '(' and _is_placed(node, r):
                yield Edit(r.source.start(func), opening + 1, f'{_piece("kind")}({func.id}, ')
        case _:
            return


def _is_placed(node: ast.expr, r: Rewriter) -> bool:
    return all(r.is_placed(outer) for outer in r.above(node) if isinstance(outer, ast.JoinedStr))


def _copied(node: ast.Call, r: Rewriter) -> Iterator[Edit]:
    if r.scene.member(node.func) in (('copy', 'copy'), ('copy', 'deepcopy')):
        opening = r.source.end(node.func)
        if r.source.text[opening] == '(':
            start = r.source.start(node.func)
            yield Edit(start, opening + 1, f'{_piece("copied_by")}({r.source.segment(node.func)}, ')
        return
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr='copy'), args=[], keywords=[]):
            start, end = r.source.start(node), r.source.end(value)
            if r.scene.module(value) is None and r.source.text[end : r.source.end(node)] == '.copy()':
                yield Edit(start, start, f'{_piece("copied")}(')
                yield Edit(end, r.source.end(node), ')')
        case _:
            return


def _piece(name: str) -> str:
    version = guest('shown')
    assert version is not None
    return version.prefixed(name)


_OF_TIMES = re.compile(r'(timetuple|_version_info|_gmtime|_localtime)(?= |$)')
_OF_ORDERED = re.compile(r'OrderedDict(?= |$)|(?:^| )_shown_')
_TEXT = re.compile(r'%[^a-zA-Z%]*(\([^)]*\))?[^a-zA-Z%]*[sra]')
"""A part of a template that shows a value as its text."""
_CLASSES = (
    'asyncio calendar collections dataclasses datetime decimal difflib fractions graphlib io json pathlib re '
    'statistics string textwrap types urllib.parse uuid zoneinfo'
)
_SHOWN_OTHERWISE = frozenset(_CLASSES.split())
_KINDS = frozenset(['map', 'filter', 'zip', 'enumerate', 'reversed', 'namedtuple'])
_PARTS = re.compile(r'\{[^{}]*[\[.:]')
_WORDS = 'abs bool chr float format hash hex id int isinstance issubclass len oct ord repr round str'
_PLAIN = frozenset(_WORDS.split())
_METHODS = 'capitalize decode format hex isoformat join lower replace rstrip strftime strip title upper'
_TEXTS = frozenset(_METHODS.split())
