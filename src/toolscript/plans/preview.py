"""The preview of a script: it performs reads, and turns changing calls into rows of a plan with made-up results."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Set
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from toolscript.approvals.pending import FIRST_READ, Hole, PendingCall, PlannedRow, Ref, digest
from toolscript.catalog.function_metadata import takes_files
from toolscript.catalog.result_shapes import ResultShapes
from toolscript.catalog.schemas import delivered_schema
from toolscript.durability.journal import CallRaised, CallWaits, Finished
from toolscript.durability.script_state import ScriptState
from toolscript.routing.effects import asks_when_known
from toolscript.run_code.functions import CodeFunctions
from toolscript.scripts.chain import call_tool, routes
from toolscript.scripts.nested_call import CallReader, Link, NestedCall, Result, RunningCalls, ScriptContext
from toolscript.scripts.recorded import CallRecorder, Recorded
from toolscript.scripts.tools import CallTool, ToolResults
from toolscript_sandbox import Call, Deferred, EndPreview, ToolError

from .placeholders import Placeholders
from .rows import differing, shown

MAX_ROWS = 200
MAX_COMPUTED = 3
"""The limit for each line, because long sequences that depend on made-up values, such as loops, mean nothing."""
MAX_CALLS = 500
SECONDS = 2.0
"""The time limit of a preview, in seconds; sleeps take no time."""


@dataclass
class SeenRow:
    """A changing call in a preview."""

    call: PendingCall
    """The call, with its arguments as they are displayed."""
    number: int
    """Its number among the rows of this preview, from 1, or among its reads, from `FIRST_READ`."""
    after: Set[int]
    """The calls that had returned before it was made."""
    line: int | None
    holes: tuple[Hole, ...]
    asks_again: bool = False
    """Whether its call asks again once the missing values are known."""


@dataclass
class Preview:
    """One preview. All previews of a plan share the results of reads."""

    made: Placeholders
    chain: 'PreviewChain'
    waiting: Mapping[str, PendingCall]
    is_planned: Callable[[NestedCall], bool]
    """Return whether calls of the tool wait for a plan. Others may need an approval of their own."""
    shapes: ResultShapes | None
    reads: dict[str, list[Result]]
    """The results of identical reads, in order."""
    succeeds: bool = True
    """Whether changing calls succeed."""
    handles_files: bool = False
    rows: list[SeenRow] = field(default_factory=list[SeenRow])
    by_call: dict[int, int] = field(default_factory=dict[int, int])
    """The row of each call, by call number."""
    has_planned: bool = False
    """Whether a call has been made that waits for a plan."""
    next: Link | None = None
    _calls: int = 0
    _met: dict[str, int] = field(default_factory=dict[str, int])
    _links: Callable[[Call], Awaitable[Result]] = field(init=False)
    _until: float = field(init=False)
    _after: Set[int] = field(default_factory=frozenset[int])

    def __post_init__(self) -> None:
        self._links = self.chain.links(self)
        self._until = asyncio.get_running_loop().time() + SECONDS

    async def dispatch(self, call: Call, after: Set[int]) -> Any:
        self._calls += 1
        left = self._until - asyncio.get_running_loop().time()
        if self._calls > MAX_CALLS or left <= 0:
            raise EndPreview
        self._after = after
        try:
            async with asyncio.timeout(left):
                result = await self._links(call)
        except TimeoutError as error:
            raise EndPreview from error
        match result.outcome:
            case CallWaits():
                raise Deferred
            case CallRaised(type_name, message):
                raise ToolError(type_name, message)
            case Finished(too_large=reason) if reason:
                raise ToolError('RuntimeError', reason)
            case Finished(value):
                return value

    async def __call__(self, call: NestedCall) -> Result:
        assert self.next is not None
        assert call.callee is not None
        waits = self.waiting.get(call.id)
        if waits is not None and waits.kind != 'approval':
            return Result(CallWaits(waits), 'decision')
        holes = tuple(self.made.holes(call.part.args_as_dict()))
        if call.is_read_only and not call.needs_approval:
            return await self._read(call, is_known=not holes)
        if call.callee.tool_def.kind == 'external':
            raise EndPreview
        is_planned = self.is_planned(call)
        self.has_planned |= is_planned
        if waits is None and not is_planned and not call.needs_approval:
            return self._with_placeholders(call, self.chain.tool.pending(call, 'approval'), self._next_read)
        if waits is None and not holes and (refused := await self.chain.tool.validate(call)) is not None:
            return refused
        number = 1 + sum(row.number < FIRST_READ for row in self.rows)
        if number > MAX_ROWS:
            raise EndPreview
        return self._with_placeholders(call, waits or self.chain.tool.pending(call, 'approval'), number)

    async def _read(self, call: NestedCall, *, is_known: bool) -> Result:
        assert self.next is not None
        assert call.callee is not None
        if self.handles_files and takes_files(call.callee.tool_def):
            raise EndPreview
        if not is_known:
            schema, keys = self._known_result(call)
            if schema is None and not keys:
                raise EndPreview
            return self._with_placeholders(call, self.chain.tool.pending(call, 'approval'), self._next_read)
        before, place = self.reads.setdefault(call.digest, []), self._met.get(call.digest, 0)
        self._met[call.digest] = place + 1
        if place >= len(before):
            try:
                result = await self.next(call)
            except Exception as error:
                # If the run reaches this call, the error ends it.
                raise EndPreview from error
            if isinstance(result.outcome, CallWaits) or (isinstance(result.outcome, Finished) and result.outcome.files):
                raise EndPreview
            before.append(result)
        return before[place]

    @property
    def _next_read(self) -> int:
        return FIRST_READ + sum(row.number >= FIRST_READ for row in self.rows)

    def _with_placeholders(self, call: NestedCall, pending: PendingCall, number: int) -> Result:
        assert call.callee is not None
        args = call.part.args_as_dict()
        holes = tuple(self.made.holes(args))
        self.by_call[call.number] = number
        pending = replace(pending, args=shown(args, holes))
        asks_again = bool(holes) and number < FIRST_READ and asks_when_known(call.callee.tool_def)
        self.rows.append(SeenRow(pending, number, self._after, call.call.line, holes, asks_again))
        if not self.succeeds and number < FIRST_READ:
            return Result(CallRaised('RuntimeError', f'{call.part.tool_name} failed'), 'tool')
        schema, keys = self._known_result(call)
        return Result(Finished(self.made.result(number, schema, args, keys)), 'tool')

    def _known_result(self, call: NestedCall) -> tuple[Mapping[str, Any] | None, Any]:
        """Return what is known of the result: a schema, or the keys that the script uses."""
        assert call.callee is not None
        tool_def = call.callee.tool_def
        schema = delivered_schema(tool_def)
        if schema is None and self.shapes is not None and (shape := self.shapes.shapes.get(tool_def.name)):
            schema = shape.shape or None
        return schema, self.made.clues.keys.get(call.callee.function.name)


class PreviewChain:
    """Builds what the previews of one script need: nothing is observed, recorded or counted.

    Each preview has a copy of the script's state. It reuses results of failed scripts as the script would; all other
    calls of tools go to the preview, which decides which of them happen.
    """

    def __init__(self, script: ScriptContext[Any]) -> None:
        self.functions: CodeFunctions[Any] = script.functions
        self.script_id: str = script.id
        self._script = script
        self._content = replace(script.state, execution=b'', waits=True).to_bytes()
        self.tool: CallTool[Any] = self._call_tool(self._copy())

    def links(self, preview: 'Preview') -> Callable[[Call], Awaitable[Result]]:
        """Return the handler of a preview's calls. The preview gets those of tools, and a link that makes them."""
        script = self._copy()
        preview.next = self._call_tool(script)
        link = Recorded(routes(preview, ToolResults(script)), CallRecorder(script.state, script.running), script)
        reader = CallReader(script)

        async def dispatch(call: Call) -> Result:
            return await link(reader.read(call))

        return dispatch

    def _call_tool(self, script: ScriptContext[Any]) -> CallTool[Any]:
        return call_tool(ToolResults(script), CallRecorder(script.state, script.running))

    def _copy(self) -> ScriptContext[Any]:
        ctx, state = self._script.ctx, ScriptState.from_bytes(self._content)
        return replace(
            self._script,
            ctx=replace(ctx, usage=copy(ctx.usage)),
            state=state,
            journal=None,
            changes=None,
            resumed=False,
            files=None,
            running=RunningCalls(),
            found={},
            seen={},
            notes={},
        )


