"""The report as one page that needs nothing else."""

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from evals.ladders import LADDERS, LadderName
from evals.measuring.crossing import MEASURES, crossing, lines
from evals.measuring.habits import habits
from evals.measuring.run import Run
from evals.measuring.summary import Summary, by_kind, by_route, comparable, grouped, summary
from evals.report.charts import Mark, bar_chart, colour, line_chart
from evals.results import Results, Setting
from toolscript.history import STYLE, render_fragment

_HERE = Path(__file__).parent
_COMPARED = ('direct', 'code', 'both')
_FOUND = ('direct + search', 'code + search', 'code + search, appended', 'both + search')


def render(results: Results) -> str:
    """The whole page."""
    by_model = grouped(results.runs, lambda run: run.model)
    first = next(iter(by_model.items())) if by_model else ('', list[Run]())
    body = [
        _head(results.setting),
        _tiles(first[1]),
        *(_live(model, runs) for model, runs in by_model.items() if results.setting.kind == 'live'),
        *(_overview(model, runs) for model, runs in by_model.items()),
        _kinds(*first),
        _ladders(results),
        _cached(*first),
        _losses(first[1]),
        _peers(results),
        _transcripts(first[1]),
        _foot(results),
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Direct calls or code?</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{(_HERE / "style.css").read_text()}{STYLE}</style></head><body><main>{"".join(body)}</main>'
        f'<script>{(_HERE / "transcripts.js").read_text()}</script></body></html>\n'
    )


def _head(setting: Setting) -> str:
    models = ', '.join(setting.models)
    how = (
        "A scripted model plays one author's program per task by every route: it sends real requests, reads nothing but"
        ' what they show it, and never errs. So this page tells what the same plan costs by each route, not how'
        ' often a model finds the plan.'
        if setting.kind == 'scripted'
        else 'Real models did the tasks.'
    )
    return (
        '<h1>Direct calls or code?</h1>'
        f'<p>{how}</p><p class="dim">{escape(models)} · {escape(setting.date)} · commit {escape(setting.commit)} ·'
        f' tokens by {escape(setting.tokenizer)} · <code>{escape(setting.command)}</code></p>'
    )


def _tiles(runs: Sequence[Run]) -> str:
    kinds = by_kind(comparable([run for run in runs if not run.crowd], ('direct', 'code')))
    tiles: list[str] = []
    for kind, row in kinds.items():
        if {'direct', 'code'} <= row.keys():
            ratio = row['code'].dollars / row['direct'].dollars
            words = f'{row["direct"].requests:.1f} → {row["code"].requests:.1f} requests'
            loss = ' loss' if ratio > 1 else ''
            tiles.append(
                f'<div class="tile{loss}">{escape(kind)}<b>{_change(ratio)}</b><span class="dim">{words}</span></div>'
            )
    return (
        '<h2>What code costs, against direct calls</h2><p class="dim">Price of the same tasks, by kind; only tasks'
        f' that both routes did right.</p><div class="tiles">{"".join(tiles)}</div>'
    )


def _change(ratio: float) -> str:
    return f'{ratio - 1:+.0%}'


def _live(model: str, runs: Sequence[Run]) -> str:
    found = {route: habits(group) for route, group in grouped(runs, lambda run: run.route).items()}
    rows = ''.join(
        f'<tr><td>{_name(route)}</td><td>{one.success}</td><td>{one.first_try}</td><td>{one.single_call}</td>'
        f'<td>{one.programs_per_answer:.1f}</td><td>{one.wrong_doors_per_run:.2f}</td>'
        f'<td>{one.searches_per_found_tool:.2f}</td></tr>'
        for route, one in found.items()
    )
    causes = {route: {cause: float(times) for cause, times in one.retries.items()} for route, one in found.items()}
    return (
        f'<h2>How {escape(model)} went about it</h2><p class="dim">Shares with the intervals that hold the true ones'
        ' 19 times in 20 (Wilson).</p><div class="scroll"><table><tr><th>route</th><th>success</th>'
        '<th>first snippet right</th><th>snippets of one call</th><th>programs an answer</th><th>wrong doors a run</th>'
        f'<th>searches a found tool</th></tr>{rows}</table></div>'
        f'<h3>Asked to try again, by cause</h3>{bar_chart("Retries by cause", causes, tell=lambda value: f"{value:g}")}'
    )


