"""The tables in the terminal can be read in eighty columns."""

import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from evals.measuring.tokenizer import estimate
from evals.report import terminal
from evals.results import Results, setting
from evals.routes import ROUTES, VARIANTS, route_named
from evals.scripted import run_scripted
from evals.stage import Stage
from evals.tasks.all_tasks import named
from evals.tasks.task import KINDS

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize('width', [80, 100, 160])
async def test_no_word_is_broken_and_nothing_is_cut(width: int) -> None:
    async with Stage() as stage:
        run = await run_scripted(named('shop-stock'), route_named('direct'), stage, estimate())
    routes = [route.name for route in (*ROUTES, *VARIANTS)]
    runs = [
        replace(run, kind=kind, route=route, crowd=crowd) for kind in KINDS for route in routes for crowd in (0, 400)
    ]
    told = StringIO()
    models = (run.model,)
    results = Results(setting(kind='scripted', tokenizer='x', models=models, command='x'), tuple(runs))
    terminal.show(results, Console(file=told, width=width))
    text = told.getvalue()
    assert '…' not in text
    assert max(map(len, text.splitlines())) <= width
    shown = set(re.findall(r'[^\s│┃]+', text))
    assert {word for route in routes for word in route.split()} <= shown
    assert {*KINDS[1].split(), 'requests', '$'} <= shown
