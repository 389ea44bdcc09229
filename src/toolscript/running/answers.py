"""What a model gets back for a snippet."""

from collections.abc import Iterable, Sequence
from typing import Any

import pydantic_core
from pydantic_ai import ModelRetry, ToolReturn
from pydantic_ai.messages import UserContent

from toolscript.discovery.discoveries import DISCOVERED_KEY, SIGNED_KEY
from toolscript.results.values import holds_files
from toolscript_sandbox import CallRecord, Completed, Failed, view

from .dispatch import Dispatcher


def answer(
    outcome: Completed,
    dispatcher: Dispatcher[Any],
    found: Iterable[str],
    *,
    news: tuple[Sequence[str], str],
    max_chars: int,
) -> ToolReturn[Any]:
    """The result of a snippet that ran to its end.

    The model gets the value, capped at `max_chars` characters of JSON, what was printed, and the signatures of newly
    found functions where `news` tells some (their names, their text). The metadata, which only the application sees,
    holds the code as the model wrote it and as it ran, its repairs, the nested calls and the tools found.
    """
    names, signatures = news
    result = _result(outcome, dispatcher, max_chars)
    returned = dispatcher.returned
    tools = [name for call_id in sorted(returned) for name in returned[call_id].tools]
    return ToolReturn(
        return_value={'result': result, 'new_functions': signatures} if signatures else result,
        content=_contents(dispatcher) or None,
        metadata={
            'code': outcome.code,
            'ran': outcome.ran,
            'repairs': list(outcome.repairs),
            'tool_calls': [_record(record, dispatcher) for record in outcome.calls],
            DISCOVERED_KEY: list(found),
            SIGNED_KEY: list(names),
        },
        tools=tools or None,
    )


def retry(outcome: Failed, *advice: str) -> ModelRetry:
    """What the model is told of a snippet that failed, so that it can write a better one."""
    parts = [outcome.error.message, *advice]
    if outcome.printed:
        parts.append(f'Printed before that:\n{outcome.printed[-2000:]}')
    return ModelRetry('\n\n'.join(parts))


def _result(outcome: Completed, dispatcher: Dispatcher[Any], max_chars: int) -> Any:
    value = dispatcher.files.restored(outcome.value)
    shown = value if holds_files(value) else _capped(value, outcome.name, max_chars)
    changes = [*dispatcher.changes, *(f'the result: {change}' for change in outcome.changes)]
    if not outcome.printed and not changes:
        return shown
    told: dict[str, Any] = {'printed': _capped(outcome.printed, None, max_chars)} if outcome.printed else {}
    told |= {'changed': changes[:_CHANGES]} if changes else {}
    return told if outcome.value is None else {**told, 'result': shown}


_CHANGES = 10


def _capped(value: Any, name: str | None, max_chars: int) -> Any:
    size = len(value) if isinstance(value, str) else len(pydantic_core.to_json(value))
    return value if size <= max_chars else view(value, max_chars=max_chars, name=name)


def _contents(dispatcher: Dispatcher[Any]) -> list[UserContent]:
    contents: list[UserContent] = []
    for call_id in sorted(dispatcher.returned):
        content = dispatcher.returned[call_id].content
        if content is not None:
            contents += [content] if isinstance(content, str) else content
    return contents


def _record(record: CallRecord, dispatcher: Dispatcher[Any]) -> dict[str, Any]:
    returned = dispatcher.returned.get(record.call.id)
    entry: dict[str, Any] = {
        'tool_call_id': f'{dispatcher.run_code_id}__{record.call.id}',
        'function': record.call.function,
        'args': list(record.call.args),
        'kwargs': record.call.kwargs,
        'status': record.status,
    }
    if record.call.id in dispatcher.once.reused:
        entry['reused'] = True
    if returned is not None and returned.metadata is not None:
        entry['metadata'] = returned.metadata
    return entry