def _overview(model: str, runs: Sequence[Run]) -> str:
    small = [run for run in runs if not run.crowd]
    return (
        f'<h2>All routes, {escape(model)}</h2>'
        f'<h3>{len({run.task for run in small})} tasks among 8 to 22 tools</h3>{_route_table(by_route(small))}'
        f'{_crowds([run for run in runs if run.crowd])}'
    )


def _crowds(runs: Sequence[Run]) -> str:
    """What the same tasks cost as the catalog grows."""
    sizes = sorted({run.crowd for run in runs})
    if not sizes:
        return ''
    head = ''.join(f'<th>{size:,} tools</th>' for size in sizes)
    rows = ''.join(
        f'<tr><td>{_name(route)}</td>{"".join(_crowd_cells(group, size) for size in sizes)}</tr>'
        for route, group in grouped(runs, lambda run: run.route).items()
    )
    return (
        '<h3>Tasks in growing catalogs</h3><p class="dim">Input tokens of a task, and dollars per 100 tasks.</p>'
        f'<div class="scroll"><table><tr><th>route</th>{head}</tr>'
        f'{rows}</table></div>'
    )


def _crowd_cells(runs: Sequence[Run], size: int) -> str:
    here = [run for run in runs if run.crowd == size]
    if not here:
        return '<td></td>'
    one = summary(here)
    wrong = '' if one.right == one.runs else f' ({one.right}/{one.runs} right)'
    return f'<td>{one.input_tokens:,.0f} · ${one.dollars * 100:.2f}{wrong}</td>'


def _route_table(routes: dict[str, Summary]) -> str:
    columns: list[tuple[str, Callable[[Summary], str]]] = [
        ('right', lambda one: f'{one.right}/{one.runs}'),
        ('requests', lambda one: f'{one.requests:.1f}'),
        ('tool calls', lambda one: f'{one.calls:.1f}'),
        ('tokens in', lambda one: f'{one.input_tokens:,.0f}'),
        ('cached', lambda one: f'{one.cached_share:.0%}'),
        ('tokens out', lambda one: f'{one.output_tokens:,.0f}'),
        ('$ per 100', lambda one: f'{one.dollars * 100:.2f}'),
        ('tools, ms', lambda one: f'{one.tool_seconds * 1000:.0f}'),
    ]
    head = ''.join(f'<th>{name}</th>' for name, _ in columns)
    rows = ''.join(
        f'<tr><td>{_name(route)}</td>{"".join(f"<td>{tell(one)}</td>" for _, tell in columns)}</tr>'
        for route, one in routes.items()
    )
    return f'<div class="scroll"><table><tr><th>route</th>{head}</tr>{rows}</table></div>'


def _name(route: str) -> str:
    return f'<span class="swatch" style="background:{colour(route)}"></span>{escape(route)}'


def _kinds(model: str, runs: Sequence[Run]) -> str:
    found = by_kind(run for run in runs if run.route in (*_COMPARED, *_FOUND) and not run.crowd)
    dollars = {kind: {route: one.dollars * 100 for route, one in row.items()} for kind, row in found.items()}
    requests = {kind: {route: one.requests for route, one in row.items()} for kind, row in found.items()}
    asked = bar_chart('Model requests', requests, tell=lambda value: f'{value:.1f}')
    return (
        f'<h2>By kind of task</h2><p class="dim">{escape(model)}. Catalogs of 8 to 22 tools.</p><div class="grid2">'
        f'<div><h3>Dollars per 100 tasks</h3>{bar_chart("Dollars per 100 tasks", dollars, tell=_dollars)}</div>'
        f'<div><h3>Model requests</h3>{asked}</div></div>'
    )


