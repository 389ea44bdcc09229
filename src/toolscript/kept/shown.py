"""What a function says of itself, as the definition of a tool: nothing of its text is run for that."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from pydantic_ai.tools import ToolDefinition

from toolscript.catalog.kept_mark import kept_mark
from toolscript.guards import is_array, is_object
from toolscript.routing.callers import allowed_callers
from toolscript_sandbox import function_in

from .kept_function import SavedFunction

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Schema: TypeAlias = dict[str, Any]


@lru_cache(maxsize=20_000)
def shown(function: SavedFunction, *, deferred: bool) -> ToolDefinition:
    """The function as searches and catalogs take it.

    Annotations that JSON has no types for show as `Any`; the check of a script that calls it reads its own text.
    """
    node = function_in(function.code, function.name)
    assert node is not None
    metadata = {**allowed_callers('code'), **kept_mark(function.version)}
    if not deferred:
        metadata['defer_loading'] = False
    if node.args.vararg is not None:
        metadata['toolscript_variadic'] = node.args.vararg.arg
    return ToolDefinition(
        name=function.name,
        description=function.description,
        parameters_json_schema=_parameters(node),
        return_schema=None if node.returns is None else _schema(node.returns) or None,
        metadata=metadata,
        sequential=isinstance(node, ast.FunctionDef),
        defer_loading=deferred,
    )


def _parameters(node: _Function) -> _Schema:
    properties, required = dict[str, _Schema](), list[str]()
    for argument, default in _arguments(node.args):
        properties[argument.arg] = _schema(argument.annotation)
        if default is None:
            required.append(argument.arg)
        elif (value := _value(default)) is not _NO_VALUE:
            properties[argument.arg] = {**properties[argument.arg], 'default': value}
    if node.args.vararg is not None:
        properties[node.args.vararg.arg] = {'type': 'array', 'items': _schema(node.args.vararg.annotation)}
    schema: _Schema = {'type': 'object', 'properties': properties, 'required': required}
    return {**schema, 'additionalProperties': node.args.kwarg is not None}


def _arguments(given: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    plain = [*given.posonlyargs, *given.args]
    without = len(plain) - len(given.defaults)
    yield from zip(plain, [*([None] * without), *given.defaults], strict=True)
    yield from zip(given.kwonlyargs, given.kw_defaults, strict=True)


_NO_VALUE = object()


def _value(default: ast.expr) -> object:
    try:
        value: object = ast.literal_eval(default)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return _NO_VALUE
    is_json = isinstance(value, str | int | float | bool | None) or is_array(value) or is_object(value)
    return value if is_json else _NO_VALUE


def _schema(annotation: ast.expr | None) -> _Schema:
    """The JSON schema of an annotation; empty for anything."""
    match annotation:
        case ast.Constant(value=None):
            return {'type': 'null'}
        case ast.Constant(value=str(text)):
            return _schema(_expression(text))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return dict(_PLAIN.get(name, {}))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _either([left, right])
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=part):
            return _generic(name, list(part.elts) if isinstance(part, ast.Tuple) else [part])
        case _:
            return {}


def _generic(name: str, parts: list[ast.expr]) -> _Schema:
    match name:
        case 'Optional':
            return _either([*parts, ast.Constant(None)])
        case 'Union':
            return _either(parts)
        case 'Literal':
            values = [_value(part) for part in parts]
            return {} if any(value is _NO_VALUE for value in values) else {'enum': values}
        case 'Annotated':
            return _schema(parts[0])
        case 'dict' | 'Dict' | 'Mapping' | 'MutableMapping' | 'defaultdict' | 'Counter':
            return {'type': 'object', 'additionalProperties': _schema(parts[-1]) or True}
        case 'list' | 'List' | 'Sequence' | 'Iterable' | 'Collection' | 'tuple' | 'Tuple' | 'set' | 'frozenset':
            alike = len({ast.dump(part) for part in parts if not _is_ellipsis(part)}) == 1
            return {'type': 'array', 'items': _schema(parts[0]) if alike else {}}
        case _:
            return {}


def _either(parts: list[ast.expr]) -> _Schema:
    schemas = [_schema(part) for part in parts]
    return {'anyOf': schemas} if all(schemas) else {}


def _is_ellipsis(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and part.value is ...


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode='eval').body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


_PLAIN: dict[str, _Schema] = {
    'str': {'type': 'string'},
    'int': {'type': 'integer'},
    'float': {'type': 'number'},
    'bool': {'type': 'boolean'},
    'list': {'type': 'array', 'items': {}},
    'List': {'type': 'array', 'items': {}},
    'tuple': {'type': 'array', 'items': {}},
    'set': {'type': 'array', 'items': {}},
    'dict': {'type': 'object', 'additionalProperties': True},
    'Dict': {'type': 'object', 'additionalProperties': True},
}
