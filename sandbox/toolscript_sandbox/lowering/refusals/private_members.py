"""Private members of what guest modules make (`queue._put_after(1, 2)`): what they do is no part of Python.

Only names are known before a script runs. So a member is refused where a guest module has one of that name and nothing
that the script can reach gives it to something else: its classes, its texts, or the tools that it calls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from toolscript_sandbox.lowering.guest_modules import GUESTS, HOSTED, texts_of_guests
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refusal, refusal
from toolscript_sandbox.text.syntax import all_of, index_of


def of_private_members(tree: ast.Module, scene: Scene) -> Iterator[Refusal]:
    """`queue._put_after` and `getattr(queue, '_put_after')`."""
    read = [(node, value, name) for node, value, name in _read(tree) if scene.module(value) is None]
    if not read or _words(tree, scene) & _BY_ANY_NAME:
        return
    unknown = {name for *_, name in read} - _given(tree)
    if not unknown:
        return
    foreign = unknown & _private_names() - _in_stubs(tree, scene)
    # Earlier snippets may have given variables any members.
    is_first = not scene.known - scene.modules.keys()
    for node, value, name in read:
        if name in foreign and (is_first or _is_of_guests(value, tree, scene)):
            yield refusal(node, f'{name} is a private member of what the library makes. Use its public ones.')


def _read(tree: ast.Module) -> Iterator[tuple[ast.expr, ast.expr, str]]:
    """Where a private member is read: the place, of what, and its name."""
    for node in all_of(tree, ast.Attribute):
        if _is_private(node.attr) and isinstance(node.ctx, ast.Load):
            yield node, node.value, node.attr
    for node in all_of(tree, ast.Call):
        match node:
            case ast.Call(func=ast.Name(id='getattr' | 'hasattr'), args=[value, ast.Constant(value=str(name)), *_]) if (
                _is_private(name)
            ):
                yield node, value, name
            case _:
                pass


def _is_private(name: str) -> bool:
    return name.startswith('_') and not name.startswith('__') and name not in _PUBLIC


def _given(tree: ast.Module) -> set[str]:
    """What the script may give to objects: names that it binds in any way, keywords, and texts."""
    asked = {
        node.args[1]
        for node in all_of(tree, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id in ('getattr', 'hasattr') and len(node.args) > 1
    }
    texts = (node.value for node in all_of(tree, ast.Constant) if node not in asked)
    return {
        *(node.attr for node in all_of(tree, ast.Attribute) if isinstance(node.ctx, ast.Store)),
        *(node.id for node in all_of(tree, ast.Name) if isinstance(node.ctx, ast.Store)),
        *(node.name for kind in _DEFINING for node in all_of(tree, kind)),
        *(node.arg for node in all_of(tree, ast.keyword) if node.arg),
        *(word for text in texts if isinstance(text, str) for word in text.replace(',', ' ').split()),
    }


def _in_stubs(tree: ast.Module, scene: Scene) -> set[str]:
    """Private names in what the tools that the script names say of themselves."""
    stubs = [found.stub for name in _words(tree, scene) if (found := scene.functions.get(name)) is not None]
    return {name for name in _private_names() for stub in stubs if name in stub}


def _words(tree: ast.Module, scene: Scene) -> set[str]:
    return {*scene.names.used, *scene.names.bound, *index_of(tree).attributes}


def _is_of_guests(node: ast.expr, tree: ast.Module, scene: Scene) -> bool:
    """Whether a guest module has made it: `asyncio.Queue()`, or a variable that is set to nothing else."""
    if isinstance(node, ast.Call):
        module, _ = scene.member(node.func) or ('', '')
        return module in GUESTS - HOSTED.keys()
    owner = scene.owner(node) if isinstance(node, ast.Name) else None
    bound = owner.bound[node.id] if owner is not None and isinstance(node, ast.Name) else []
    values = {target: part.value for part in all_of(tree, ast.Assign) for target in part.targets}
    made = [values.get(part) for part in bound if isinstance(part, ast.expr)]
    return len(made) == len(bound) > 0 and all(isinstance(v, ast.Call) and _is_of_guests(v, tree, scene) for v in made)


@cache
def _private_names() -> frozenset[str]:
    """The private members that guest modules speak of, read off their text."""
    return frozenset(name for text in texts_of_guests() for name in _MEMBER.findall(text) if _is_private(name))


_MEMBER = re.compile(r'(?:\.|^ +(?:async )?def )(_[a-z]\w*)', re.MULTILINE)
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_PUBLIC = frozenset(
    ['_asdict', '_field_defaults', '_fields', '_make', '_replace', '_missing_', '_name_', '_order_', '_value_']
)
"""Names that begin with an underscore only to leave the others to whoever uses the class."""
_BY_ANY_NAME = frozenset(['SimpleNamespace', 'setattr', 'vars', '__dict__', '__getattr__', '__getattribute__'])
"""What gives objects members whose names nobody sees."""