def planned_rows(
    first: Preview, second: Preview, pessimistic: Preview, *, row_id: Callable[[int], str]
) -> list[PendingCall]:
    """Return the rows of a plan. It ends before a line exceeds `MAX_COMPUTED` calls with computed arguments.

    The first preview provides the rows, the second has other numbers, in the opposite order; in the `pessimistic` one
    all changing calls fail. `row_id` returns the id of a row whose call the script has not made yet.
    """
    twins = _equal_rows(first, second)
    survive = [row.call.tool_name + digest('', row.call.args) for row in pessimistic.rows]
    calls, computed_of = list[PendingCall](), Counter[tuple[str, int | None]]()
    for seen in first.rows:
        twin = twins.get(seen.number)
        after = {first.by_call[call] for call in seen.after if first.by_call.get(call, FIRST_READ) < FIRST_READ}
        computed = list[Any]()
        if twin is not None:
            back = {other.number: number for number, other in twins.items()}
            after &= {back.get(second.by_call[call], 0) for call in twin.after if call in second.by_call}
            computed = differing(seen.call.args, _renumbered(twin, back))
        line = seen.call.tool_name, seen.line
        computed_of[line] += bool(computed)
        if computed_of[line] > MAX_COMPUTED:
            break
        name = seen.call.tool_name + digest('', seen.call.args)
        stays = seen.call.tool_call_id in first.waiting or name in survive
        if stays and name in survive:
            survive.remove(name)
        facts = PlannedRow(
            number=seen.number,
            line=seen.line,
            holes=seen.holes,
            computed=tuple(computed),
            only_if=None if stays or not after else max(after),
            after=tuple(sorted(after)),
            asks_again=seen.asks_again,
        )
        is_made = seen.call.tool_call_id in first.waiting
        call_id = seen.call.tool_call_id if is_made else row_id(seen.number)
        calls.append(replace(seen.call, tool_call_id=call_id, row=facts))
    return calls


def _equal_rows(first: Preview, second: Preview) -> dict[int, SeenRow]:
    """Match the rows of the second preview to those of the first, by the row numbers of the first."""
    twins, left, back = dict[int, SeenRow](), list(first.rows), dict[int, int]()
    for row in second.rows:
        args = _renumbered(row, back)
        same_place = [one for one in left if one.call.tool_name == row.call.tool_name and one.line == row.line]
        equal = (one for one in same_place if not differing(one.call.args, args))
        twin = next(equal, None)
        if twin is None and same_place and (len(same_place) == 1 or not row.holes):
            twin = same_place[0]
        if twin is not None:
            left.remove(twin)
            twins[twin.number], back[row.number] = row, twin.number
    return twins


def _renumbered(row: SeenRow, back: Mapping[int, int]) -> dict[str, Any]:
    """Return the arguments of a row of the second preview, with the row numbers of the first."""
    holes = [
        Hole(hole.path, tuple(Ref(back.get(p.row, 0), p.path) if isinstance(p, Ref) else p for p in hole.parts))
        for hole in row.holes
    ]
    return shown(row.call.args, holes)
