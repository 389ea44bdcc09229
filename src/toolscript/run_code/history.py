"""The `run_code` calls in a message history, by the name that the model knows, which toolsets may have changed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, NamedTuple

from pydantic_ai import ToolReturn
from pydantic_ai.messages import ModelMessage, ToolCallPart, ToolReturnPart, post_compaction_window

from toolscript.guards import fields, items, parts_of
from toolscript.results.values import holds_files

from .prompt import SINGLE_CALLS


class HistorySnippet(NamedTuple):
    """A `run_code` call in a history."""

    id: str
    code: str
    repeat: int
    """How many calls before it had the same id, because some models count from zero in each turn."""


def snippets_until(messages: Sequence[ModelMessage], run_code_id: str, name: str) -> list[HistorySnippet]:
    """Return the `run_code` calls before the last one with the id; all of them if there is none."""
    seen = Counter[str]()
    made = list[HistorySnippet]()
    for call in _calls(messages, name):
        made.append(HistorySnippet(call.tool_call_id, code_of(call) or '', seen[call.tool_call_id]))
        seen[call.tool_call_id] += 1
    numbers = [number for number, snippet in enumerate(made) if snippet.id == run_code_id]
    return made[: numbers[-1]] if numbers else made


def codes_that_ended(messages: Sequence[ModelMessage], name: str) -> list[str]:
    """Return the scripts that ran to their end, as they ran."""
    return [code for part in _returns(messages, name) if isinstance(code := fields(part.metadata).get('code'), str)]


def codes_that_ran(messages: Sequence[ModelMessage], name: str) -> list[str]:
    """Return the scripts that ran to their end, as they ran, and those that were denied halfway."""
    denied = {part.tool_call_id for part in _returns(messages, name) if part.outcome in ('denied', 'failed')}
    return [
        *codes_that_ended(messages, name),
        *(code_of(call) or '' for call in _calls(messages, name) if call.tool_call_id in denied),
    ]


def _returns(messages: Sequence[ModelMessage], name: str) -> list[ToolReturnPart]:
    return [part for part in parts_of(messages, ToolReturnPart) if part.tool_name == name]


def _calls(messages: Sequence[ModelMessage], name: str) -> list[ToolCallPart]:
    return [part for part in parts_of(messages, ToolCallPart) if part.tool_name == name]


def code_of(call: ToolCallPart) -> str | None:
    """Return the code that the model sent; `None` if its arguments have none, or are not JSON."""
    try:
        code = call.args_as_dict().get('code')
    except ValueError:
        return None
    return code if isinstance(code, str) else None


BESIDE_RESULT = frozenset(['stdout', 'changed', 'new_functions', 'observed', 'file', 'variables'])
"""Keys next to a result, in the answer to a script."""


def result_in(answer: object) -> tuple[object, Mapping[str, object]]:
    """Return the result in an answer to a script, and what the model read next to it."""
    found = fields(answer)
    if BESIDE_RESULT.isdisjoint(found) or not found.keys() <= BESIDE_RESULT | {'result'}:
        return answer, {}
    return found.get('result'), {key: value for key, value in found.items() if key != 'result'}


def hinted(result: ToolReturn[Any], messages: Sequence[ModelMessage], name: str, after: int | None) -> ToolReturn[Any]:
    """Return the result of a script, with a hint if it is one more of `after` in a row that made one call.

    The hint is repeated after every further `after` of them, and never given if `after` is `None`.
    """
    if after is None or _call_count(result.metadata) != 1 or holds_files(result.return_value):
        return result
    row = 1 + _consecutive_single_calls(messages, name)
    if row % after:
        return result
    return replace(result, return_value={'result': result.return_value, 'hint': SINGLE_CALLS.format(count=row)})


def _consecutive_single_calls(messages: Sequence[ModelMessage], name: str) -> int:
    """Return how many of the latest scripts made one call each, ignoring those that failed."""
    returns = reversed(_returns(post_compaction_window(messages), name))
    counts = (_call_count(part.metadata) for part in returns if part.metadata is not None)
    return len([*takewhile(lambda count: count == 1, counts)])


def _call_count(metadata: object) -> int:
    return len(items(fields(metadata).get('tool_calls')))
