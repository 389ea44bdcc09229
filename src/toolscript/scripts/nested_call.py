"""The calls of scripts, their results, and the type of the links that they pass."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeAlias

from opentelemetry import trace
from pydantic_ai import RunContext
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import AgentDepsT, DeferredToolResult, ToolApproved, ToolDefinition, ToolDenied

from toolscript.approvals.grants import Use
from toolscript.approvals.pending import FIRST_READ, PendingCall, PendingKind, digest
from toolscript.catalog.result_shapes import ResultShapes
from toolscript.durability.changes import Changes
from toolscript.durability.journal import CallEntry, Journal, Outcome, Started
from toolscript.durability.script_state import ScriptState
from toolscript.observability.script_calls import Decision
from toolscript.results.tool_errors import ToolErrors, report_abandoned
from toolscript.routing.effects import Effect, destructive_of, effect_of, may_run_again, read_only_of
from toolscript.routing.placement import SEARCH_IN_CODE
from toolscript.routing.rules import server_of
from toolscript.run_code.code_output import AnswerTool
from toolscript.run_code.functions import CodeFunctions
from toolscript.workflows import temporal_workflow
from toolscript_sandbox import Call, Limits, ToolError, Tracing
from toolscript_signatures import ToolFunction

if TYPE_CHECKING:
    from toolscript.flows.script_flows import ScriptFlows
    from toolscript.sessions.files import BinaryFiles
    from toolscript.sessions.functions_in_run import Saving

Kind: TypeAlias = Literal['tool', 'search', 'output', 'refused']
Source: TypeAlias = Literal['tool', 'speculation', 'cache', 'decision', 'output', 'search', 'refusal']
"""The link that answered a call. `'tool'`: the call was passed to pydantic-ai, whatever its outcome."""


class Result(NamedTuple):
    outcome: Outcome
    source: Source
    error: Exception | None = None
    """The error that ends the run, once the outcome is recorded."""
    span: trace.SpanContext | None = None
    """The span of the tool, if it ran before the script."""


class Callee(NamedTuple):
    """A function that a script has called, and the tool behind it: shared by all calls of it."""

    function: ToolFunction
    tool_def: ToolDefinition
    may_run_again: bool
    """Whether a second identical call does no harm."""
    effect: Effect
    is_deferred: bool
    """Whether the model must find it first: a script that calls it has found it."""
    output: AnswerTool[Any] | None
    """The output tool, if the function gives the output of the run."""

    @property
    def only_reads(self) -> bool:
        return self.may_run_again and self.effect == 'reads'


@dataclass(eq=False)
class NestedCall:
    """A call of a script, on its way to a tool."""

    call: Call
    """The call as the script made it."""
    part: ToolCallPart
    """The call as the agent knows it: the tool's own name, JSON arguments, an id below that of the script."""
    callee: Callee | None = None
    """`None` for a search, and for a refused call."""
    refusal: ToolError | None = None
    """The reason why it reaches no tool."""
    approval: ToolApproved | None = None
    """The approval, if the tool waited for one."""
    decision: Decision | None = None
    changed_arguments: dict[str, Any] | None = None
    """The arguments of the approval, if they differ."""
    metadata: dict[str, Any] | None = None
    """The metadata that the application passes to the tool with its decision."""
    reached: bool = False
    origins: dict[str, list[str]] | None = None
    """The origins of each argument, if flows are tracked."""
    row: str | None = None
    """The place of the row of a plan that it uses up."""
    use: Use | None = None
    """What it uses of an approval that does not cover it alone."""
    change: str | None = None
    """Its place among the changes in the store."""

    id: str = field(init=False)
    """The id under which the agent knows it."""
    number: int = field(init=False)
    """Its position among the calls of the script, from 1."""
    kind: Kind = field(init=False)
    may_run_again: bool = field(init=False)
    """Whether a second identical call does no harm."""

    @property
    def is_read_only(self) -> bool:
        return self.callee is not None and read_only_of(self.callee.tool_def) is True

    @property
    def planned_as(self) -> str | None:
        """The place of its row, if a reviewer was asked about it."""
        is_read = self.row is not None and int(self.row.partition('.')[2]) >= FIRST_READ
        return None if is_read else self.row

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that its tool gets: those of the approval, if they differ."""
        changed = None if self.approval is None else self.approval.override_args
        return self.part.args_as_dict() if changed is None else changed

    def decided(self, decision: DeferredToolResult) -> None:
        match decision:
            case ToolApproved(override_args=arguments):
                self.approval = decision
                self.changed_arguments = None if arguments == self.part.args_as_dict() else arguments
                self.decision = 'approved' if self.changed_arguments is None else 'changed'
            case ToolDenied():
                self.decision = 'denied'
            case _:
                self.decision = 'answered'

    @property
    def needs_approval(self) -> bool:
        return self.callee is not None and self.callee.tool_def.kind == 'unapproved'

    def __post_init__(self) -> None:
        callee, self.id, self.number = self.callee, self.part.tool_call_id, self.call.id
        if callee is None:
            self.kind = 'search' if self.refusal is None else 'refused'
        else:
            self.kind = 'tool' if callee.output is None else 'output'
        self.may_run_again = self.kind != 'tool' or (callee is not None and callee.may_run_again)

    @cached_property
    def digest(self) -> str:
        """Equal only for identical calls. Computed from the arguments at the first access."""
        return digest(self.part.tool_name, self.part.args_as_dict())

    def pending(
        self, kind: PendingKind, tool_def: ToolDefinition, script_id: str, metadata: dict[str, Any] | None
    ) -> PendingCall:
        return PendingCall(
            tool_call_id=self.id,
            tool_name=self.part.tool_name,
            args=self.part.args_as_dict(),
            kind=kind,
            server=server_of(tool_def),
            read_only=read_only_of(tool_def),
            destructive=destructive_of(tool_def),
            metadata=metadata,
            script_id=script_id,
        )

    def entry(self, outcome: Outcome | Started, *, began: int = 0, ended: int = 0) -> CallEntry:
        # Only a journal needs the digest of a call that may run again.
        key = self.digest if not self.may_run_again or 'digest' in self.__dict__ else ''
        call = self.call if ended else None
        return CallEntry(
            key, outcome, self.part.tool_name, call, self.may_run_again, began, ended, self.row, self.use, self.change
        )


Link: TypeAlias = Callable[[NestedCall], Awaitable[Result]]
"""A handler of calls: it answers them or passes them to the next link. An exception ends the run."""


class TooLate(asyncio.CancelledError):
    """The script of the call has ended: the call ends as if it had obeyed its cancellation."""


@dataclass
class RunningCalls:
    """The calls of one script that their tools are working on."""

    calls: dict[str, NestedCall] = field(default_factory=dict[str, NestedCall])
    """By id."""
    is_closed: bool = False
    """Whether the script has ended: what its tools do now starts nothing and is not reported."""

    def check_open(self) -> None:
        """Raise `TooLate` if the script has ended."""
        if self.is_closed:
            raise TooLate

    def close(self, ctx: RunContext[Any], span: trace.Span) -> None:
        """End the script. Calls that still run ignored their cancellation, and are left behind."""
        self.is_closed = True
        # Tools of workflows run elsewhere. When Temporal evicts a workflow, its tasks end in any order.
        for call in () if temporal_workflow() else self.calls.values():
            report_abandoned(call.part.tool_name, ctx, call.id, span)


@dataclass(kw_only=True)
class ScriptContext(Generic[AgentDepsT]):
    """What the links of one script share. It decides which links there are, and how they work."""

    functions: CodeFunctions[AgentDepsT]
    ctx: RunContext[AgentDepsT]
    id: str
    """The id of the `run_code` call."""
    name: str
    """The model's name of `run_code`."""
    state: ScriptState
    limits: Limits
    tool_errors: ToolErrors
    journal: Journal | None
    changes: Changes | None
    """The record of calls that can be undone, if some can."""
    resumed: bool
    """Whether the journal may have entries from before the script resumed."""
    reuse: bool
    """Whether the results of calls of failed scripts are reused."""
    plan: frozenset[str]
    """The tools that the script may call, according to its text."""
    tracing: Tracing | None
    shapes: ResultShapes | None
    saving: 'Saving | None'
    files: 'BinaryFiles | None'
    """The store for the bytes of files, if scripts have a folder for them."""
    flows: 'ScriptFlows | None'
    """The origins of data, if there are rules about them."""
    output_elsewhere: bool
    """Whether another script of the same step gave the output of the run."""
    span: trace.Span = field(default_factory=trace.get_current_span)
    running: RunningCalls = field(default_factory=RunningCalls)
    found: dict[str, None] = field(default_factory=dict[str, None])
    """Deferred tools that this script found, in order."""
    seen: dict[str, Any] = field(default_factory=dict[str, Any])
    """The last result of each tool that the script saw."""
    notes: dict[str, None] = field(default_factory=dict[str, None])
    """Notes on results that could not be serialized unchanged, by tool."""


