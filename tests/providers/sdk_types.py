"""Type checks of requests with the providers' own SDKs."""

import warnings
from collections.abc import Set
from functools import cache
from importlib import import_module
from types import GenericAlias
from typing import Any, Literal, TypeGuard

from pydantic import ConfigDict, JsonValue, TypeAdapter
from pydantic.warnings import TypedDictExtraConfigWarning
from pydantic_core import SchemaValidator, ValidationError

Wire = Literal['anthropic', 'responses', 'chat']

_PARAMETERS: dict[Wire, tuple[str, str]] = {
    'anthropic': ('anthropic.types.beta.message_create_params', 'MessageCreateParams'),
    'responses': ('openai.types.responses.response_create_params', 'ResponseCreateParams'),
    'chat': ('openai.types.chat.completion_create_params', 'CompletionCreateParams'),
}


def type_complaints(wire: Wire, body: JsonValue) -> list[str]:
    """Return what the SDK's types refuse in a request body, including unknown keys at any depth; empty if valid."""
    try:
        _validator(wire, isinstance(body, dict) and body.get('stream') is True).validate_python([body])
    except ValidationError as error:
        return [f'{detail["loc"]}: {detail["msg"]}' for detail in error.errors(include_url=False)]
    return []


@cache
def _validator(wire: Wire, streams: bool) -> SchemaValidator:
    module, name = _PARAMETERS[wire]
    body = getattr(import_module(module), f'{name}{"Streaming" if streams else "NonStreaming"}')
    # Pydantic refuses a configuration for nested types on a bare TypedDict.
    parameters: Any = GenericAlias(list, body)
    with warnings.catch_warnings():
        # One type of the SDK allows extra keys on purpose and stores them.
        warnings.simplefilter('ignore', TypedDictExtraConfigWarning)
        # Checking types against the union of all schemas takes seconds.
        schema: Any = TypeAdapter(parameters, config=ConfigDict(extra='forbid')).core_schema
    definitions: Any = schema['definitions'] if schema['type'] == 'definitions' else []
    models = frozenset[str](definition.get('ref', '') for definition in definitions if definition['type'] == 'model')
    return SchemaValidator(_strict(schema, models))


def _strict(node: Any, models: Set[str]) -> Any:
    """Return the schema with lists for lazily read iterables, and without response models among the alternatives.

    The SDKs accept a response model wherever a request's block is allowed. Those models accept any extra key, so with
    them nothing would ever be refused.
    """
    if _is_sequence(node):
        return type(node)(_strict(item, models) for item in node)
    if not _is_schema(node) or node.get('type') == 'model':
        return node
    if node.get('type') == 'generator':
        node = node | {'type': 'list'}
    if node.get('type') == 'union':
        node = node | {'choices': [choice for choice in node['choices'] if not _is_model(choice, models)]}
    return {
        key: value if key in ('metadata', 'serialization') else _strict(value, models) for key, value in node.items()
    }


def _is_model(choice: Any, models: Set[str]) -> bool:
    schema = choice[0] if _is_sequence(choice) else choice
    if schema.get('type') == 'union':
        return all(_is_model(inner, models) for inner in schema['choices'])
    return schema.get('type') == 'model' or schema.get('schema_ref') in models


def _is_schema(node: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(node, dict)


def _is_sequence(node: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    return isinstance(node, list | tuple)
