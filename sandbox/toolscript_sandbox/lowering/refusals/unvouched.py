"""What runs here but would quietly mean something else than in Python; it is refused where the text shows it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Set

from toolscript_sandbox.lowering.classes.lineage import last_name
from toolscript_sandbox.lowering.monty_features import INEXACT, NEWER
from toolscript_sandbox.lowering.rules.function_attributes import closes_over_nothing
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of, index_of

from .files import of_files
from .namesakes import of_namesakes
from .private_members import of_private_members
from .sleeps import of_sleeps, of_threads


def unvouched(tree: ast.Module, scene: Scene) -> list[Refusal]:
    """Names of wrapped functions, files, waiting, nans, ranges, half characters, and questions for ordered dicts."""
    found = [
        *_names(tree, scene),
        *_inexact(tree, scene),
        *of_files(tree, scene),
        *of_sleeps(tree, scene),
        *of_threads(tree, scene),
        *of_namesakes(tree, scene),
        *of_private_members(tree, scene),
        *_patterns(tree, scene),
        *_flags(tree, scene),
        *_ranges(tree, scene),
        *_halves(tree),
    ]
    found += _nan(tree, scene)
    return [*found, *_kinds(tree, scene)] if 'OrderedDict' in _words(tree) else found


def _nan(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """`float('nan') in xs`: Python finds the very same object there, Monty any other."""
    if index_of(tree).words.isdisjoint(['nan', 'float']):
        return
    made = [node for node in all_of(tree, ast.Call) if _is_nan(node, scene)]
    kept = [node for node in all_of(tree, ast.Attribute) if _is_nan(node, scene)]
    if not made and not kept:
        return
    assigned = [node for node in all_of(tree, ast.Assign) if _is_nan(node.value, scene)]
    names = {target.id for node in assigned for target in node.targets if isinstance(target, ast.Name)}
    for node in all_of(tree, ast.Compare):
        if isinstance(node.ops[0], (ast.In, ast.NotIn)) and _may_be_nan(node.left, names, scene):
            yield refusal(node.left, 'A nan is in nothing but what has this very one: ask any(x != x for x in items).')
    for node in all_of(tree, ast.Call):
        match node:
            case ast.Call(func=ast.Attribute(attr='index' | 'count' | 'remove'), args=[wanted]):
                if _may_be_nan(wanted, names, scene):
                    yield refusal(wanted, 'A nan is found only as the very same object: look for x != x.')
            case ast.Call(func=ast.Name(id='set' | 'frozenset' | 'Counter') as func, args=[_]) if len(made) > 1:
                said = 'Each nan is another one in Python, and all of them are one here: leave them out first'
                yield refusal(func, f'{said}, [x for x in items if x == x].')
            case _:
                pass


def _may_be_nan(node: ast.expr, names: set[str], scene: Scene) -> bool:
    return _is_nan(node, scene) or (isinstance(node, ast.Name) and node.id in names)


def _is_nan(node: ast.expr, scene: Scene) -> bool:
    match node:
        case ast.Attribute(attr='nan'):
            return scene.module(node.value) == 'math'
        case ast.Call(func=ast.Name(id='float'), args=[ast.Constant(value=str(text))]):
            return text.strip().lower().removeprefix('-') == 'nan'
        case _:
            return False


def _names(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """`greet.__name__`, where a decorator of the snippet has wrapped it."""
    if not _words(tree) & {'wraps', 'update_wrapper'}:
        return
    lost = _COPIED | {'__name__'} if any(_is_shared(node, scene) for node in all_of(tree, ast.FunctionDef)) else _COPIED
    for node in all_of(tree, ast.Attribute):
        if node.attr in lost and isinstance(node.value, ast.Name) and _is_wrapped(node.value, scene):
            said = f'functools.wraps does not carry {node.attr} over here.'
            yield refusal(node, f'{said} Write the name of the function as a text.')


def _is_shared(function: ast.FunctionDef, scene: Scene) -> bool:
    """Whether a wrapper is one function for all that it wraps: Monty knows those apart that close over something."""
    wraps = any(last_name(mark) == 'wraps' for mark in function.decorator_list)
    return wraps and closes_over_nothing(function, scene)


def _is_wrapped(name: ast.Name, scene: Scene) -> bool:
    owner = scene.owner(name)
    bound = owner.bound[name.id] if owner is not None else []
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return any(isinstance(part, functions) and part.decorator_list for part in bound)


def _inexact(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """Functions that Monty has, in whatever way a snippet asks whether they are there."""
    if not scene.has_modules or _words(tree).isdisjoint(_NAMES_MEANT_OTHERWISE):
        return
    for node in all_of(tree, ast.Attribute):
        said = _MEANT_OTHERWISE.get(f'{scene.module(node.value)}.{node.attr}')
        if said is not None:
            yield refusal(node, said)
    for node in all_of(tree, ast.ImportFrom):
        for alias in node.names:
            said = _MEANT_OTHERWISE.get(f'{node.module}.{alias.name}')
            if said is not None:
                yield refusal(alias, said)


def _kinds(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """`isinstance(x, OrderedDict)` and `type(x) is OrderedDict`: ordered dicts are plain ones here."""
    for node in all_of(tree, ast.Call):
        match node:
            case ast.Call(func=ast.Name(id='isinstance'), args=[_, kind]):
                parts = kind.elts if isinstance(kind, ast.Tuple) else [kind]
                if any(scene.member(part) == _HOME for part in parts):
                    yield refusal(kind, _ASKED)
            case _:
                pass
    for node in all_of(tree, ast.Compare):
        yield from (refusal(part, _ASKED) for part in (node.left, *node.comparators) if scene.member(part) == _HOME)
    for node in all_of(tree, ast.MatchClass):
        if scene.member(node.cls) == _HOME:
            yield refusal(node.cls, _ASKED)


def _patterns(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """`re.findall(rb'\\d+', data)`."""
    for call in all_of(tree, ast.Call):
        match call.args:
            case [ast.Constant(value=bytes()) as pattern, *_] if (scene.member(call.func) or ('',))[0] == 're':
                yield refusal(
                    pattern, 'Patterns of bytes are not to be had here: decode the bytes, and search the text.'
                )
            case _:
                pass


def _ranges(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """`range(10).index(3)`, directly or of a variable that only ranges are kept in."""
    asked = [node for node in all_of(tree, ast.Attribute) if node.attr in ('index', 'count')]
    made = {node for node in all_of(tree, ast.Call) if _is_range(node, scene)} if asked else set[ast.Call]()
    if not made:
        return
    kept = dict[ast.AST, ast.expr]()
    for node in all_of(tree, ast.Assign):
        kept.update(dict.fromkeys(node.targets, node.value))
    for node in asked:
        owner = scene.owner(node.value) if isinstance(node.value, ast.Name) else None
        bound = owner.bound[node.value.id] if owner is not None and isinstance(node.value, ast.Name) else []
        if node.value in made or (bound and all(kept.get(part) in made for part in bound)):
            yield refusal(node, f'A range has no {node.attr} here. Write list(...).{node.attr}(...) of it.')


def _is_range(node: ast.Call, scene: Scene) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == 'range' and scene.is_free(node.func)


def _halves(tree: ast.Module) -> Iterator[Refusal]:
    """`'\\ud83d'`: another character takes its place, as one half of a pair is none."""
    for node in all_of(tree, ast.Constant):
        value = node.value
        if isinstance(value, str) and not value.isascii() and _HALF.search(value):
            yield refusal(node, r"Half of a surrogate pair is no character here. Write the whole one: '\U0001f600'.")


def _flags(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """`print(re.I)`: flags are plain numbers here."""
    if 're' not in {*scene.modules.values()} and not any(node.module == 're' for node in all_of(tree, ast.ImportFrom)):
        return
    values = dict[ast.AST, ast.expr]()
    for node in all_of(tree, ast.Assign):
        values.update(dict.fromkeys(node.targets, node.value))
    parents = index_of(tree).parents
    for node in (*all_of(tree, ast.Name), *all_of(tree, ast.Attribute)):
        whole: ast.AST = node
        while isinstance(parents.get(whole), ast.BinOp):
            whole = parents[whole]
        if _is_shown(parents.get(whole)) and _is_flag(node, values, scene):
            yield refusal(node, 'Flags of patterns are plain numbers here. Show their names as texts.')


def _is_shown(parent: ast.AST | None) -> bool:
    match parent:
        case ast.FormattedValue() | ast.Call(func=ast.Name(id='print' | 'repr' | 'str' | 'format')):
            return True
        case _:
            return False


def _is_flag(node: ast.expr, values: Mapping[ast.AST, ast.expr], scene: Scene) -> bool:
    match node:
        case ast.BinOp(left=left, op=ast.BitOr()):
            return _is_flag(left, values, scene)
        case ast.Name() | ast.Attribute():
            module, name = scene.member(node) or ('', '')
            owner = scene.owner(node) if isinstance(node, ast.Name) else None
            bound = owner.bound.get(node.id, ()) if owner is not None and isinstance(node, ast.Name) else ()
            assigned = [values.get(part) for part in bound]
            known = bool(assigned) and all(
                value is not None and not isinstance(value, ast.Name) and _is_flag(value, values, scene)
                for value in assigned
            )
            return known or (module == 're' and name.isupper())
        case _:
            return False


def _words(tree: ast.Module) -> Set[str]:
    names = index_of(tree).words
    return names | {alias.name for node in all_of(tree, ast.ImportFrom) for alias in node.names}


_MEANT_OTHERWISE = {**INEXACT, **NEWER}
_NAMES_MEANT_OTHERWISE = frozenset(whole.rpartition('.')[2] for whole in _MEANT_OTHERWISE)
_HALF = re.compile('[\\ud800-\\udfff]')
_HOME = ('collections', 'OrderedDict')
_ASKED = 'Ordered dicts are plain ones here: ask for dict.'
_COPIED = frozenset(['__qualname__', '__doc__', '__wrapped__', '__module__'])
