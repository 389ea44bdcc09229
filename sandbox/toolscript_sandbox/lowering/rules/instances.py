"""Rules for builtins over instances: Monty asks these for less than Python does."""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.parts import arguments, defines, is_builtin, is_host_call, piece
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, named

from .attributes import OF_NUMBERS


def _asked(node: ast.Call, r: Rewriter) -> str | None:
    """`hasattr(x, 'keys')`, `object()` and `bytes([1, 2])`."""
    if is_builtin(node, 'object', r) and not node.args:
        return f'{piece(r, "builtins", "Nothing")}()'
    if is_builtin(node, 'getattr', r):
        return _attribute(node, r)
    if is_builtin(node, 'hasattr', r) and len(node.args) == 2:
        return f'{piece(r, "builtins", "has_attribute")}({arguments(node, r)})'
    if is_builtin(node, 'bytes', r) and len(node.args) == 1 and not isinstance(node.args[0], ast.Constant):
        return f'{piece(r, "byte_values", "bytes_of")}({arguments(node, r)})'
    return None


def _attribute(node: ast.Call, r: Rewriter) -> str | None:
    """`getattr(text, 'upper')` and `getattr(f, '__name__')`."""
    if len(node.args) > 1 and _is_name(node.args[1]):
        given = ', '.join(r.text(part) for part in (node.args[0], *node.args[2:]))
        return f'{piece(r, "builtins", "name_or")}({given})'
    if len(node.args) in (2, 3) and isinstance(node.args[1], ast.Constant) and node.args[1].value in OF_NUMBERS:
        return f'{piece(r, "builtins", "part_or")}({arguments(node, r)})'
    if len(node.args) in (2, 3) and _may_be_method(node.args[1]):
        return f'{piece(r, "named_methods", "attribute_named")}({arguments(node, r)})'
    return None


def _may_be_method(name: ast.expr) -> bool:
    """Whether it may be the name of a method of a text, list, dict, set or tuple."""
    return not isinstance(name, ast.Constant) or any(hasattr(kind, str(name.value)) for kind in _KINDS)


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in ('__name__', '__qualname__')


def _mapped(node: ast.Call, r: Rewriter) -> str | None:
    """`dict(config)` and `f(**config)`, where a class of the snippet has `keys`."""
    if not node.keywords and not isinstance(node.func, ast.Name):
        return None
    spread = [word for word in node.keywords if word.arg is None]
    is_dict = is_builtin(node, 'dict', r) and bool(node.args) and not isinstance(node.args[0], ast.Starred)
    if not (spread or is_dict) or not (defines(r, 'keys') and defines(r, '__getitem__')):
        return None
    mapping = piece(r, 'members', 'mapping')
    parts = [f'{mapping}({r.text(part)})' if is_dict else r.text(part) for part in node.args]
    parts += [f'{k.arg}={r.text(k.value)}' if k.arg else f'**{mapping}({r.text(k.value)})' for k in node.keywords]
    return f'{_function(node, r)}({", ".join(parts)})'


def _in_turn(node: ast.Call, r: Rewriter) -> str | None:
    """`f(**first, x=2)`: Monty would give `x` first."""
    if len(node.keywords) < 2:
        return None
    names = [word.arg for word in node.keywords]
    if None not in names or all(name is None for name in names[names.index(None) :]) or is_host_call(node, r):
        return None
    mapped = defines(r, 'keys') and defines(r, '__getitem__')
    opening, closing = (f'{piece(r, "members", "mapping")}(', ')') if mapped else ('', '')
    pairs = [
        f'({k.arg!r}, {r.text(k.value)})' if k.arg else f'(None, {opening}{r.text(k.value)}{closing})'
        for k in node.keywords
    ]
    parts = [*(r.text(part) for part in node.args), f'**{piece(r, "members", "words")}({", ".join(pairs)})']
    return f'{_function(node, r)}({", ".join(parts)})'


def _function(node: ast.Call, r: Rewriter) -> str:
    """What is called, in the parentheses that it has in the text."""
    return f'({r.text(node.func)})' if isinstance(node.func, ast.Lambda) else r.text(node.func)


def mapped_items(node: Node, r: Rewriter) -> str | None:
    """`{**config}`."""
    if not isinstance(node, ast.Dict) or None not in node.keys or not defines(r, 'keys'):
        return None
    mapping = piece(r, 'members', 'mapping')
    pairs = zip(node.keys, node.values, strict=True)
    parts = [f'{r.text(key)}: {r.text(value)}' if key else f'**{mapping}({r.text(value)})' for key, value in pairs]
    return f'{{{", ".join(parts)}}}'


def _of_own_class(node: ast.Call, r: Rewriter) -> str | None:
    """`len(queue)` and `bool(queue)`, where a class of the snippet says what they mean."""
    if is_builtin(node, 'len', r) and len(node.args) == 1 and defines(r, '__len__'):
        return f'{piece(r, "builtins", "length")}({arguments(node, r)})'
    if is_builtin(node, 'bool', r) and len(node.args) == 1 and (defines(r, '__bool__') or defines(r, '__len__')):
        return f'{piece(r, "builtins", "truth")}({arguments(node, r)})'
    return None


_KINDS = (str, list, dict, set, tuple)
INSTANCE_RULES = (
    named(_asked, 'object', 'getattr', 'hasattr', 'bytes'),
    _in_turn,
    _mapped,
    named(_of_own_class, 'len', 'bool'),
)