def _ladders(results: Results) -> str:
    if not results.rungs:
        return ''
    sections = [
        f'<h3>{escape(ladder.name)}</h3><p class="dim">{escape(ladder.about)}</p><div class="grid2">'
        f'{_ladder_chart(results, ladder.name, "dollars")}{_ladder_chart(results, ladder.name, _second(ladder.name))}'
        '</div>'
        for ladder in LADDERS
    ]
    return f'<h2>Where the lines cross</h2>{"".join(sections)}'


def _second(ladder: LadderName) -> str:
    return 'input tokens' if ladder in ('tools in the catalog', 'rows of one result') else 'requests'


def _ladder_chart(results: Results, ladder: LadderName, measure: str) -> str:
    found = lines(results.rungs, ladder, MEASURES[measure])
    by_name = {line.route: line for line in found}
    mark = None
    if {'direct', 'code'} <= by_name.keys() and (size := crossing(by_name['code'], by_name['direct'])):
        mark = Mark(size, f'code wins from {size}')
    chart = line_chart(
        {line.route: line.points for line in found},
        title=f'{measure} by {ladder}',
        x_title=_X_TITLES[ladder],
        tell=_dollars if measure == 'dollars' else _short,
        logarithmic=ladder == 'tools in the catalog',
        mark=mark,
    )
    scale = ', both axes logarithmic' if ladder == 'tools in the catalog' else ''
    return f'<div><p class="dim">{escape(_Y_TITLES[measure])} of one task{scale}</p>{chart}</div>'


_X_TITLES: dict[LadderName, str] = {
    'independent calls': 'number of calls',
    'dependent calls': 'number of calls',
    'rows of one result': 'number of rows',
    'tools in the catalog': 'number of tools',
}
_Y_TITLES = {'dollars': 'Price in dollars', 'input tokens': 'Input tokens', 'requests': 'Model requests'}


def _cached(model: str, runs: Sequence[Run]) -> str:
    small = by_route(run for run in runs if not run.crowd)
    shares = {'': {route: one.cached_share for route, one in small.items()}}
    written = {'': {route: one.input_tokens * (1 - one.cached_share) for route, one in small.items()}}
    return (
        f'<h2>What the cache saves</h2><p class="dim">{escape(model)}. The share of input tokens that stand at the'
        ' front of the request before, from the bytes of both; what follows must be read anew. A high share is no'
        ' virtue by itself: many requests over the same text have it too.</p><div class="grid2">'
        f'<div><h3>Cached share, without crowds</h3>'
        f'{bar_chart("Cached share", shares, tell=lambda value: f"{value:.0%}")}</div>'
        f'<div><h3>New input tokens a task, without crowds</h3>'
        f'{bar_chart("New input tokens", written, tell=_short)}</div></div>'
    )


def _losses(runs: Sequence[Run]) -> str:
    """The tasks in which code costs more, so that nobody has to look for them."""
    pairs: dict[str, dict[str, Run]] = {}
    for run in runs:
        if run.route in ('direct', 'code') and run.ok:
            pairs.setdefault(run.task, {})[run.route] = run
    complete = [pair for pair in pairs.values() if len(pair) == 2]
    worse = [pair for pair in complete if pair['code'].cost.dollars > pair['direct'].cost.dollars]
    worse.sort(key=lambda pair: pair['direct'].cost.dollars / pair['code'].cost.dollars)
    rows = ''.join(
        f'<tr><td>{escape(pair["code"].task)}</td><td>{escape(pair["code"].kind)}</td>'
        f'<td>{pair["direct"].direct_calls}</td><td>{_dollars(pair["direct"].cost.dollars * 100)}</td>'
        f'<td>{_dollars(pair["code"].cost.dollars * 100)}</td>'
        f'<td class="bad">{_change(pair["code"].cost.dollars / pair["direct"].cost.dollars)}</td></tr>'
        for pair in worse
    )
    return (
        f'<h2>Where code loses</h2><p>In {len(worse)} of {len(complete)} tasks code costs more than direct calls.</p>'
        '<div class="scroll"><table><tr><th>task</th><th>kind</th><th>calls</th><th>direct, $ per 100</th>'
        f'<th>code, $ per 100</th><th></th></tr>{rows}</table></div>'
    )


