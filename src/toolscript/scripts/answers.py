"""The result of a snippet as the model gets it."""

from collections.abc import Collection, Iterable
from itertools import islice
from typing import Any

import pydantic_core
from pydantic_ai import ModelRetry, ToolReturn
from pydantic_ai.messages import UserContent

from toolscript.discovery.discoveries import DISCOVERED_KEY, SIGNED_KEY
from toolscript.guards import is_array, is_object
from toolscript.observability.script_calls import CALLS_KEY, FAILED_KEY, ScriptCall, calls_to_json
from toolscript.results.values import ReturnExtras, holds_files
from toolscript_sandbox import Completed, Failed, quoted, truncate
from toolscript_signatures import with_visible

from .feedback import OBSERVED_KEY, News, shows
from .nested_call import ScriptContext
from .speculation import Speculations

GIVEN = 'The final answer was given.'


def answer(
    outcome: Completed,
    script: ScriptContext[Any],
    found: Iterable[str],
    *,
    news: News,
    calls: list[ScriptCall],
    speculations: Speculations[Any] | None,
    failed: Collection[dict[str, Any]],
    max_chars: int,
) -> ToolReturn[Any]:
    """Returns the result of a snippet that ran to its end.

    The model gets the value, capped at `max_chars` characters of JSON, the printed text, and the news. The metadata,
    which only the application sees, has the code as the model wrote it and as it ran, its fixes, the nested calls,
    those of the snippets that `failed` before it, and the tools found.
    """
    given = script.state.output
    value = GIVEN if given is not None and outcome.value is None else _value(outcome, script, max_chars)
    whole = {name for name in news.shapes if shows(value, script.seen.get(name))}
    # Inside a larger result, a file would not reach the model as a file.
    shapes = {name: text for name, text in news.shapes.items() if name not in whole and not holds_files(value)}
    returned = script.state.returned
    tools = [name for one in returned.values() for name in one.tools]
    return ToolReturn(
        return_value=_result(outcome, script, value, news, '\n\n'.join(shapes.values()), max_chars),
        content=_contents(returned.values()) or None,
        metadata={
            'code': outcome.code,
            'executed_code': outcome.executed_code,
            'fixes': list(outcome.fixes),
            CALLS_KEY: calls_to_json(calls),
            **({FAILED_KEY: list(failed)} if failed else {}),
            DISCOVERED_KEY: list(found),
            SIGNED_KEY: list(news.signed),
            OBSERVED_KEY: [*news.shown_shapes, *shapes, *sorted(whole)],
            **({} if given is None else given.to_metadata()),
            **_unused(speculations),
        },
        tools=tools or None,
    )


def retry(outcome: Failed, *advice: str) -> ModelRetry:
    """Returns the error of a failed script, for the model to write a better one."""
    parts = [outcome.error.message, *advice]
    if outcome.stdout:
        parts.append(f'Printed before that:\n{quoted(outcome.stdout[-2000:])}')
    return ModelRetry(with_visible('\n\n'.join(parts)))


def _value(outcome: Completed, script: ScriptContext[Any], max_chars: int) -> Any:
    value = script.state.run.files.restored(outcome.value)
    return value if holds_files(value) else _capped(value, outcome.name, max_chars)


def _result(outcome: Completed, script: ScriptContext[Any], value: Any, news: News, shapes: str, room: int) -> Any:
    """Returns the value alone, or in a dictionary with everything else that there is to read."""
    changes = [*script.changes, *(f'the result: {change}' for change in outcome.changes)]
    extras: dict[str, Any] = {'stdout': _capped(outcome.stdout, None, room)} if outcome.stdout else {}
    extras |= {'changed': changes[:_CHANGES]} if changes else {}
    texts = {'new_functions': news.functions, 'observed': shapes, 'file': news.file, 'variables': news.variables}
    more = {key: text for key, text in texts.items() if text}
    if extras and not more and outcome.value is None:
        return extras
    is_alone = not extras and not more and not (is_object(value) and _KEYS.intersection(value))
    return value if is_alone else {**extras, 'result': value, **more}


_KEYS = frozenset(['stdout', 'changed', 'result', 'new_functions', 'observed', 'file', 'variables'])
"""Keys next to a result. A value with one of them is shown under `result`, so that it cannot pass for them."""


_CHANGES = 10


def is_cut(value: Any, max_chars: int) -> bool:
    """Returns whether a result is too large to be shown whole."""
    if isinstance(value, str):
        return len(value) > max_chars
    # Serializing all of a large result would block the event loop.
    return _least_chars(value, max_chars) > max_chars or len(pydantic_core.to_json(value, fallback=str)) > max_chars


def _least_chars(value: Any, most: int) -> int:
    """Returns a lower bound of the length of a value's JSON; the count stops above `most`."""
    chars, waiting = 0, [value]
    while waiting and chars <= most:
        part = waiting.pop()
        if isinstance(part, str):
            chars += len(part)
        elif is_object(part) or is_array(part):
            chars += 2 + len(part)
            waiting += islice(part.values() if is_object(part) else part, most)
    return chars


def _capped(value: Any, name: str | None, max_chars: int) -> Any:
    return truncate(value, max_chars=max_chars, name=name) if is_cut(value, max_chars) else value


def _contents(returned: Iterable[ReturnExtras]) -> list[UserContent]:
    contents: list[UserContent] = []
    for one in returned:
        if one.content is not None:
            contents += [one.content] if isinstance(one.content, str) else one.content
    return contents


def _unused(speculations: Speculations[Any] | None) -> dict[str, Any]:
    unused = [] if speculations is None else speculations.unused
    rows = [{'tool': call.part.tool_name, 'args': call.part.args, 'status': call.status} for call in unused]
    return {'unused_speculations': rows} if rows else {}
