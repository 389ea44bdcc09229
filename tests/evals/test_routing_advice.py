"""The page on routing: its examples run, and its statements and those of the page on costs agree with the evals."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai import Agent, ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from evals.ladders import rungs
from evals.measuring.run import Run
from evals.measuring.tokenizer import estimate
from evals.report.headline import by_size, crossing, outdated, readme_updated, updated
from evals.results import Results, setting
from evals.routes import route_named
from evals.scripted import run_scripted
from evals.stage import Stage
from evals.tasks.all_tasks import named
from evals.tasks.task import KINDS
from tests.docs import run_blocks

PAGE = Path(__file__).parents[2] / 'docs' / 'benchmarks.md'
ADVICE = PAGE.with_name('routing.md')


@pytest.mark.usefixtures('without_keys')
async def test_the_example_gives_each_tool_its_caller() -> None:
    names = run_blocks('docs/routing.md')
    model = TestModel(call_tools=[])
    await Agent(model, toolsets=[names['toolset']]).run('x')
    parameters = model.last_model_request_parameters
    assert parameters is not None
    assert [tool.name for tool in parameters.function_tools] == ['opening_hours', 'run_code']


@pytest.mark.usefixtures('without_keys')
async def test_the_example_of_an_answer_from_code_takes_one_request() -> None:
    asked = list[str]()

    def once(_messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append(info.function_tools[-1].description or '')
        code = 'await final_result(customers=1, total=sum(await orders_of(customer_id=7)))'
        return ModelResponse([ToolCallPart('run_code', {'code': code})])

    names = run_blocks('docs/routing.md')
    result = await names['agent'].run('x', model=FunctionModel(once))
    assert result.output == names['Sales'](customers=1, total=70.0)
    assert len(asked) == 1
    assert 'async def final_result(customers: int, total: float) -> None' in asked[0]


def test_the_readme_shows_the_figures_of_this_page() -> None:
    rows = _rows((PAGE.parent.parent / 'README.md').read_text())
    assert len(rows) == 5
    page = _rows(PAGE.read_text())
    page |= {'loop with conditions': page['loop'], 'filter and aggregate': page['aggregate']}
    assert rows == {task: page[task] for task in rows}


def test_the_readme_quotes_the_replays_of_this_page() -> None:
    tokens = {row[0]: row[1] for row in _cells(PAGE.read_text(), '| BFCL, multi-turn |')}
    text = ' '.join((PAGE.parent.parent / 'README.md').read_text().split())
    assert (
        f'a task takes {tokens["direct"]} input tokens by direct calls, {tokens["code"]} by code, and '
        f'{tokens["code + search, prefetched"]} by code that searches'
    ) in text


def test_the_text_agrees_with_the_tables() -> None:
    text = PAGE.read_text()
    sentences = ' '.join(text.split())
    advised = ' '.join(ADVICE.read_text().split())
    price = {row[0]: row[3] for row in _cells(text, '| way |')}
    dearer = {row[0]: row[4] for row in _cells(text, '| way |')}
    found = ", with the provider's search"
    among_40 = {row[0]: row[1].split(' · ')[1] for row in _cells(text, '| route | 40 tools |')}
    from_calls = {row[0]: int(row[1]) for row in _cells(text, '| code is cheaper from |')}
    words = {2: 'two', 3: 'three', 4: 'four', 5: 'five', 6: 'six', 7: 'seven', 8: 'eight'}
    dependent = (
        f'about {words[from_calls["calls of which each decides about the next"]]} calls that depend on each other'
    )
    independent = f'from about {words[from_calls["calls that do not depend on each other"]]} that do not'
    saved = 1 - float(price['code, the answer from code'][1:]) / float(price['code'][1:])
    for sentence in (
        f'call saves: in {dearer["code"]} tasks',
        f'among 40 tools, 100 tasks cost {among_40["both"]}, against {among_40["code"]} by code '
        f'and {among_40["direct"]} by direct calls.',
        f'{among_40[f"both{found}"]} against {among_40[f"direct{found}"]} among 40',
        f'takes {saved:.0%} off the price, {price["code"]} → {price["code, the answer from code"]} for 100',
        dependent,
        independent,
    ):
        assert sentence in sentences
    assert f'{dependent}, {independent}' in advised


def _cells(text: str, header: str) -> list[list[str]]:
    """Return the cells of the rows of the table with this beginning."""
    table = text[text.index(header) :].split('\n\n')[0].splitlines()[2:]
    return [[cell.strip(' *') for cell in row.strip('|').split('|')] for row in table]


def _rows(text: str) -> dict[str, Any]:
    """Return the cells of the table of task kinds, by kind."""
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


async def test_allowing_both_callers_costs_more_than_code_alone() -> None:
    code, both = await _runs('shop-late-total', 'code', 'both')
    assert code.cost.dollars < both.cost.dollars


@pytest.mark.long
async def test_search_keeps_the_price_flat() -> None:
    small, large = [
        [run.cost.dollars for task in _SEARCHED for run in await _runs(f'{task}-of-{size}', 'code + search')]
        for size in (40, 400)
    ]
    # In one of the four tasks, plain words do not find the tool among 400, which takes one more request.
    assert sum(large) < sum(small) * 1.2


_SEARCHED = ('shop-restock', 'office-book', 'analytics-errors-by-site', 'shop-late-total')


@pytest.mark.long
async def test_dependent_calls_are_cheaper_in_code_from_a_few_on() -> None:
    ladder = 'dependent calls'
    tasks = [rung.task for rung in rungs().values() if rung.ladder == ladder]
    async with Stage() as stage:
        runs = [
            await run_scripted(task, route_named(route), stage, estimate())
            for route in ('direct', 'code')
            for task in tasks
        ]
    code, direct = (by_size(runs, ladder, route, lambda run: run.cost.dollars) for route in ('code', 'direct'))
    size = crossing(code, direct)
    assert size is not None
    assert 2 <= size <= 6


_WAYS = (
    'direct',
    'code',
    'code, answer from code',
    'direct + search',
    'direct + our search',
    'code + search',
    'code + search, prefetched',
)


async def test_the_command_writes_every_table_and_detects_each_row_that_differs() -> None:
    runs = await _runs('shop-restock-of-40', *_WAYS, 'both', 'both + search')
    crowds = [replace(run, crowd=size) for run in runs for size in (40, 400, 4000)]
    small = [run for run in runs if run.route in _WAYS]
    kinds = [replace(run, kind=kind, crowd=0, task=kind) for run in small for kind in KINDS[:7]]
    results = Results(setting(kind='scripted', tokenizer='x', models=(runs[0].model,), command='x'), (*kinds, *crowds))
    page = PAGE.read_text()
    figures = [row for table in page.split('\n\n') if '---:' in table for row in table.splitlines()]
    assert len(figures) == 9 + 5 + 6 + 9 + 7
    assert len(outdated(results, page)) == 7 + 3 + 4 + 7
    assert outdated(results, updated(results, page)) == []
    readme = (PAGE.parent.parent / 'README.md').read_text()
    assert _rows(readme_updated(results, readme)).keys() == _rows(readme).keys()
