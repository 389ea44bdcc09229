import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from tests.signatures.json_schemas import argument_schemas, names
from toolscript_signatures import Catalog, ToolFunction, ToolSpec


def _function(properties: dict[str, Any], required: list[str] | None = None, **rest: Any) -> ToolFunction:
    schema = {'type': 'object', 'properties': properties, 'required': required or [], **rest}
    return Catalog([ToolSpec('send_mail', schema, variadic=rest.pop('variadic', None))]).of('send_mail')


_MAIL = _function(
    {
        'cc': {'type': 'string'},
        'to': {'type': 'string'},
        'x-priority': {'type': 'integer'},
        'reply_to': {'anyOf': [{'type': 'string'}, {'type': 'null'}]},
    },
    ['to'],
)


def _refusal(function: ToolFunction, *args: Any, **kwargs: Any) -> str:
    with pytest.raises(TypeError) as caught:
        function.arguments(args, kwargs)
    return str(caught.value)


_CALLS: list[tuple[list[Any], dict[str, Any], dict[str, Any]]] = [
    (['a@b', 'c@d'], {'x_priority': 1}, {'to': 'a@b', 'cc': 'c@d', 'x-priority': 1}),
    ([], {'to': 'a', 'x-priority': 2}, {'to': 'a', 'x-priority': 2}),
    # None is omitted if the parameter is optional and does not accept null.
    ([], {'to': 'a', 'cc': None, 'reply_to': None}, {'to': 'a', 'reply_to': None}),
    ([None], {}, {'to': None}),
]


@pytest.mark.parametrize(('args', 'kwargs', 'arguments'), _CALLS)
def test_arguments_go_to_parameters_by_their_order_and_by_either_name(
    args: list[Any], kwargs: dict[str, Any], arguments: dict[str, Any]
) -> None:
    assert [parameter.name for parameter in _MAIL.parameters] == ['to', 'cc', 'x_priority', 'reply_to']
    assert _MAIL.arguments(args, kwargs) == arguments


_REFUSED: list[tuple[list[Any], dict[str, Any], str]] = [
    ([], {'cc': 'x'}, "send_mail() is missing 'to'"),
    ([], {'address': 'a'}, "send_mail() is missing 'to'; it has no parameter 'address'"),
    ([], {'to': 'a', 'replyto': 'b'}, "send_mail() has no parameter 'replyto', did you mean 'reply_to'?"),
    ([1, 2, 3, 4, 5], {}, 'send_mail() takes at most 4 positional arguments, got 5'),
    (['a'], {'to': 'b'}, "send_mail() got two values for 'to'"),
    ([], {'to': 'a', 'x-priority': 1, 'x_priority': 2}, "send_mail() got two values for 'x_priority'"),
]


@pytest.mark.parametrize(('args', 'kwargs', 'reported'), _REFUSED)
def test_arguments_that_do_not_fit_are_refused_with_the_signature(
    args: list[Any], kwargs: dict[str, Any], reported: str
) -> None:
    signature = (
        'async def send_mail(to: str, cc: str = ..., x_priority: int = ..., reply_to: str | None = ...) -> Any: ...'
    )
    assert _refusal(_MAIL, *args, **kwargs) == f'{reported}\n{signature}'


def test_additional_keywords_pass_unless_the_schema_excludes_them() -> None:
    silent, open_, closed = (
        _function({}),
        _function({}, additionalProperties=True),
        _function({}, additionalProperties=False),
    )
    assert silent.arguments([], {'a': 1}) == open_.arguments([], {'a': 1}) == {'a': 1}
    assert _refusal(closed, a=1).splitlines()[0] == snapshot("send_mail() has no parameter 'a'")


def test_a_variadic_parameter_takes_the_remaining_positional_arguments() -> None:
    schema = {
        'type': 'object',
        'properties': {'first': {'type': 'string'}, 'rest': {'type': 'array', 'items': {'type': 'integer'}}},
        'required': ['first'],
    }
    function = Catalog([ToolSpec('join', schema, variadic='rest')]).of('join')
    assert function.signature == snapshot('async def join(first: str, *rest: int) -> Any: ...')
    assert function.arguments(['a', 1, 2], {}) == {'first': 'a', 'rest': [1, 2]}


def _source(function: ToolFunction, arguments: dict[str, Any]) -> str:
    """Return the call as a model would write it: keywords for identifiers, the rest in a dictionary."""
    named = {parameter.key: parameter.name for parameter in function.parameters}
    keywords = [f'{named[key]}={value!r}' for key, value in arguments.items() if key in named]
    others = {key: value for key, value in arguments.items() if key not in named}
    return f'call({", ".join([*keywords, f"**{others!r}"])})'


@settings(max_examples=15)
@given(argument_schemas, st.data())
def test_arguments_written_as_a_call_survive_the_round_trip(schema: Any, data: st.DataObject) -> None:
    function = next(iter(Catalog([ToolSpec('tool', schema)])))
    scalars = st.one_of(st.booleans(), st.integers(), st.text(max_size=3))
    arguments = {
        parameter.key: data.draw(scalars)
        for parameter in function.parameters
        if parameter.required or data.draw(st.booleans())
    }
    seen: list[dict[str, Any]] = []

    def call(*args: Any, **kwargs: Any) -> None:
        seen.append(function.arguments(args, kwargs))

    eval(_source(function, arguments), {'call': call})
    assert json.dumps(seen[0], sort_keys=True) == json.dumps(arguments, sort_keys=True)


@settings(max_examples=40)
@given(st.lists(names, unique=True, max_size=6), st.data())
def test_every_parameter_can_be_passed_by_position_and_by_name(keys: list[str], data: st.DataObject) -> None:
    required = [key for key in keys if data.draw(st.booleans())]
    function = _function({key: {'type': 'string'} for key in keys}, required)
    ordered = [parameter.key for parameter in function.parameters]
    assert sorted(ordered) == sorted(keys)
    assert function.arguments(ordered, {}) == {key: key for key in keys}
    assert function.arguments([], {parameter.name: parameter.key for parameter in function.parameters}) == {
        key: key for key in keys
    }
