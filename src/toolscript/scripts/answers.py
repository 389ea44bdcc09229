"""What a model gets back for a snippet."""

from collections.abc import Collection, Iterable
from typing import Any

import pydantic_core
from pydantic_ai import ModelRetry, ToolReturn
from pydantic_ai.messages import UserContent

from toolscript.discovery.discoveries import DISCOVERED_KEY, SIGNED_KEY
from toolscript.observability.script_calls import CALLS_KEY, FAILED_KEY, ScriptCall, calls_to_json
from toolscript.results.values import holds_files
from toolscript_sandbox import Completed, Failed, view
from toolscript_signatures import with_visible

from .dispatch import Dispatcher
from .feedback import OBSERVED_KEY, News, shows
from .speculation import EarlyCalls

GIVEN = 'The final answer was given.'


def answer(
    outcome: Completed,
    dispatcher: Dispatcher[Any],
    found: Iterable[str],
    *,
    news: News,
    calls: list[ScriptCall],
    failed: Collection[dict[str, Any]],
    max_chars: int,
) -> ToolReturn[Any]:
    """The result of a snippet that ran to its end.

    The model gets the value, capped at `max_chars` characters of JSON, what was printed, and the news. The metadata,
    which only the application sees, holds the code as the model wrote it and as it ran, its fixes, the nested calls,
    those of the snippets that `failed` before it, and the tools found.
    """
    given = dispatcher.given.answer
    value = GIVEN if given is not None and outcome.value is None else _value(outcome, dispatcher, max_chars)
    whole = {name for name in news.shapes if shows(value, dispatcher.seen.get(name))}
    # Beside other things a file would not reach the model as a file.
    shapes = {name: text for name, text in news.shapes.items() if name not in whole and not holds_files(value)}
    returned = dispatcher.returned
    tools = [name for call_id in sorted(returned) for name in returned[call_id].tools]
    return ToolReturn(
        return_value=_result(outcome, dispatcher, value, news, '\n\n'.join(shapes.values()), max_chars),
        content=_contents(dispatcher) or None,
        metadata={
            'code': outcome.code,
            'executed_code': outcome.executed_code,
            'fixes': list(outcome.fixes),
            CALLS_KEY: calls_to_json(calls),
            **({FAILED_KEY: list(failed)} if failed else {}),
            DISCOVERED_KEY: list(found),
            SIGNED_KEY: list(news.signed),
            OBSERVED_KEY: [*news.told, *shapes, *sorted(whole)],
            **({} if given is None else given.to_metadata()),
            **_early(dispatcher.early),
        },
        tools=tools or None,
    )


def retry(outcome: Failed, *advice: str) -> ModelRetry:
    """What the model is told of a snippet that failed, so that it can write a better one."""
    parts = [outcome.error.message, *advice]
    if outcome.stdout:
        parts.append(f'Printed before that:\n{outcome.stdout[-2000:]}')
    return ModelRetry(with_visible('\n\n'.join(parts)))


def _value(outcome: Completed, dispatcher: Dispatcher[Any], max_chars: int) -> Any:
    value = dispatcher.files.restored(outcome.value)
    return value if holds_files(value) else _capped(value, outcome.name, max_chars)


def _result(outcome: Completed, dispatcher: Dispatcher[Any], value: Any, news: News, shapes: str, room: int) -> Any:
    """The value alone, or among what else there is to read."""
    changes = [*dispatcher.changes, *(f'the result: {change}' for change in outcome.changes)]
    told: dict[str, Any] = {'stdout': _capped(outcome.stdout, None, room)} if outcome.stdout else {}
    told |= {'changed': changes[:_CHANGES]} if changes else {}
    texts = {'new_functions': news.functions, 'observed': shapes, 'file': news.file, 'variables': news.variables}
    more = {key: text for key, text in texts.items() if text}
    if told and not more and outcome.value is None:
        return told
    return {**told, 'result': value, **more} if told or more else value


_CHANGES = 10


def is_cut(value: Any, max_chars: int) -> bool:
    """Whether a result is too large to be shown whole."""
    return (len(value) if isinstance(value, str) else len(pydantic_core.to_json(value))) > max_chars


def _capped(value: Any, name: str | None, max_chars: int) -> Any:
    return view(value, max_chars=max_chars, name=name) if is_cut(value, max_chars) else value


def _contents(dispatcher: Dispatcher[Any]) -> list[UserContent]:
    contents: list[UserContent] = []
    for call_id in sorted(dispatcher.returned):
        content = dispatcher.returned[call_id].content
        if content is not None:
            contents += [content] if isinstance(content, str) else content
    return contents


def _early(early: EarlyCalls[Any] | None) -> dict[str, Any]:
    """The reads that were started for nothing."""
    unused = [] if early is None else early.unused
    told = [{'tool': call.part.tool_name, 'args': call.part.args, 'status': call.status} for call in unused]
    return {'unused_speculations': told} if told else {}
