"""The page on routing: its example runs, and what it advises is what the evals find."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel

from evals.ladders import LADDERS
from evals.measuring.crossing import MEASURES, crossing, lines
from evals.measuring.run import Run
from evals.measuring.tokenizer import estimate
from evals.report.headline import outdated, readme_updated, updated
from evals.results import Results, setting
from evals.routes import route_named
from evals.scripted import run_scripted
from evals.stage import Stage
from evals.suite import ascend
from evals.tasks.all_tasks import named
from evals.tasks.task import KINDS

PAGE = Path(__file__).parents[2] / 'docs' / 'routing.md'

pytestmark = pytest.mark.anyio


async def test_the_example_gives_each_tool_its_caller() -> None:
    (example,) = re.findall(r'```python\n(.*?)```', PAGE.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    model = TestModel(call_tools=[])
    await Agent(model, toolsets=[names['toolset']]).run('x')
    parameters = model.last_model_request_parameters
    assert parameters is not None
    assert [tool.name for tool in parameters.function_tools] == ['opening_hours', 'run_code']


def test_the_readme_shows_the_figures_of_this_page() -> None:
    rows = _rows((PAGE.parent.parent / 'README.md').read_text())
    assert len(rows) == 5
    page = _rows(PAGE.read_text())
    page |= {'loop with conditions': page['loop'], 'filter and aggregate': page['aggregate']}
    assert rows == {task: page[task] for task in rows}


def _rows(text: str) -> dict[str, Any]:
    """The cells of the table of kinds, by kind."""
    table = text.split('| task | requests | input tokens | price | |\n|---|---:|---:|---:|---:|\n')[1].split('\n\n')[0]
    cells = [[cell.strip(' *') for cell in row.strip('|').split('|')] for row in table.splitlines()]
    return {task: figures for task, *figures in cells}


async def _runs(task: str, *routes: str) -> list[Run]:
    async with Stage() as stage:
        return [await run_scripted(named(task), route_named(route), stage, estimate()) for route in routes]


async def test_a_single_call_is_cheaper_directly() -> None:
    direct, code = await _runs('office-send', 'direct', 'code')
    assert direct.cost.dollars < code.cost.dollars


async def test_a_long_result_is_cheaper_in_code() -> None:
    direct, code = await _runs('analytics-conversions', 'direct', 'code')
    assert code.cost.dollars < direct.cost.dollars / 2


async def test_both_doors_cost_more_than_code() -> None:
    code, both = await _runs('shop-late-total', 'code', 'both')
    assert code.cost.dollars < both.cost.dollars


async def test_search_keeps_the_price_flat() -> None:
    (small,) = await _runs('office-book-of-40', 'code + search')
    (large,) = await _runs('office-book-of-400', 'code + search')
    assert large.cost.dollars < small.cost.dollars * 1.1


async def test_dependent_calls_pay_in_code_from_a_few_on() -> None:
    (ladder,) = [ladder for ladder in LADDERS if ladder.name == 'dependent calls']
    rungs = [
        rung
        for route in ('direct', 'code')
        for rung in await ascend(ladder, route, 'anthropic:claude-sonnet-4-6', estimate())
    ]
    by_route = {line.route: line for line in lines(rungs, ladder.name, MEASURES['dollars'])}
    size = crossing(by_route['code'], by_route['direct'])
    assert size is not None
    assert 2 <= size <= 6


_CROWDED = ('direct', 'code', 'both', 'direct + search', 'direct + our search', 'code + search', 'both + search')


async def test_the_command_writes_every_table_of_figures_and_notices_each_row_that_differs() -> None:
    runs = await _runs('shop-restock-of-40', *_CROWDED)
    crowds = [replace(run, crowd=size) for run in runs for size in (40, 400, 4000)]
    pair = [run for run in runs if run.route in ('direct', 'code')]
    kinds = [replace(run, kind=kind, crowd=0, task=kind) for run in pair for kind in KINDS[:7]]
    results = Results(setting(kind='scripted', tokenizer='x', models=(runs[0].model,), command='x'), (*kinds, *crowds))
    page = PAGE.read_text()
    figures = [row for table in page.split('\n\n') if '---:' in table for row in table.splitlines()]
    assert len(figures) == 9 + 5 + 9
    assert len(outdated(results, page)) == 7 + 3 + 7
    assert outdated(results, updated(results, page)) == []
    readme = (PAGE.parent.parent / 'README.md').read_text()
    assert _rows(readme_updated(results, readme)).keys() == _rows(readme).keys()
