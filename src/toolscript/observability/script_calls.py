"""The calls of scripts, as data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import TypeAdapter, ValidationError, with_config
from pydantic_ai.messages import ModelMessage, ToolReturnPart

from toolscript.guards import fields, is_array, is_object, items, parts_of, strings
from toolscript.stored_json import JSON
from toolscript_sandbox import Status, infer_shape

Decision: TypeAlias = Literal['approved', 'changed', 'denied', 'answered']
"""The decision about a call: `'changed'` means approved with other arguments, `'answered'` that its result came from
outside."""

CALLS_KEY = 'tool_calls'
"""The key in the metadata of a `run_code` return for the calls of its script."""
FAILED_KEY = 'failed_scripts'
"""The key for the scripts that failed since the previous return, because these have no return of their own."""
UNDONE_KEY = 'undone_calls'
"""The key in both, and in the metadata of an `undo_script` return, for the ids of calls that were undone."""


@with_config(JSON)
@dataclass(frozen=True, kw_only=True)
class ScriptCall:
    """A call that a script made."""

    tool_call_id: str
    """`{run_code_id}__{n}`, where n counts the script's calls from 1."""
    tool_name: str
    """The tool's own name."""
    function: str
    """The name that the script used."""
    status: Status
    """`'running'`: it was in flight when the script ended, so its outcome is unknown."""
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    """The arguments that the tool got; long values are replaced by their shape."""
    result: Any = None
    """What the script got, JSON-able: whole up to about 2,000 characters, otherwise a text about its shape and size."""
    truncated: bool = False
    """Whether `result` is only a part or the shape of the result."""
    error: str | None = None
    """The type and message of the exception of a failed call, as the script got it."""
    seconds: float | None = None
    """How long it took; `None` if unknown, for example for calls of a process that died."""
    line: int | None = None
    """The line of the model's code that made it."""
    reused: bool = False
    """Whether it ran earlier, in a script that failed or a process that died, and was not repeated."""
    speculative: bool = False
    """Whether it started while the model was writing the script."""
    decision: Decision | None = None
    """The decision of a person or rule, if it needed one; `None` also if the process has died since."""
    origins: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """By argument, the calls and variables that it comes from, if `Flows` tracks data."""
    row: str | None = None
    """The row of the plan that it used up: `'2.3'` is row 3 of the plan of the script's second pause."""
    undone: bool = False
    """Whether it was undone, according to the history."""
    metadata: Any = None
    """The metadata of the `ToolReturn` that the tool returned, if it returned one."""

    @property
    def run_code_id(self) -> str:
        """The `run_code` call whose script made it."""
        return self.tool_call_id.rpartition('__')[0]

    def to_json(self) -> dict[str, Any]:
        """Return the call as JSON, without default values."""
        return calls_to_json([self])[0]


def calls_to_json(calls: list[ScriptCall]) -> list[dict[str, Any]]:
    return _all.dump_python(calls, exclude_defaults=True)


def script_calls(messages: Sequence[ModelMessage]) -> list[ScriptCall]:
    """Return all calls that scripts made, in the order of their scripts and of the calls in each.

    Args:
        messages: Any message history, from `result.all_messages()` or loaded from JSON. Calls of a
            failed script are stored with the next script of its run that ended.
    """
    return [call for _, scripts in scripts_by_return(messages) for script in scripts for call in script.calls]


class RecordedScript(NamedTuple):
    calls: list[ScriptCall]
    id: str
    """The id of its `run_code` call, if it failed before the script whose return records it."""


def scripts_by_return(messages: Sequence[ModelMessage]) -> list[tuple[ToolReturnPart, list[RecordedScript]]]:
    """Return each tool return with the scripts that it records: those that failed before it, and its own."""
    returns = [(part, _scripts(fields(part.metadata))) for part in parts_of(messages, ToolReturnPart)]
    every = [script for _, scripts in returns for script in scripts]
    # `undo_script` names calls of any script; a script names its own, because some models repeat ids.
    later = {one for script in every if CALLS_KEY not in script for one in strings(script.get(UNDONE_KEY))}
    return [(part, [_recorded(script, later) for script in scripts]) for part, scripts in returns]


