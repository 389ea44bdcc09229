"""The results of calls, as each wire shows them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.providers.json_values import mappings, text
from tests.providers.loopback import Request
from toolscript.guards import fields, is_array

_FAILURES = ('Fix the errors and try again.', 'The tool call was denied.')


@dataclass(frozen=True)
class Result:
    texts: tuple[str, ...]
    """Usually one text; lists reach Anthropic item by item."""
    failed: bool

    @property
    def text(self) -> str:
        return '\n'.join(self.texts)

    def value(self, *, is_list: bool) -> object:
        """Return the JSON value of the result. `is_list` tells a list of one item from the item."""
        values = [_parsed(text) for text in self.texts]
        if len(values) == 1 and (not is_list or is_array(values[0])):
            return values[0]
        return values


def results_of(request: Request) -> Mapping[str, Result]:
    return dict(_anthropic(request) if request.wire == 'anthropic' else _openai(request))


def _anthropic(request: Request) -> Iterator[tuple[str, Result]]:
    for message in mappings(request.body.get('messages')):
        for block in mappings(message.get('content')):
            if block.get('type') == 'tool_result':
                content = block.get('content')
                texts = [content] if isinstance(content, str) else [text(one.get('text')) for one in mappings(content)]
                yield text(block.get('tool_use_id')), _result(texts, block.get('is_error') is True)


def _openai(request: Request) -> Iterator[tuple[str, Result]]:
    for item in mappings(request.body.get('input')):
        if item.get('type') == 'function_call_output':
            output = text(item.get('output'))
            error = fields(_parsed(output)).get('error') if output.startswith('{"error":') else None
            yield text(item.get('call_id')), _result([str(error or output)], error is not None)


def _result(texts: list[str], failed: bool) -> Result:
    return Result(tuple(texts), failed or any(words in one for words in _FAILURES for one in texts))


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return text
