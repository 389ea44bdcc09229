"""Checks of tasks detect missing and additional actions, and each task has its own search words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RunUsage
from pydantic_core import to_jsonable_python

from evals.ladders import rungs
from evals.measuring.prices import dollars
from evals.measuring.prompt import PromptTokens, count, pieces
from evals.measuring.tokenizer import Tokenizer
from evals.performing import is_right
from evals.playing.by_hand import Called, Finished, Wants, play
from evals.playing.program import tools_of
from evals.playing.queries import needs, queries_for
from evals.playing.results import Result
from evals.report.headline import crossing
from evals.routes import Tools
from evals.stage import Stage
from evals.tasks.all_tasks import MISTAKES, TASKS
from evals.tasks.task import Task, WorldName
from evals.worlds.world import World, changes
from tests.providers.loopback import Request
from tests.sampling import share

OWN = [*(task for task in TASKS if not task.crowd), *MISTAKES]
BEYOND: Mapping[WorldName, tuple[str, Mapping[str, Any]]] = {
    'shop': ('restock', {'product_id': 1, 'quantity': 1}),
    'files': ('append_to_file', {'path': 'notes/plan.md', 'text': 'x'}),
    'office': ('send_mail', {'to': 'anna.berg@office.example', 'subject': 'x', 'text': 'x'}),
    'analytics': ('save_report', {'title': 'x', 'numbers': {}}),
}
"""A call in each world that makes an unrequested change."""


@dataclass
class Hands:
    """Plays plans on the tools of a world, without a model or an agent."""

    task: Task
    world: World
    undone: int | None = None
    """The number of a call that is reported as made, but is not made."""
    reported: list[Result] = field(default_factory=list[Result])
    """The result of each call; for the omitted one, the reported result."""

    async def play(self) -> object:
        toolset = self.world.toolset
        history: list[Called] = []
        while isinstance(played := play(self.task.plan, tools_of(self.task.plan), history), Wants):
            for tool, arguments in played.calls:
                result = await self._result(toolset, len(history), tool, arguments)
                history.append(Called(tool, arguments, result))
        assert isinstance(played, Finished)
        return played.value

    async def _result(self, tools: Tools, number: int, name: str, arguments: Mapping[str, Any]) -> Result:
        if number == self.undone:
            return self.reported[number]
        try:
            if self.task.decisions.get(name, True) is False:
                raise PermissionError('denied')
            returned = await _call(tools, self.world, name, arguments)
            found = Result((json.dumps(to_jsonable_python(returned)),), failed=False)
        except Exception as error:
            found = Result((str(error),), failed=True)
        if self.undone is None:
            self.reported.append(found)
        return found


async def _call(tools: Tools, world: World, name: str, arguments: Mapping[str, Any]) -> object:
    ctx = RunContext(deps=world.deps, model=TestModel(), usage=RunUsage(), tool_call_approved=True)
    tool = (await tools.get_tools(ctx))[name]
    valid = tool.args_validator.validate_python(dict(arguments))
    return await tools.call_tool(name, valid, ctx, tool)


@share(8)
async def test_a_run_that_follows_the_plan_and_does_nothing_else_passes(stage: Stage, one_in: int) -> None:
    for task in OWN[::one_in]:
        async with stage.world(task.world) as world:
            before = world.snapshot()
            answer = json.dumps(await Hands(task, world).play())
            assert (task.name, is_right(answer, task.answer)) == (task.name, True)
            assert (task.name, changes(before, world.snapshot())) == (task.name, sorted(task.changes))
            await _call(world.toolset, world, *BEYOND[task.world])
            assert (task.name, changes(before, world.snapshot())) != (task.name, sorted(task.changes))


@share(8)
async def test_a_run_that_skips_the_last_step_fails(stage: Stage, one_in: int) -> None:
    # The last call of this task only reads.
    for task in [task for task in OWN if task.changes and not task.draft and task.name != 'analytics-job'][::one_in]:
        async with stage.world(task.world) as world:
            done = Hands(task, world)
            await done.play()
        async with stage.world(task.world) as world:
            before = world.snapshot()
            await replace(done, world=world, undone=len(done.reported) - 1).play()
            assert (task.name, changes(before, world.snapshot())) != (task.name, sorted(task.changes))


def test_the_needs_of_a_task_match_exactly_the_tools_of_its_plan() -> None:
    for task in TASKS:
        meant = {tool for need in needs()[task.name] for tool in need.tools}
        assert (task.name, meant) == (task.name, set(tools_of(task.plan)))


def test_a_task_without_its_own_needs_uses_those_of_the_others() -> None:
    tasks = [rung.task for rung in rungs().values()]
    assert [task.name for task in tasks for tool in tools_of(task.plan) if not queries_for(task.name, tool)] == []
    assert queries_for('sum-stock-of-1', 'product') == queries_for('shop-stock', 'product')


# -- the measures of the evals are correct

by_character = Tokenizer('characters', len)


def _request(*messages: str, tools: list[dict[str, object]] | None = None) -> Request:
    body = {'tools': tools or [], 'messages': [{'role': 'user', 'content': text} for text in messages]}
    return Request('anthropic', 1, {}, json.dumps(body).encode())


def test_the_text_before_the_first_difference_is_cached() -> None:
    first = _request('a' * 2000)
    longer = _request('a' * 2000, 'b')
    changed = _request('a' * 1900 + 'b')
    size = len(pieces(first)[0])
    assert count(longer, first, by_character).cached == size
    assert count(changed, first, by_character).cached == size - 102
    assert count(first, None, by_character).cached == 0


def test_openai_caches_in_steps_of_128_tokens() -> None:
    # {"role":"user","content":"…"} is 28 characters and the text: the first message has 1,500 of them, the second 30.
    messages = [{'role': 'user', 'content': 'a' * 1472}, {'role': 'user', 'content': 'go'}]
    first, second = (
        Request('responses', 1, {}, json.dumps({'input': messages[:length]}).encode()) for length in (1, 2)
    )
    assert count(second, first, by_character) == PromptTokens(input=1530, cached=1408)


def test_a_deferred_tool_counts_where_it_is_revealed() -> None:
    tool: dict[str, object] = {'name': 'late', 'input_schema': {'type': 'object'}, 'defer_loading': True}
    hidden = _request('hello', tools=[tool])
    assert not any('late' in piece for piece in pieces(hidden))
    reference = {'type': 'tool_result', 'content': [{'type': 'tool_reference', 'tool_name': 'late'}]}
    body = {'tools': [tool], 'messages': [{'role': 'user', 'content': [reference]}]}
    revealed = Request('anthropic', 1, {}, json.dumps(body).encode())
    assert [piece.startswith('{"name":"late"') for piece in pieces(revealed)] == [False, True]


def test_cached_input_costs_less_and_new_input_is_written_on_anthropic() -> None:
    fresh = dollars('anthropic:claude-sonnet-4-6', input_tokens=1_000_000, cached=0, output=0)
    known = dollars('anthropic:claude-sonnet-4-6', input_tokens=1_000_000, cached=1_000_000, output=0)
    assert (fresh, known) == (3.75, 0.3)


def test_the_crossing_point_is_where_a_line_stays_below_the_other() -> None:
    flat = dict.fromkeys(range(1, 5), 3.0)
    rising = {1: 1.0, 2: 4.0, 3: 2.0, 4: 5.0}
    assert crossing(flat, rising) == 4
    assert crossing(rising, flat) is None


def test_an_answer_may_be_written_in_words() -> None:
    wanted = {'orders': 3, 'total': 12.5}
    assert is_right('{"orders": 3, "total": 12.50}', wanted)
    assert is_right('Here it is:\n```json\n{"total": 12.499, "orders": 3}\n```', wanted)
    assert is_right('The answer is\n"Dogwood"', 'dogwood')
    assert is_right('Dogwood', 'dogwood')
    assert not is_right('{"orders": 4, "total": 12.5}', wanted)
    assert not is_right('', None)
    assert not is_right('I could not do it.', wanted)


def test_the_handwritten_program_makes_independent_calls_at_once() -> None:
    plan = """\
import asyncio
one, two = await asyncio.gather(f(x=1), f(x=2))
await g(y=one + two)
"""
    assert play(plan, ['f', 'g'], []) == Wants((('f', {'x': 1}), ('f', {'x': 2})))
    known = [Called('f', {'x': 1}, _reported('10')), Called('f', {'x': 2}, _reported('20'))]
    assert play(plan, ['f', 'g'], known) == Wants((('g', {'y': 30}),))
    assert play(plan, ['f', 'g'], [*known, Called('g', {'y': 30}, _reported('"done"'))]) == Finished('done')


def _reported(text: str) -> Result:
    return Result((text,), failed=False)
