"""Classes that are shown: `<class '__main__.Point'>` in Python is `<class 'Point'>` in Monty.

Where the text shows a class (in `print`, `str`, `repr`, `format` and f-strings), a class of the script is written as
Python would; and what only Python's names tell apart (`__qualname__`) is refused.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.lowering.class_features import ENUMERATIONS
from toolscript_sandbox.lowering.classes.nested_classes import PLACE
from toolscript_sandbox.lowering.parts import is_builtin, method_names, piece
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of, index_of

from .enums import is_type_of_error


def name_of_method(node: ast.Attribute, r: Rewriter) -> str | None:
    """`self.run.__name__`: a method that was taken from its object has no name in Monty."""
    value = node.value
    is_method = isinstance(value, ast.Attribute) and value.attr in r.once(
        'methods', lambda: method_names(r.source.tree)
    )
    if node.attr == '__qualname__' and (is_method or _within(r)):
        raise Refused([refusal(node, 'There is no __qualname__ here that says where it stands. Use __name__.')])
    if not isinstance(value, ast.Attribute) or not is_method or f'.{value.attr}' in r.scene.kin:
        return None
    return f'({r.text(value)}, {value.attr!r})[1]'


def class_of(value: ast.expr, r: Rewriter) -> str:
    """What `x.__class__` is."""
    errors = r.scene.errors or 'errors' in r.scene.pieces
    text = f'{piece(r, "errors", "type_of") if errors else "type"}({r.text(value)})'
    return f'{piece(r, "enum", "as_members")}({text})' if ENUMERATIONS in r.scene.kin else text


def with_shown_classes(program: Program) -> Program:
    """The snippet with what shows a class told to show it as Python does."""
    tree = program.tree
    if not all_of(tree, ast.ClassDef) and not program.scene.defined:
        return program
    r = Rewriter(program)
    shown = [part for node in all_of(tree, ast.Call) if _shows(node, r) for part in node.args]
    strings = [node for node in all_of(tree, ast.JoinedStr) if r.is_placed(node)]
    shown += [part.value for node in strings for part in node.values if isinstance(part, ast.FormattedValue)]
    edits = [edit for node in shown for edit in _edits(node, r)]
    return program.edited(edits)


def _shows(node: ast.Call, r: Rewriter) -> bool:
    return any(is_builtin(node, name, r) for name in ('print', 'str', 'repr', 'format'))


def _edits(node: ast.expr, r: Rewriter) -> list[Edit]:
    names = r.once('classes', lambda: [one.name for one in all_of(r.source.tree, ast.ClassDef)])
    match node:
        case ast.Call() if is_builtin(node, 'type', r) or is_type_of_error(node):
            pass
        case ast.Attribute(attr='__class__'):
            pass
        case ast.Name(id=name) if name in names:
            pass
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() if r.once(
            'kept', lambda: _kept_classes(names, r)
        ):
            pass
        case _:
            return []
    if r.source.text[r.source.end(node) :].lstrip()[:1] == '=' and isinstance(r.parent(node), ast.FormattedValue):
        return []
    return r.source.wrap(node, f'{piece(r, "members", "shown_class")}(', f', {table_of_places(r)})')


def _kept_classes(names: frozenset[str], r: Rewriter) -> list[str]:
    """Classes that are values: what is shown may be one of them."""
    asked = [node for node in all_of(r.source.tree, ast.Call) if is_builtin(node, 'type', r) or is_type_of_error(node)]
    if not all(_is_compared(node, r) for node in asked):
        return ['type']
    return [name.id for name in all_of(r.source.tree, ast.Name) if name.id in names and _is_value(name, r)]


def _is_compared(node: ast.Call, r: Rewriter) -> bool:
    parent = r.parent(node)
    return isinstance(parent, (ast.Compare, ast.Attribute)) or (isinstance(parent, ast.Call) and _shows(parent, r))


def _is_value(name: ast.Name, r: Rewriter) -> bool:
    parent = r.parent(name)
    match parent:
        case ast.Call(func=func) if func is name:
            return False
        case ast.Call(func=ast.Name(id='isinstance' | 'issubclass')):
            return False
        case ast.Call(func=ast.Name(id=called)) if called.startswith('_'):
            # What stands behind a class that was flattened.
            return False
        case ast.Attribute() | ast.Compare() | ast.arg() | ast.AnnAssign() | ast.MatchClass() | ast.ExceptHandler():
            return False
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Subscript() | ast.BinOp():
            return False
        case ast.Tuple():
            return _is_value_of(parent, r)
        case _:
            return isinstance(name.ctx, ast.Load)


def _is_value_of(node: ast.Tuple, r: Rewriter) -> bool:
    match r.parent(node):
        case ast.Call(func=ast.Name(id='isinstance' | 'issubclass')):
            return False
        case ast.Call(func=ast.Name(id=called)) if called.startswith('_'):
            return False
        case _:
            return True


def table_of_places(r: Rewriter) -> str:
    """The name of what says where the classes of the session stand; f-strings take no quotes."""
    table = {**{name: name for name in sorted(r.scene.defined)}, **places(r.source.tree, r.scene)}
    statement = f'_class_places = {table!r}'
    if statement not in r.scene.imports:
        r.scene.imports.append(statement)
    return '_class_places'


def places(tree: ast.Module, scene: Scene) -> dict[str, str]:
    """For each class its `__qualname__`."""
    parents, found = index_of(tree).parents, dict[str, str]()
    for node in all_of(tree, ast.ClassDef):
        names, outer = [node.name], parents.get(node)
        while outer is not None:
            if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)):
                names += ['<locals>', outer.name]
            elif isinstance(outer, ast.ClassDef):
                names.append(outer.name)
            outer = parents.get(outer)
        found[node.name] = '.'.join([*reversed(names[1:]), *scene.kin.get(f'{PLACE}{node.name}', (node.name,))])
    for node in all_of(tree, ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=[ast.Constant(value=own), *_])):
                if scene.member(func) == ('collections', 'namedtuple') and own == name:
                    found[name] = name
            case _:
                pass
    return found


def _within(r: Rewriter) -> frozenset[str]:
    """Classes and functions that stand in others."""
    kinds = (*all_of(r.source.tree, ast.ClassDef), *all_of(r.source.tree, ast.FunctionDef))
    return r.once('within', lambda: [node.name for node in kinds if not r.at_top(node) and not _is_method(node, r)])


def _is_method(node: ast.AST, r: Rewriter) -> bool:
    return isinstance(node, ast.FunctionDef) and isinstance(r.parent(node), ast.ClassDef)
