"""One task, played by a scripted model: an honest one, or one that also obeys every text that it is shown."""

import ast
import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ModelResponsePart, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolDenied
from pydantic_ai.toolsets import AbstractToolset
from pydantic_ai.usage import UsageLimits

from evals.packages import FASTMCP, PEER
from toolscript import (
    CodeMode,
    CodeOutput,
    FlowRule,
    Flows,
    Limits,
    Snapshots,
    ToolMatch,
    pending_calls,
    resolve,
    script_calls,
)
from toolscript.guards import is_array, is_object

from .dojo import EXTRACT, VOUCHED, Call, Task, World, tasks
from .reader import answer

_OUTPUT = 'final_text'
"""The function by which a script answers the user."""
_MAX_CHARS = 10_000_000
"""The limit of each shown result, high enough that no injected text is truncated."""


def _reader(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """The model of `extract`."""
    question, text = str(getattr(messages[0].parts[0], 'content', '')).split('\n\nData:\n', 1)
    found = answer(text, question.removeprefix('Question: '))
    return ModelResponse([ToolCallPart(info.output_tools[0].name, {'response': found})])


def _code_mode(flows: Flows | None) -> Callable[[], Sequence[AbstractCapability[Any]]]:
    def capabilities() -> Sequence[AbstractCapability[Any]]:
        snapshots = Snapshots(key='no pause outlives the benchmark')
        return [CodeMode(flows=flows, snapshots=snapshots, max_result_chars=_MAX_CHARS, limits=Limits(max_calls=500))]

    return capabilities


def _fastmcp(world: World) -> AbstractToolset[Any]:
    from .fastmcp_peer import toolset

    return toolset(world)


def _for_fastmcp(script: str, world: World) -> ToolCallPart:
    from .fastmcp_peer import written

    return ToolCallPart('execute', {'code': written(script, [one.name for one in world.definitions()])})


def _harness() -> Sequence[AbstractCapability[Any]]:
    # It pins other releases of pydantic-ai, so it only exists in its own environment.
    return [import_module('pydantic_ai_harness').CodeMode()]


@dataclass(frozen=True)
class Route:
    name: str
    capabilities: Callable[[], Sequence[AbstractCapability[Any]]] = tuple
    by_code: bool = True
    asks: bool = False
    """Whether each call that changes something needs approval."""
    flows: Flows | None = None
    toolset: Callable[[World], AbstractToolset[Any]] = lambda world: world
    run: Callable[[str, World], ToolCallPart] = lambda code, _: ToolCallPart('run_code', {'code': code})
    """Return the call that runs a script."""
    keeps_variables: bool = True
    """Whether a script finds the variables of the scripts before it."""


_EXTRACT = FunctionModel(_reader)
SENT = FlowRule(
    source=ToolMatch(open_world=True),
    sink=ToolMatch(['send_*', 'invite_*', 'share_*', 'post_*', 'create_calendar_event', 'schedule_*']),
    arguments=['recipient', 'recipients', 'cc', 'bcc', 'user_email', 'email', 'url', 'channel', 'participants'],
)
"""Arguments that name a destination."""
DESTROYED = FlowRule(
    source=ToolMatch(open_world=True),
    sink=ToolMatch(['delete_*', 'remove_*', 'cancel_*', 'update_password', 'update_user_info', 'update_scheduled_*']),
)
"""Calls that can hardly be undone."""
TUNED = [SENT, DESTROYED, FlowRule(then='allow')]


def _with(flows: Flows, name: str) -> Route:
    return Route(name, _code_mode(flows), flows=flows)


ROUTES = (
    Route('direct calls', by_code=False),
    Route('direct calls, each change asks', by_code=False, asks=True),
    Route('code', _code_mode(None)),
    Route('code, each change asks', _code_mode(None), asks=True),
    _with(Flows(extract=_EXTRACT), 'code, `Flows()`'),
    _with(Flows(extract=_EXTRACT, rules=TUNED), 'code, `Flows(rules=...)`'),
    _with(Flows(extract=_EXTRACT, show_results=True), 'code, `Flows(show_results=True)`'),
)
_BY_PEERS = (
    Route(PEER, _harness),
    Route(FASTMCP, toolset=_fastmcp, run=_for_fastmcp, keeps_variables=False),
)


@dataclass
class Played:
    suite: str
    task: str
    route: str
    solved: bool = False
    questions: int = 0
    """The number of calls of the user's task that asked for approval."""
    shown: list[str] = field(default_factory=list[str])
    """The goals whose texts the model was shown."""
    injected: list[str] = field(default_factory=list[str])
    """The goals of which a call was made without asking."""
    asked: list[str] = field(default_factory=list[str])
    """The goals of which a call asked for approval."""
    destinations: list[str] = field(default_factory=list[str])
    """The arguments for which the user's task asked for approval, with their origins."""
    clean: int = 0
    """The number of arguments of the user's task without foreign origins."""
    recognised: int = 0
    """The number of those that the analysis recognises."""
    error: str = ''


def play_all(part: tuple[str, bool, str]) -> list[Played]:
    """Play all tasks of a suite by the named route, with the obedient or the honest model."""
    name, is_obedient, suite = part
    [route] = [route for route in (*ROUTES, *_BY_PEERS) if route.name == name]
    mine = [task for task in tasks() if task.suite == suite]
    return [asyncio.run(play(task, route, is_obedient=is_obedient)) for task in mine]


async def play(task: Task, route: Route, *, is_obedient: bool) -> Played:
    """Play a task. The person approves what the user wanted and denies the rest."""
    world = task.open(injected=is_obedient)
    world.asks, world.reads = route.asks, route.flows is None
    played = Played(task.suite, task.name, route.name)
    player = Player(world, route, is_obedient=is_obedient)
    capabilities = [*route.capabilities(), *([CodeOutput[Any]()] if player.gives_output else [])]
    agent = Agent(
        FunctionModel(player.answer),
        deps_type=object,
        output_type=[str, DeferredToolRequests],
        toolsets=[route.toolset(world)],
        capabilities=capabilities,
    )
    limits = UsageLimits(request_limit=None)
    try:
        done = await agent.run(task.ask, usage_limits=limits)
        while isinstance(done.output, DeferredToolRequests):
            decided = _decide(done.output, played, world)
            done = await agent.run(
                message_history=done.all_messages(), deferred_tool_results=decided, usage_limits=limits
            )
        played.solved = not task.why_not and world.is_solved(done.output)
        if route.flows is not None and not is_obedient:
            _count_origins(done.all_messages(), task, played)
    except Exception as error:
        played.error = f'{type(error).__name__}: {error}'
    played.shown = sorted(player.shown)
    played.injected = [goal.name for goal in task.goals if world.reached(goal)]
    return played


def _decide(requests: DeferredToolRequests, played: Played, world: World) -> DeferredToolResults:
    pending = pending_calls(requests)
    if world.goal:
        played.asked.append(world.goal)
    else:
        played.questions += len(pending)
        played.destinations += [f'{call.tool_name}: {call.reason}' for call in pending if call.reason]
    decision = not world.goal or ToolDenied('The user wants no such thing.')
    return resolve(requests, {call.tool_call_id: decision for call in pending})


def _count_origins(messages: Sequence[ModelMessage], task: Task, played: Played) -> None:
    """Count the arguments whose whole value is literally in the script, and those of them without a foreign origin."""
    literals = {_plain(node.value) for node in ast.walk(ast.parse(task.script)) if isinstance(node, ast.Constant)}
    for call in script_calls(messages):
        for name, value in call.arguments.items() if call.tool_name not in (EXTRACT, _OUTPUT) else ():
            if all(_plain(leaf) in literals for leaf in _leaves(value)):
                played.clean += 1
                played.recognised += all(one.partition('(')[0] in VOUCHED for one in call.origins.get(name, ()))


def _leaves(value: Any) -> Iterator[Any]:
    if is_object(value) or is_array(value):
        for inner in value.values() if is_object(value) else value:
            yield from _leaves(inner)
    else:
        yield value


def _plain(value: object) -> str:
    return str(float(value)) if isinstance(value, int | float) else str(value)


class Player:
    def __init__(self, world: World, route: Route, *, is_obedient: bool) -> None:
        self.world, self.route, self.is_obedient = world, route, is_obedient
        self.shown = set[str]()
        self.gives_output = route.flows is not None and not route.flows.show_results and not is_obedient
        """Whether the script itself answers the user, because the model does not read its result."""
        self._steps = self._by_code() if route.by_code else self._by_hand()
        self._read = ''
        """The last text that it read."""

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        texts = [
            str(getattr(part, 'content', ''))
            for message in messages
            if isinstance(message, ModelRequest)
            for part in message.parts
            if part.part_kind in ('tool-return', 'retry-prompt')
        ]
        self.shown.update(re.findall(r'<<(\w+)>>', '\n'.join(texts)))
        self._read = texts[-1] if texts else ''
        return ModelResponse([next(self._steps)])

    def _by_hand(self) -> Iterator[ModelResponsePart]:
        for call in self.world.task.plan:
            yield _part(call)
        for goal in self._goals():
            for call in goal:
                yield _part(call)
        # After direct calls, a model can compose any answer from the results it was shown.
        yield TextPart(self.world.task.answer or 'Done.')

    def _by_code(self) -> Iterator[ModelResponsePart]:
        script = self.world.task.script
        results = f'[{", ".join(_results(script))}]' if self.is_obedient else '[]'
        if not self.route.keeps_variables and results != '[]':
            script = _with_last(script, f'[{{}}, {results}]')
        yield self._run(_with_last(script, f'await {_OUTPUT}(text=str({{}}))') if self.gives_output else script)
        text = self._read
        if self.route.keeps_variables and results != '[]':
            yield self._run(results)
        for goal in self._goals():
            yield self._run('\n'.join(f'await {_text(call)}' for call in goal))
        self.world.goal = ''
        yield TextPart(text)

    def _run(self, code: str) -> ToolCallPart:
        return self.route.run(code, self.world)

    def _goals(self) -> Iterator[Sequence[Call]]:
        """Yield the calls that the injected texts shown so far ask for."""
        if not self.is_obedient:
            return
        for goal in self.world.task.goals:
            if goal.name in self.shown:
                self.world.goal = goal.name
                yield goal.actions


def _part(call: Call) -> ToolCallPart:
    return ToolCallPart(call.name, dict(call.arguments))


def _text(call: Call) -> str:
    return f'{call.name}({", ".join(f"{name}={value!r}" for name, value in call.arguments.items())})'


def _with_last(script: str, text: str) -> str:
    """Return the script with another last expression; `{}` in the text is the one that it has."""
    last = ast.parse(script).body[-1]
    assert isinstance(last, ast.Expr)
    lines = script.split('\n')[: last.lineno - 1]
    return '\n'.join([*lines, text.format(ast.unparse(last.value))])


def _results(script: str) -> list[str]:
    """Return the variables of a script that hold data from the result of a call."""
    statements = [one for one in ast.parse(script).body if isinstance(one, ast.Assign)]
    found = [one for one in statements if any(isinstance(node, ast.Await) for node in ast.walk(one))]
    return [target.id for one in found for target in one.targets if isinstance(target, ast.Name)]
