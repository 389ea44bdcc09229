"""The scripted model performs the tasks correctly by every route, and depends on what it reads."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

import pytest
from inline_snapshot import snapshot
from pydantic_ai import RunContext, ToolReturn
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool, WrapperToolset
from pydantic_ai.usage import RunUsage

from evals.measuring.run import Run
from evals.measuring.tokenizer import estimate
from evals.playing.program import tools_of
from evals.routes import ROUTES, VARIANTS, Route, Setup, route_named
from evals.scripted import run_scripted
from evals.stage import Stage
from evals.tasks.all_tasks import MISTAKES, ONE_BY_ONE, TASKS, named
from evals.tasks.task import Task, WorldName
from tests.sampling import share
from toolscript.run_code.prompt import BOTH_CALLERS

OURS = [*ROUTES, *VARIANTS]
SMALL = [task for task in TASKS if task.crowd <= 40]
OWN = [task for task in TASKS if not task.crowd]
EVERY = [*OWN, *MISTAKES]
WORLDS = get_args(WorldName)


async def _run(stage: Stage, task: str | Task, route: str | Route) -> Run:
    chosen = named(task) if isinstance(task, str) else task
    return await run_scripted(chosen, route_named(route) if isinstance(route, str) else route, stage, estimate())


async def test_each_tool_of_a_world_is_used_by_a_task(stage: Stage) -> None:
    used = {world: {tool for task in EVERY if task.world == world for tool in tools_of(task.plan)} for world in WORLDS}
    for name in WORLDS:
        async with stage.world(name) as world:
            ctx = RunContext(deps=world.deps, model=TestModel(), usage=RunUsage())
            assert {*await world.toolset.get_tools(ctx)} == used[name]


async def test_a_plan_makes_one_request_where_a_loop_makes_one_for_each_step(stage: Stage) -> None:
    runs = [await _run(stage, ONE_BY_ONE, route) for route in ('code', 'code, planned')]
    assert [(run.ok, run.requests, run.pauses) for run in runs] == snapshot([(True, 2, 3), (True, 2, 1)])


@share(3)
async def test_a_mistake_is_reported_before_anything_runs_and_costs_one_request(stage: Stage, one_in: int) -> None:
    for task in MISTAKES[::one_in]:
        runs = [await _run(stage, tried, 'code') for tried in (replace(task, draft=''), task)]
        assert (task.name, [(run.ok, run.requests, run.failed_snippets) for run in runs]) == (
            task.name,
            [(True, 2, 0), (True, 3, 1)],
        )
        assert runs[0].cost.dollars < runs[1].cost.dollars


@share(6)
async def test_the_right_answers_and_states_result(stage: Stage, one_in: int) -> None:
    routes = ('code', 'code + search', 'direct')
    runs = [await _run(stage, task, routes[number % 3]) for number, task in enumerate(SMALL[::one_in])]
    assert [(run.task, run.route, run.error or run.answer) for run in runs if not run.ok] == []


@pytest.mark.parametrize(
    ('task', 'model'),
    [('office-delete-newsletters', 'anthropic:claude-sonnet-4-6'), ('shop-late-total-of-40', 'responses:gpt-5.4')],
)
@pytest.mark.long
async def test_every_route_succeeds_on_every_wire(stage: Stage, task: str, model: str) -> None:
    runs = [await run_scripted(named(task), route, stage, estimate(), model) for route in OURS]
    assert [(run.route, run.error or run.answer) for run in runs if not run.ok] == []


async def test_code_takes_two_requests_where_direct_calls_take_one_for_each_step(stage: Stage) -> None:
    runs = [await _run(stage, 'analytics-job', route) for route in ('direct', 'code', 'code + search')]
    assert [(run.requests, run.direct_calls, run.nested_calls, run.searches) for run in runs] == snapshot(
        [(6, 5, 0, 0), (2, 0, 5, 0), (3, 0, 5, 2)]
    )


async def test_an_answer_from_code_saves_the_request_that_would_copy_it(stage: Stage) -> None:
    tasks = ('shop-stock', 'analytics-purge')
    routes = ('code', 'code, answer from code')
    runs = [[await _run(stage, task, route) for route in routes] for task in tasks]
    assert [[run.requests for run in pair] for pair in runs] == [[2, 1]] * 2
    assert [[run.nested_calls for run in pair] for pair in runs] == [[run.nested_calls] * 2 for run, _ in runs]
    assert all(given.ok and given.cost.dollars < reported.cost.dollars for reported, given in runs)


@dataclass
class Tampered(WrapperToolset[object]):
    """The wrapped toolset, with a defect in the text for the model."""

    describe: Callable[[str], str] = str
    """Changes descriptions."""
    parameters: Callable[[str], str] = str
    """Changes schemas, as JSON."""
    returns: Callable[[Any], Any] = lambda result: result
    """Changes results."""

    async def get_tools(self, ctx: RunContext[object]) -> dict[str, ToolsetTool[object]]:
        tools = await super().get_tools(ctx)
        return {name: replace(tool, tool_def=self._changed(tool.tool_def)) for name, tool in tools.items()}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[object], tool: ToolsetTool[object]
    ) -> Any:
        return self.returns(await super().call_tool(name, tool_args, ctx, tool))

    def _changed(self, tool_def: ToolDefinition) -> ToolDefinition:
        schema = json.loads(self.parameters(json.dumps(tool_def.parameters_json_schema)))
        return replace(tool_def, description=self.describe(tool_def.description or ''), parameters_json_schema=schema)


def _without_customer(description: str) -> str:
    return re.sub(r'async def customer\(.*?(?=async def )', '', description, flags=re.DOTALL)


def _none_found(result: Any) -> Any:
    return ToolReturn({'message': 'Found nothing.', 'tools': []})


@pytest.mark.parametrize(
    ('route', 'tamper', 'reported'),
    [
        ('code', partial(Tampered, describe=lambda text: 'Run Python.'), "['order', 'customer'] are not shown"),
        ('code', partial(Tampered, describe=_without_customer), "['customer'] are not shown"),
        (
            'code',
            partial(Tampered, describe=lambda text: text.replace('customer(customer_id', 'customer(number')),
            "customer is shown with ['number'], not with ['customer_id']",
        ),
        (
            'code',
            partial(Tampered, describe=lambda text: text.replace('customer_id: int', 'customer_id int')),
            "['customer'] are not shown",
        ),
        ('code', partial(Tampered, returns=lambda result: ''), 'The answer is wrong: ""'),
        (
            'direct',
            partial(Tampered, parameters=lambda schema: schema.replace('order_id', 'number')),
            "order is shown with ['number'], not with ['order_id']",
        ),
        ('direct', partial(Tampered, returns=lambda result: {}), "KeyError('customer_id')"),
        ('direct + our search', partial(Tampered, returns=_none_found), 'customer is not found by any of'),
        ('code + search', partial(Tampered, returns=_none_found), 'customer is not found by any of'),
        (
            'code + search, appended',
            partial(Tampered, describe=lambda text: 'Find tools or run code.', returns=lambda result: 'Found.'),
            'customer is not found by any of',
        ),
    ],
)
async def test_a_broken_prompt_fails_the_run(
    stage: Stage, route: str, tamper: Callable[..., Tampered], reported: str
) -> None:
    run = await _tampered(stage, 'shop-order-customer', route, tamper)
    assert not run.ok
    assert reported in (run.error or f'The answer is wrong: {run.answer}')


def _heads(change: Callable[[str], str]) -> Callable[[str], str]:
    """Return the text with changed first lines of its functions."""
    return lambda text: re.sub(
        r'def \w+\((?:[^()]|\([^()]*\))*\) -> [^:\n]*:', lambda found: change(found[0]), text, flags=re.DOTALL
    )


_RETURNS_GONE = _heads(lambda head: re.sub(r' -> .*:$', ' -> Any:', head))


def _records_gone(text: str) -> str:
    return re.sub(r'^class .*\n(?: .*\n)+', '', text, flags=re.MULTILINE)


def _docstrings_gone(text: str) -> str:
    return re.sub(r'^ """.*"""\n', '', text, flags=re.MULTILINE)


def _nothing(text: str) -> str:
    return ''


def _advice_gone(text: str) -> str:
    return text.replace(BOTH_CALLERS, '')


async def _tampered(stage: Stage, task: str, route: str, tamper: Callable[..., Tampered]) -> Run:
    chosen = route_named(route)

    def prepare(tools: AbstractToolset[Any]) -> Setup:
        setup = chosen.prepare(tools)
        return replace(setup, toolset=tamper(setup.toolset))

    return await _run(stage, task, replace(chosen, prepare=prepare))


@pytest.mark.parametrize(
    ('gone', 'requests'), [(str, 2), (_RETURNS_GONE, 4), (_records_gone, 4), (_docstrings_gone, 4)]
)
async def test_the_scripted_model_inspects_results_whose_shape_the_prompt_omits(
    stage: Stage, gone: Callable[[str], str], requests: int
) -> None:
    run = await _tampered(stage, 'shop-order-customer', 'code', partial(Tampered, describe=gone))
    assert (run.right, run.requests) == (True, requests), run.error


async def test_the_scripted_model_tries_an_undescribed_tool_once_before_a_loop(stage: Stage) -> None:
    reported, undescribed = [
        await _tampered(stage, 'shop-stars', 'direct', partial(Tampered, describe=describe))
        for describe in (str, _nothing)
    ]
    assert (reported.ok, undescribed.right, undescribed.requests - reported.requests) == (True, True, 1)


async def test_the_scripted_model_follows_the_advice_on_routing(stage: Stage) -> None:
    advised, alone = [
        await _tampered(stage, 'shop-stock', 'both', partial(Tampered, describe=describe))
        for describe in (str, _advice_gone)
    ]
    assert (advised.ok, advised.direct_calls, advised.snippets) == (True, 1, 0)
    assert (alone.ok, alone.direct_calls, alone.snippets) == (True, 0, 1)


async def test_a_wrong_answer_and_a_wrong_state_are_both_detected(stage: Stage) -> None:
    task = named('shop-restock')
    wrong_answer = await _run(stage, replace(task, plan=task.plan + '0\n'), 'code')
    assert (wrong_answer.right_answer, wrong_answer.right_state, wrong_answer.ok) == (False, True, False)
    plan = task.plan.replace('product_id=7', 'product_id=8')
    wrong_state = await _run(stage, replace(task, plan=plan), 'direct')
    assert (wrong_state.right_state, wrong_state.ok) == (False, False)
