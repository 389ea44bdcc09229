"""A call that a script made, as data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError, with_config
from pydantic_ai.messages import ModelMessage, ToolReturnPart

from toolscript.guards import fields, items
from toolscript.results.kept_json import JSON
from toolscript_sandbox import Status

Decision: TypeAlias = Literal['approved', 'changed', 'denied', 'answered']
"""What was decided about a call: `'changed'`, it was approved with other arguments; `'answered'`, its result came from
outside."""

CALLS_KEY = 'tool_calls'
"""Where the metadata of a `run_code` return holds the calls of its script."""
FAILED_KEY = 'failed_scripts'
"""Where it holds the scripts that failed since the return before it, which have none of their own."""


@with_config(JSON)
@dataclass(frozen=True, kw_only=True)
class ScriptCall:
    """A call that a script made."""

    tool_call_id: str
    """`{run_code_id}__{n}`, n counting the script's calls from 1."""
    tool_name: str
    """The tool's own name."""
    function: str
    """The name that the script called it by."""
    status: Status
    """`'running'`: it was in flight when the script ended, so what it did is unknown."""
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    """As the tool got them; one that is too long to be kept is told by its shape."""
    result: Any = None
    """What the script got, JSON-able: whole up to about 2,000 characters, otherwise a text about its shape and size."""
    truncated: bool = False
    """Whether `result` is only a part or the shape of it."""
    error: str | None = None
    """Of a call that failed: the exception's type and message, as the script got it."""
    seconds: float | None = None
    """How long it took, by the clock; `None` where nobody knows, as of calls of a process that died."""
    line: int | None = None
    """The line of the model's code that made it."""
    reused: bool = False
    """Whether it had run before, in a script that failed or in a process that died, and was not run again."""
    speculative: bool = False
    """Whether it had started while the model still wrote the script."""
    decision: Decision | None = None
    """What somebody, or a rule, decided about it, if it had to be asked for; `None` also if the process died since."""
    metadata: Any = None
    """That of the `ToolReturn` which the tool gave, if it gave one."""

    @property
    def run_code_id(self) -> str:
        """The `run_code` call whose script made it."""
        return self.tool_call_id.rpartition('__')[0]

    def to_json(self) -> dict[str, Any]:
        """As JSON, without what is as always."""
        return calls_to_json([self])[0]


def calls_to_json(calls: list[ScriptCall]) -> list[dict[str, Any]]:
    """Calls as JSON, without what is as always."""
    return _all.dump_python(calls, exclude_defaults=True)


def script_calls(messages: Sequence[ModelMessage]) -> list[ScriptCall]:
    """All calls that scripts made, in the order of their scripts and within them as they were made.

    Args:
        messages: Any message history, as `result.all_messages()` gives it or as it was loaded from JSON. Calls of a
            script that failed are told with the next one of its run that came to its end.
    """
    returns = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    return [call for part in returns for entry in _entries(part) for call in _read(entry)]


def _entries(part: ToolReturnPart) -> Iterator[object]:
    metadata = fields(part.metadata)
    for failed in items(metadata.get(FAILED_KEY)):
        yield from items(fields(failed).get(CALLS_KEY))
    yield from items(metadata.get(CALLS_KEY))


def _read(entry: object) -> Iterator[ScriptCall]:
    try:
        yield _adapter.validate_python(entry)
    except ValidationError:
        # Other tools have metadata too, and other versions other entries.
        return


_adapter = TypeAdapter(ScriptCall)
_all = TypeAdapter(list[ScriptCall], config=JSON)
