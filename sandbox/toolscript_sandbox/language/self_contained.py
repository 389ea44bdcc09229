"""Makes the code of a function self-contained, so that it can run without the scripts around it.

What it uses from these scripts is copied: imports and constants to the start of its body, where they cannot conflict
with other variables, and imports that its first lines need above it. Anything else that it uses from there would be
missing elsewhere, and is refused. Names that the script does not bind remain free, for functions of the host and other
saved functions.
"""

import ast
import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TypeAlias

from .fences import unfenced
from .scopes import bound_by, scopes_of
from .syntax import index_of, module_of, tree_of, walk

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Snippets: TypeAlias = Sequence[tuple[str, ast.Module]]
"""Scripts and their trees, in the order in which they ran."""


@dataclass(frozen=True)
class SelfContained:
    """A self-contained function."""

    name: str
    code: str
    """The function, after the imports that its first lines need."""
    left: frozenset[str]
    """Free names, which the environment that runs the function provides."""


class NotSelfContained(ValueError):
    """The function needs something that cannot be saved with it. The message says what, and what to do."""


def self_contained(name: str, snippets: Sequence[str], is_left: Callable[[str], bool]) -> SelfContained:
    """Return the latest definition of a function as self-contained code.

    Args:
        name: The name of the function.
        snippets: Python code in the order in which it ran.
        is_left: Returns whether a name that no script binds, or that a script defines as a function, is that of a
            function which the environment that runs the code provides.

    Raises:
        NotSelfContained: The function does not exist, or needs more than imports, literals and unbound names.
    """
    parsed = [(text, _tree(text)) for text in snippets]
    node, text, tree = _definition(name, parsed)
    above, inside, left = _taken(node, tree, parsed, is_left)
    return SelfContained(name, '\n'.join([*above, *_with_inside(node, text, inside), '']), frozenset(left))


def free_variables(code: str) -> frozenset[str]:
    """Return the names that a script reads and that none of its inner scopes binds; none if it is not Python."""
    tree = _tree(code)
    return frozenset(_free(tree, tree.body))


def bindings(code: str) -> frozenset[str]:
    """Return the functions and classes that a script defines at its top level; none if it is not Python."""
    return frozenset(part.name for part in _tree(code).body if isinstance(part, _Function | ast.ClassDef))


def imported(code: str) -> dict[str, str]:
    """Return the import statement of each name that a script imports at its top level; none if it is not Python."""
    found = [node for node in _tree(code).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {name: text for node in found for name in bound_by(node) for text in _imports(name, node)}


def function_in(code: str, name: str) -> _Function | None:
    """Return the function of a text that contains only imports and that function; `None` for any other text."""
    match _tree(code).body:
        case [*imports, ast.FunctionDef() | ast.AsyncFunctionDef() as last] if last.name == name:
            return last if all(isinstance(part, (ast.Import, ast.ImportFrom)) for part in imports) else None
        case _:
            return None


def _definition(name: str, snippets: _Snippets) -> tuple[_Function, str, ast.Module]:
    """Return the current function of that name, and the text and tree of its script."""
    for text, tree in reversed(snippets):
        bound = scopes_of(tree).module.bound.get(name, [])
        if bound:
            node = bound[0]
            if len(bound) > 1 or not isinstance(node, _Function) or node not in tree.body:
                raise NotSelfContained(f'{name} must be defined once, by a def at the top level of a script.')
            return node, text, tree
    raise NotSelfContained(f'no script of this run has defined {name}; define it with def, then save it.')


def _bound(name: str, snippets: _Snippets) -> list[ast.AST]:
    """Return what last bound a name: a node, or the top-level statement that it is a target of."""
    for _, tree in reversed(snippets):
        if nodes := scopes_of(tree).module.bound.get(name):
            parents = index_of(tree).parents
            assigning = [node for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign))]
            return [parents[node] if parents[node] in assigning else node for node in nodes]
    return []