def _recorded(script: Mapping[str, object], later: set[str]) -> RecordedScript:
    undone = later.union(strings(script.get(UNDONE_KEY)))
    found = (call for entry in items(script.get(CALLS_KEY)) for call in _read(entry))
    calls = [replace(call, undone=True) if call.tool_call_id in undone else call for call in found]
    return RecordedScript(calls, str(script.get('tool_call_id')))


def _scripts(metadata: Mapping[str, object]) -> list[Mapping[str, object]]:
    return [*map(fields, items(metadata.get(FAILED_KEY))), metadata]


def _read(entry: object) -> Iterator[ScriptCall]:
    try:
        yield _adapter.validate_python(entry)
    except ValidationError:
        # Other tools have metadata too, and other versions other entries.
        return


_adapter = TypeAdapter(ScriptCall)
_all = TypeAdapter(list[ScriptCall], config=JSON)


ROOM = 200_000
"""About how many characters of JSON are recorded of one script."""


@dataclass
class Logged:
    tool_name: str
    arguments: dict[str, Any]
    result: Any = None
    truncated: bool = False
    seconds: float | None = None
    decision: Decision | None = None
    reused: bool = False
    speculative: bool = False
    origins: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    row: str | None = None


@dataclass
class CallLog:
    """All calls, by number. Its size is limited, however many calls there are and whatever they return."""

    calls: dict[int, Logged] = field(default_factory=dict[int, Logged])
    room: int = ROOM
    stdout_chars: int = 0
    """How many characters of its stdout were emitted as events."""

    def begins(self, number: int, tool_name: str, arguments: dict[str, Any]) -> Logged:
        """Record the start of a call, perhaps not the first one."""
        self.calls[number] = Logged(tool_name, self._shown(arguments))
        return self.calls[number]

    def decided(self, logged: Logged, decision: Decision, arguments: dict[str, Any] | None) -> None:
        logged.decision = decision
        if arguments is not None:
            logged.arguments = self._shown(arguments)

    def gives(self, logged: Logged, value: Any) -> None:
        logged.result, logged.truncated = self._recorded(value)

    def _shown(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return {name: self._recorded(value)[0] for name, value in arguments.items()}

    def _recorded(self, value: Any) -> tuple[Any, bool]:
        if type(value) in FLAT and self.room >= FLAT_CHARS:
            self.room -= FLAT_CHARS
            return value, False
        seen = preview(value, min(MAX_CHARS, self.room))
        self.room -= min(self.room, seen.chars)
        return seen.value, seen.truncated


MAX_CHARS = 2_000
"""About how long the JSON of a value may be to be shown whole."""


class ValuePreview(NamedTuple):
    """A value in a form that may be shown."""

    value: Any
    """The value; if it is too long, its shape or its beginning, as text."""
    truncated: bool
    chars: int
    """About how many characters are shown."""


def preview(value: Any, max_chars: int = MAX_CHARS) -> ValuePreview:
    """Return the value, or a text about it. Never examines more of it than fits."""
    chars = _chars(value, max_chars)
    if chars <= max_chars:
        return ValuePreview(value, False, chars)
    text = f'{value[: max_chars // 4]}... ({len(value):,} characters)' if isinstance(value, str) else infer_shape(value)
    text = text[:max_chars]
    return ValuePreview(text, True, len(text))


def _chars(value: Any, max_chars: int) -> int:
    """Return the approximate length of a value as text; the count stops above `max_chars`."""
    chars, waiting = 0, [value]
    while waiting and chars <= max_chars:
        part = waiting.pop()
        if isinstance(part, (str, bytes)):
            chars += len(part) + 2
            continue
        chars += FLAT_CHARS
        # Each part has at least two characters, so there is no need to examine more of them.
        if type(part) in FLAT:
            continue
        if is_object(part):
            chars += sum(map(len, part)) + 4 * len(part)
            waiting += islice(part.values(), max_chars)
        elif is_array(part):
            waiting += islice(part, max_chars)
    return chars


FLAT = frozenset[type[Any]]([int, float, bool, type(None)])
FLAT_CHARS = 5
"""About how many characters one of these has as text."""
