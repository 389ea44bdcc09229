"""A `run_code` call as a reader may follow it: its code, the calls in it, its pauses, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart

from toolscript.approvals.pause_marks import MadeCall, pauses_before
from toolscript.observability.script_calls import ScriptCall, script_calls
from toolscript.routing.placement import RUN_CODE

from .excerpts import Room
from .transcript import Answer, NestedCall, Ran
from .values import as_json, as_python

_ARGUMENT = 2_000


@dataclass(frozen=True)
class Scripts:
    """The calls of all scripts in a history."""

    calls: Mapping[str, Sequence[ScriptCall]] = field(default_factory=dict[str, Sequence[ScriptCall]])
    """By the id of the `run_code` call."""

    @classmethod
    def of(cls, messages: Sequence[ModelMessage]) -> 'Scripts':
        """Those of these messages."""
        found: dict[str, list[ScriptCall]] = {}
        for call in script_calls(messages):
            found.setdefault(call.run_code_id, []).append(call)
        return cls(found)

    def told(self, response: ModelResponse, part: ToolCallPart, answer: Answer | None, room: Room) -> Ran | None:
        """The script that a call sends; `None` where it sends none."""
        made = MadeCall(response, part)
        code = made.code
        calls = self.calls.get(part.tool_call_id, ())
        # Whatever else takes code is no script, and an application may call `run_code` by another name.
        if code is None or not (part.tool_name.endswith(RUN_CODE) or calls or made.mark):
            return None
        options = {name: value for name, value in part.args_as_dict().items() if name != 'code'}
        most = room.bounds.calls
        return Ran(
            tool_name=part.tool_name,
            code=room.excerpt(code),
            options=room.excerpt(as_json(options) if options else ''),
            calls=tuple(_nested(call, room) for call in calls[:most]),
            more_calls=max(0, len(calls) - most),
            pauses=pauses_before(made.mark),
            answer=answer,
        )


def _nested(call: ScriptCall, room: Room) -> NestedCall:
    arguments = [(name, room.excerpt(as_python(value), _ARGUMENT)) for name, value in call.arguments.items()]
    result = call.result if call.truncated and isinstance(call.result, str) else as_python(call.result)
    return NestedCall(
        function=call.function,
        arguments=tuple(arguments),
        status=call.status,
        result=room.excerpt(result if call.status == 'finished' else ''),
        truncated=call.truncated,
        error=None if call.error is None else room.excerpt(call.error),
        seconds=call.seconds,
        line=call.line,
        reused=call.reused,
        speculative=call.speculative,
        decision=call.decision,
    )