def _taken(
    node: _Function, tree: ast.Module, snippets: _Snippets, is_left: Callable[[str], bool]
) -> tuple[list[str], list[str], list[str]]:
    """Return imports that the function's first lines need, statements for the start of its body, and free names."""
    if any(isinstance(part, ast.Global) for part in walk(node)):
        raise NotSelfContained(f'{node.name} changes variables outside of it (global); pass them as parameters.')
    first_lines = [*node.decorator_list, node.args, *([] if node.returns is None else [node.returns])]
    head, body = set(_free(tree, first_lines)), set(_free(tree, node.body))
    above, inside, constants = list[str](), list[str](), list[str]()
    left, missing = list[str](), list[str]()
    for name in sorted((head | body) - {node.name}):
        bound = _bound(name, snippets)
        if (not bound and not hasattr(builtins, name)) or (_is_function(bound) and is_left(name)):
            if is_left(name):
                left.append(name)
            else:
                missing.append(f'{name}, which scripts do not have')
        elif bound and (text := _import_of(name, bound)) is not None:
            (above if name in head else inside).append(text)
        elif bound and (value := _literal_of(bound)) is not None:
            if name in head:
                missing.append(f'{name} in its first lines: write the value there')
            else:
                constants.append(f'{name} = {value}')
        elif bound:
            missing.append(_advice(name, bound))
    if missing:
        raise NotSelfContained(f'{node.name} must be self-contained, but needs {"; ".join(missing[:_MAX_NAMES])}.')
    return above, inside + constants, left


def _is_function(bound: Sequence[ast.AST]) -> bool:
    return len(bound) == 1 and isinstance(bound[0], _Function)


def _advice(name: str, bound: Sequence[ast.AST]) -> str:
    if _is_function(bound):
        return f'{name}(), which is not saved: save it first, or define it inside'
    if len(bound) == 1 and isinstance(bound[0], ast.ClassDef):
        return f'the class {name}: define it inside'
    return f'the variable {name}, which is not a literal: make it a parameter'


def _free(tree: ast.Module, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names in the nodes that belong to the module or are unbound."""
    scopes = scopes_of(tree)
    for node in nodes:
        for part in walk(node):
            if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Store):
                owner = scopes.owner(part)
                if owner is None or owner is scopes.module:
                    yield part.id


def _import_of(name: str, bound: Sequence[ast.AST]) -> str | None:
    """Return an import of only this name, if exactly one import binds it."""
    texts = {text for node in bound for text in _imports(name, node)}
    return texts.pop() or None if len(texts) == 1 else None


def _imports(name: str, node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=aliases):
            found = [alias for alias in aliases if (alias.asname or alias.name.split('.')[0]) == name]
            yield from (ast.unparse(ast.Import([alias])).strip() for alias in found)
        case ast.ImportFrom(module=module, names=aliases, level=level):
            found = [alias for alias in aliases if (alias.asname or alias.name) == name]
            yield from (ast.unparse(ast.ImportFrom(module, [alias], level)).strip() for alias in found)
        case _:
            yield ''


def _literal_of(bound: Sequence[ast.AST]) -> str | None:
    match bound:
        case [ast.Assign(targets=[_], value=value)] | [ast.AnnAssign(value=ast.expr() as value)]:
            pass
        case _:
            return None
    try:
        ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return ast.unparse(value)


def _with_inside(node: _Function, text: str, statements: Sequence[str]) -> list[str]:
    """Return the lines of the function, with statements at the start of its body."""
    first = min([node.lineno, *(part.lineno for part in node.decorator_list)])
    lines = unfenced(text)[0].split('\n')[first - 1 : node.end_lineno]
    if not statements:
        return lines
    rest = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    if rest:
        # Decorators precede their statement.
        start = min(part.lineno for part in walk(rest[0]) if isinstance(part, (ast.stmt, ast.expr))) - first
        before = lines[start].encode()[: rest[0].col_offset].decode()
        if not before.strip():
            return [*lines[:start], *(before + text for text in statements), *lines[start:]]
    return _rewritten(node, statements)


def _rewritten(node: _Function, statements: Sequence[str]) -> list[str]:
    """Rewrite a function that is on one line."""
    copy = deepcopy(node)
    place = 1 if ast.get_docstring(node, clean=False) is not None else 0
    copy.body[place:place] = module_of('\n'.join(statements)).body
    return ast.unparse(ast.fix_missing_locations(copy)).split('\n')


def _tree(text: str) -> ast.Module:
    """Return the tree of a script; an empty one if it is not Python."""
    try:
        return tree_of(unfenced(text)[0])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


_MAX_NAMES = 5