class CallReader(Generic[AgentDepsT]):
    """Converts the calls of a script into calls as the agent knows them."""

    def __init__(self, script: ScriptContext[AgentDepsT]) -> None:
        self._script = script
        self._callees = dict[str, Callee]()

    def read(self, call: Call) -> NestedCall:
        """Return the nested call; it has a refusal if the script cannot make it."""
        call_id = f'{self._script.id}__{call.id}'
        is_search = call.function == SEARCH_IN_CODE and self._script.functions.search is not None
        if is_search:
            return NestedCall(call, ToolCallPart(call.function, _as_written(call, SEARCH_PARAMETERS), call_id))
        try:
            callee = self._callees.get(call.function) or self._add_callee(call.function)
            arguments = self._arguments(callee.function, call)
        except ToolError as error:
            return NestedCall(call, ToolCallPart(call.function, _as_written(call), call_id), refusal=error)
        if callee.is_deferred:
            self._script.found[callee.tool_def.name] = None
        return NestedCall(call, ToolCallPart(callee.tool_def.name, arguments, call_id), callee)

    def _arguments(self, function: ToolFunction, call: Call) -> dict[str, Any]:
        try:
            arguments = function.arguments(call.args, call.kwargs)
        except TypeError as error:
            raise ToolError('TypeError', str(error)) from error
        saving = self._script.saving
        return arguments if saving is None else saving.arguments(function.spec.name, arguments)

    def _add_callee(self, name: str) -> Callee:
        functions = self._script.functions
        function = functions.catalog.get(name)
        if function is None:
            raise ToolError('NameError', functions.hint(name) or f'{name} is not defined')
        tool, search = functions.tools[function.spec.name].tool, functions.search
        self._callees[name] = Callee(
            function,
            tool.tool_def,
            may_run_again(tool.tool_def),
            effect_of(tool.tool_def),
            is_deferred=search is not None and function.spec.name in search.hidden,
            output=tool if isinstance(tool, AnswerTool) else None,
        )
        return self._callees[name]


SEARCH_PARAMETERS = ('query', 'max_results')


def _as_written(call: Call, parameters: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the arguments by name, where names are known, otherwise by position."""
    names = dict(enumerate(parameters))
    return {**{names.get(place, str(place)): value for place, value in enumerate(call.args)}, **call.kwargs}
