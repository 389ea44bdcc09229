"""Correct and incorrect uses of Python text for functions and schemas."""

from __future__ import annotations

from typing import Any, assert_type

import toolscript_signatures as ts


def stock(article: str) -> int:
    return len(article)


detail: ts.Detail = 'brief'
no_detail: ts.Detail = 'long'  # type: ignore
assert_type(ts.signature_from_function(stock, name='count'), ts.FunctionSignature)
assert_type(ts.signature_from_function(stock).type_definitions, list[str])
ts.signature_from_function('stock')  # type: ignore
ts.signature_from_schema(name='stock', parameters_json_schema={}, return_json_schema={'type': 'integer'})
ts.signature_from_schema('stock', {})  # type: ignore

catalog = ts.Catalog([ts.ToolSpec('stock', {'type': 'object'}, 'How many there are.')], reserved={'run_code'})
assert_type(catalog.get('stock'), ts.ToolFunction | None)
assert_type(catalog.render(['stock'], detail=detail, budget=100), ts.Rendered)
assert_type(catalog.of('stock').arguments(['tea'], {}), dict[str, Any])
assert_type(catalog.of('stock').parameters, tuple[ts.Parameter, ...])
catalog.render(detail='all')  # type: ignore
ts.Catalog(['stock'])  # type: ignore
ts.ToolSpec('stock')  # type: ignore

shape = ts.ObservedShape().seen({'a': 1})
assert_type(shape, ts.ObservedShape)
assert_type(ts.observed_text('stock', shape), str)
assert_type(shape.samples, int)
shape.samples = 3  # type: ignore
required = [parameter.default is ts.MISSING for parameter in catalog.of('stock').parameters]
assert_type(ts.content_of(('stock',), {}, None), bytes)
assert_type(ts.docstring_summary(stock), str | None)
assert_type(ts.estimate_tokens('stock'), int)
assert_type(ts.identifier('get-stock', fallback='tool') + ts.with_visible('a') + ts.without_invisible('b'), str)
assert_type(ts.keeps_its_name('stock'), bool)
ts.estimate_tokens(3)  # type: ignore
