"""Correct and incorrect uses of Python text for functions and schemas."""

from __future__ import annotations

from typing import Any, assert_type

from toolscript_signatures import (
    MISSING,
    Catalog,
    Detail,
    FunctionSignature,
    ObservedShape,
    Parameter,
    Rendered,
    ToolFunction,
    ToolSpec,
    content_of,
    docstring_summary,
    estimate_tokens,
    identifier,
    keeps_its_name,
    observed_text,
    signature_from_function,
    signature_from_schema,
    with_visible,
    without_invisible,
)


def stock(article: str) -> int:
    """How many there are."""
    return len(article)


detail: Detail = 'brief'
no_detail: Detail = 'long'  # error
assert_type(signature_from_function(stock, name='count'), FunctionSignature)
assert_type(signature_from_function(stock).type_definitions, list[str])
signature_from_function('stock')  # error
signature_from_schema(name='stock', parameters_json_schema={}, return_json_schema={'type': 'integer'})
signature_from_schema('stock', {})  # error

catalog = Catalog([ToolSpec('stock', {'type': 'object'}, 'How many there are.')], reserved={'run_code'})
assert_type(catalog.get('stock'), ToolFunction | None)
assert_type(catalog.render(['stock'], detail=detail, budget=100), Rendered)
assert_type(catalog.of('stock').arguments(['tea'], {}), dict[str, Any])
assert_type(catalog.of('stock').parameters, tuple[Parameter, ...])
catalog.render(detail='all')  # error
Catalog(['stock'])  # error
ToolSpec('stock')  # error

shape = ObservedShape().seen({'a': 1})
assert_type(shape, ObservedShape)
assert_type(observed_text('stock', shape), str)
assert_type(shape.samples, int)
shape.samples = 3  # error
required = [parameter.default is MISSING for parameter in catalog.of('stock').parameters]
assert_type(content_of(('stock',), {}, None), bytes)
assert_type(docstring_summary(stock), str | None)
assert_type(estimate_tokens('stock'), int)
assert_type(identifier('get-stock', fallback='tool') + with_visible('a') + without_invisible('b'), str)
assert_type(keeps_its_name('stock'), bool)
estimate_tokens(3)  # error
