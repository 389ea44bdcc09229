"""What runs here but would quietly mean something else than in Python; it is refused where the text shows it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of, walk

from .monty_features import INEXACT, NEWER
from .scene import Scene


def unvouched(tree: ast.Module, scene: Scene) -> list[Refusal]:
    """Keys that are equal and not the same, names of wrapped functions, and what only an ordered dict would show."""
    found = [*_keys(tree), *_names(tree, scene), *_inexact(tree, scene)]
    if 'OrderedDict' in _words(tree):
        finder = _Ordered(scene, _values(tree))
        found += [one for node in walk(tree) for one in finder.shown(node)]
    return found


def _keys(tree: ast.Module) -> Iterator[Refusal]:
    """`{1: 'a', True: 'b'}`: Python keeps the first of two equal keys, Monty the last."""
    for node in all_of(tree, ast.Dict):
        first = dict[object, ast.Constant]()
        for key in node.keys:
            if not isinstance(key, ast.Constant) or not isinstance(key.value, (int, float, complex)):
                continue
            earlier = first.setdefault(key.value, key)
            if repr(earlier.value) != repr(key.value):
                same = f'{ast.unparse(earlier)} and {ast.unparse(key)} are the same key'
                yield refusal(key, f'{same}, and which of them stays is not sure here. Keep one of them.')


def _names(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """`greet.__name__`, where a decorator of the snippet has wrapped it."""
    if not _words(tree) & {'wraps', 'update_wrapper'}:
        return
    for node in all_of(tree, ast.Attribute):
        if node.attr in _COPIED and isinstance(node.value, ast.Name) and _is_wrapped(node.value, scene):
            said = f'functools.wraps does not carry {node.attr} over here.'
            yield refusal(node, f'{said} Write the name of the function as a text.')


def _is_wrapped(name: ast.Name, scene: Scene) -> bool:
    owner = scene.owner(name)
    bound = owner.bound[name.id] if owner is not None else []
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return any(isinstance(part, functions) and part.decorator_list for part in bound)


def _inexact(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """Functions that Monty has, in whatever way a snippet asks whether they are there."""
    if not scene.has_modules:
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


@dataclass(frozen=True)
class _Ordered:
    """What would show that a dict is an ordered one."""

    scene: Scene
    values: dict[ast.AST, ast.expr]
    """What is assigned, by the target."""

    def shown(self, node: ast.AST) -> Iterator[Refusal]:
        match node:
            case ast.Call(func=ast.Name(id='print' | 'repr' | 'str' | 'format' | 'type') as func, args=args):
                ordered = [part for part in args if self.scene.is_free(func) and self._is(part)]
                yield from (refusal(part, _SHOWN) for part in ordered)
            case ast.Call(func=ast.Name(id='isinstance'), args=[_, kind]):
                parts = kind.elts if isinstance(kind, ast.Tuple) else [kind]
                if any(self.scene.member(part) == _HOME for part in parts):
                    yield refusal(kind, 'Ordered dicts are plain ones here: ask for dict.')
            case ast.FormattedValue(value=value) if self._is(value):
                yield refusal(value, _SHOWN)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
                if self._is(left) and self._is(right):
                    yield refusal(node, _COMPARED)
            case _:
                return

    def _is(self, node: ast.expr) -> bool:
        """Whether nothing else than an ordered dict can stand there."""
        if isinstance(node, ast.Call):
            return self.scene.member(node.func) == _HOME
        if isinstance(node, ast.Attribute):
            values = [value for target, value in self.values.items() if _attribute(target) == node.attr]
            return bool(values) and all(isinstance(value, ast.Call) and self._is(value) for value in values)
        owner = self.scene.owner(node) if isinstance(node, ast.Name) else None
        if owner is None or not isinstance(node, ast.Name):
            return False
        values = [self.values.get(part) for part in owner.bound[node.id]]
        return all(isinstance(value, ast.Call) and self.scene.member(value.func) == _HOME for value in values)


def _values(tree: ast.Module) -> dict[ast.AST, ast.expr]:
    found = dict[ast.AST, ast.expr]()
    for node in walk(tree):
        match node:
            case ast.Assign(targets=[(ast.Name() | ast.Attribute()) as target], value=value):
                found[target] = value
            case ast.AnnAssign(target=(ast.Name() | ast.Attribute()) as target, value=ast.expr() as value):
                found[target] = value
            case _:
                pass
    return found


def _attribute(target: ast.AST) -> str | None:
    return target.attr if isinstance(target, ast.Attribute) else None


def _words(tree: ast.Module) -> set[str]:
    names = {node.id for node in all_of(tree, ast.Name)} | {node.attr for node in all_of(tree, ast.Attribute)}
    return names | {alias.name for node in all_of(tree, ast.ImportFrom) for alias in node.names}


_MEANT_OTHERWISE = {**INEXACT, **NEWER}
_HOME = ('collections', 'OrderedDict')
_SHOWN = 'Ordered dicts are plain ones here, and show as such: give dict(...) of it, or list(....items()).'
_COMPARED = 'Ordered dicts are plain ones here: compare list(a.items()) with list(b.items()).'
_COPIED = frozenset(['__name__', '__qualname__', '__doc__', '__wrapped__', '__module__'])
