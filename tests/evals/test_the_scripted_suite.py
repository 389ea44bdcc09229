"""The scripted model does the tasks right by every route, and only because of what it is shown."""

from dataclasses import dataclass, replace

import pytest
from inline_snapshot import snapshot
from pydantic_ai import RunContext
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from evals.measuring.run import Run
from evals.measuring.tokenizer import estimate
from evals.routes import ALGORITHMS, ROUTES, Route, Setup, route_named
from evals.scripted import run_scripted
from evals.stage import Stage
from evals.tasks.all_tasks import TASKS, named
from evals.tasks.task import KINDS, Task
from toolscript import CodeModeToolset

pytestmark = pytest.mark.anyio

OURS = [route for route in (*ROUTES, *ALGORITHMS) if route.by != 'harness']
SMALL = [task for task in TASKS if task.crowd <= 40]


async def _run(task: str | Task, route: str | Route, model: str = 'anthropic:claude-sonnet-4-6') -> Run:
    chosen = named(task) if isinstance(task, str) else task
    async with Stage() as stage:
        return await run_scripted(
            chosen, route_named(route) if isinstance(route, str) else route, stage, estimate(), model
        )


def test_there_are_enough_tasks_of_every_kind_in_every_world() -> None:
    assert len(TASKS) >= 40
    assert {kind: sum(task.kind == kind for task in TASKS) for kind in KINDS} == snapshot(
        {
            'one call': 8,
            'chain': 7,
            'fan-out': 6,
            'aggregate': 7,
            'loop': 9,
            'recovery': 5,
            'approval': 3,
            'discovery': 12,
        }
    )
    assert {task.world for task in TASKS} == {'shop', 'files', 'office', 'analytics'}
    assert len({task.name for task in TASKS}) == len(TASKS)


async def test_the_right_things_are_said_and_left_behind() -> None:
    async with Stage() as stage:
        runs = [
            await run_scripted(task, route_named(('code', 'direct')[number % 2]), stage, estimate())
            for number, task in enumerate(SMALL)
        ]
    assert [(run.task, run.route, run.error or run.answer) for run in runs if not run.ok] == []


@pytest.mark.parametrize(
    ('task', 'model'),
    [('office-delete-newsletters', 'anthropic:claude-sonnet-4-6'), ('shop-late-total-of-40', 'responses:gpt-5.4')],
)
async def test_every_route_leads_there_on_every_wire(task: str, model: str) -> None:
    async with Stage() as stage:
        runs = [await run_scripted(named(task), route, stage, estimate(), model) for route in OURS]
    assert [(run.route, run.error or run.answer) for run in runs if not run.ok] == []


async def test_code_takes_two_requests_where_direct_calls_take_one_for_each_step() -> None:
    runs = [await _run('analytics-job', route) for route in ('direct', 'code', 'code + search')]
    assert [(run.requests, run.direct_calls, run.nested_calls, run.searches) for run in runs] == snapshot(
        [(6, 5, 0, 0), (2, 0, 5, 0), (3, 0, 5, 2)]
    )


async def test_a_pause_asks_once_for_all_that_waits() -> None:
    runs = [await _run('analytics-purge', route) for route in ('direct', 'code')]
    assert [(run.ok, run.pauses, run.requests) for run in runs] == snapshot([(True, 1, 4), (True, 1, 2)])


async def test_a_model_that_is_shown_no_signatures_cannot_go_on() -> None:
    @dataclass
    class Mute(WrapperToolset[object]):
        async def get_tools(self, ctx: RunContext[object]) -> dict[str, ToolsetTool[object]]:
            tools = await super().get_tools(ctx)
            return {
                name: replace(tool, tool_def=replace(tool.tool_def, description='Run Python.'))
                for name, tool in tools.items()
            }

    mute = Route('mute', 'code mode that says nothing', lambda tools: Setup(Mute(CodeModeToolset(tools))))
    run = await _run('shop-order-customer', mute)
    assert not run.ok
    assert "['order', 'customer'] are not shown" in (run.error or '')


async def test_a_wrong_answer_and_a_wrong_state_are_both_noticed() -> None:
    task = named('shop-restock')
    wrong_answer = await _run(replace(task, plan=task.plan + '0\n'), 'code')
    assert (wrong_answer.right_answer, wrong_answer.right_state, wrong_answer.ok) == (False, True, False)
    plan = task.plan.replace('product_id=7', 'product_id=8')
    wrong_state = await _run(replace(task, plan=plan), 'direct')
    assert (wrong_state.right_state, wrong_state.ok) == (False, False)


async def test_who_changes_what_was_not_asked_for_is_wrong() -> None:
    task = named('shop-stock')
    plan = 'await restock(product_id=3, quantity=1)\n' + task.plan
    run = await _run(replace(task, plan=plan), 'code')
    assert (run.right_answer, run.right_state) == (True, False)