def _peers(results: Results) -> str:
    notes = ''.join(f'<p class="dim">{escape(note)}</p>' for note in results.notes)
    if not results.peers:
        return f'<h2>Peers</h2>{notes}'
    shown = tuple(dict.fromkeys(run.route for run in results.peers))
    common = [route for route in shown if sum(run.ok for run in results.peers if run.route == route) > 0]
    alike = comparable(results.peers, common)
    return (
        '<h2>Peers</h2><p>All of these ran in one environment, on the same releases, with the same scripted model.</p>'
        f'{notes}<h3>All tasks</h3>{_route_table(by_route(results.peers))}'
        f'<h3>The {len({run.task for run in alike})} tasks that every route did right</h3>'
        f'{_route_table(by_route(alike))}'
    )


def _transcripts(runs: Sequence[Run]) -> str:
    templates = ''.join(
        f'<template data-task="{escape(run.task)}" data-route="{escape(run.route)}">{_transcript(run)}</template>\n'
        for run in runs
    )
    return (
        '<h2>Transcripts</h2><p class="dim">The same task by two routes. What calls gave stands with them.</p>'
        '<select id="task" aria-label="task"></select><div class="columns">'
        '<div><select id="left" aria-label="left route"></select><div id="left-run"></div></div>'
        '<div><select id="right" aria-label="right route"></select><div id="right-run"></div></div></div>'
        f'{templates}'
    )


def _transcript(run: Run) -> str:
    verdict = 'right' if run.ok else 'wrong'
    took = f'{run.requests} requests · {run.cost.input_tokens:,} tokens in · ${run.cost.dollars:.4f}'
    error = f'<p class="bad">{escape(run.error)}</p>' if run.error else ''
    told = '' if run.told is None else render_fragment(run.told)
    return f'<p class="dim">{verdict} · {took}</p>{error}{told}'


def _foot(results: Results) -> str:
    packages = ', '.join(f'{name} {number}' for name, number in results.setting.packages.items())
    return (
        '<h2>How to read this</h2><p>Prices are list prices by genai-prices. Cached input is what a request shares'
        ' with the one before it in the same run, at least 1,024 tokens, in steps of 128 for OpenAI; new input is'
        ' priced as a cache write on Anthropic. A first request of a run has nothing cached. Time is wall time without'
        " the model. Where nothing else is said, search over tools that may be called directly is the provider's own,"
        ' which costs no request of its own; here it is simulated by counting shared words. Real providers refuse'
        ' requests beyond the context window, and some beyond a number of tools; here they are only priced. In direct'
        ' runs the scripted model does sums in its head without an error and makes independent calls in one turn, which'
        ' is the best that direct calls can do; real models think aloud, and pay for it.</p>'
        f'<p class="dim">Python {escape(results.setting.python)}; {escape(packages)}.</p>'
    )


def _dollars(value: float) -> str:
    return f'${value:.2f}' if value >= 0.1 else f'${value:.3f}' if value >= 0.01 else f'${value:.4f}'


def _short(value: float) -> str:
    if value >= 1_000_000:
        return f'{value / 1_000_000:.1f}M'
    return f'{value / 1000:.1f}k' if value >= 1000 else f'{value:g}' if value == int(value) else f'{value:.1f}'
