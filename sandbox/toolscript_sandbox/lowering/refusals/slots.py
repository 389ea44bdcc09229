"""`__slots__`, and `slots=True` of dataclasses, which only forbid what nothing may ask for here."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import walk


def beyond_slots(tree: ast.Module, classes: Sequence[ast.ClassDef]) -> Iterator[Refusal]:
    """What Python refuses because of slots, and what must be known for that."""
    written = {node: parts for node in classes if (parts := _slots(node))}
    slotted = {**{node: parts for node in classes if (parts := _slots_of_data(node))}, **written}
    if not slotted:
        return
    allowed = set[str]()
    for node, parts in slotted.items():
        names = _names(parts)
        if names is None:
            yield refusal(parts, 'Write the names in a tuple or list of texts here, or leave __slots__ out.')
            return
        if node in written and (twice := sorted(names & set(_bound(node)))):
            yield refusal(parts, f'{twice[0]} is in __slots__ and has a value in the class. Leave __slots__ out.')
        allowed |= names | _setters(node)
    for node in slotted:
        yield from _of_self(node, slotted, {one.name: one for one in classes})
    others = [node for node in classes if node not in slotted]
    known = {part for node in others for part in _stores(node)}
    elsewhere = {part.attr for part in known} | {
        name for node in others for name in (*_annotated(node), *_setters(node))
    }
    for part in _stores(tree):
        named = isinstance(part.value, ast.Name) and part.value.id in {node.name for node in classes}
        of_self = isinstance(part.value, ast.Name) and part.value.id == 'self'
        if part not in known and part.attr not in allowed | elsewhere and not named and not of_self:
            yield refusal(part, f'{part.attr} is not in __slots__. Add it there, or leave the slots out.')
    for node in walk(tree) if written else ():
        if isinstance(node, ast.Attribute) and node.attr in ('__dict__', '__weakref__'):
            yield refusal(node, f'With __slots__ there may be no {node.attr}. Leave __slots__ out.')
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ('vars', 'setattr'):
            yield refusal(node, f'{node.func.id} asks for what __slots__ forbids. Leave __slots__ out.')


def _of_self(
    node: ast.ClassDef, slotted: dict[ast.ClassDef, ast.expr], classes: dict[str, ast.ClassDef]
) -> Iterator[Refusal]:
    """What the methods of a class store beyond its slots and those of its bases."""
    allowed, one = set[str](), node
    for _ in classes:
        if one not in slotted:
            return
        allowed |= (_names(slotted[one]) or set()) | _setters(one)
        base = next((base.id for base in one.bases if isinstance(base, ast.Name) and base.id in classes), None)
        if base is None:
            break
        one = classes[base]
    for part in _stores(node):
        if isinstance(part.value, ast.Name) and part.value.id == 'self' and part.attr not in allowed:
            yield refusal(part, f'{part.attr} is not in __slots__. Add it there, or leave the slots out.')


def _slots(node: ast.ClassDef) -> ast.expr | None:
    for part in node.body:
        match part:
            case ast.Assign(targets=[ast.Name(id='__slots__')], value=value):
                return value
            case ast.AnnAssign(target=ast.Name(id='__slots__'), value=ast.expr() as value):
                return value
            case _:
                pass
    return None


def _slots_of_data(node: ast.ClassDef) -> ast.expr | None:
    """What `@dataclass(slots=True)` puts into them."""
    for mark in node.decorator_list:
        match mark:
            case ast.Call(func=ast.Name(id='dataclass') | ast.Attribute(attr='dataclass'), keywords=words):
                if any(word.arg == 'slots' and _is_true(word.value) for word in words):
                    names = [ast.Constant(name) for name in _annotated(node)]
                    return ast.copy_location(ast.Tuple([*names], ast.Load()), mark)
            case _:
                pass
    return None


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _annotated(node: ast.ClassDef) -> list[str]:
    parts = (part.target for part in node.body if isinstance(part, ast.AnnAssign))
    return [target.id for target in parts if isinstance(target, ast.Name)]


def _names(parts: ast.expr) -> set[str] | None:
    each = parts.elts if isinstance(parts, (ast.Tuple, ast.List)) else [parts]
    names = {part.value for part in each if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return names if len(names) == len(each) else None


def _bound(node: ast.ClassDef) -> Iterator[str]:
    for part in node.body:
        match part:
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case _:
                pass


def _setters(node: ast.ClassDef) -> set[str]:
    marks = (mark for part in node.body if isinstance(part, ast.FunctionDef) for mark in part.decorator_list)
    return {mark.value.id for mark in marks if isinstance(mark, ast.Attribute) and isinstance(mark.value, ast.Name)}


def _stores(node: ast.AST) -> list[ast.Attribute]:
    return [
        part for part in walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, (ast.Store, ast.Del))
    ]
