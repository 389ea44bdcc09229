"""`toolscript search`."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from textwrap import fill
from typing import Annotated

import typer
from pydantic_ai.tools import ToolDefinition

from toolscript.discovery.search_tool import one_line
from toolscript.discovery.searching import advice_on, documents_of
from toolscript.routing.rules import server_of
from toolscript.search import QueryError
from toolscript.search.explained import Explained
from toolscript.search.index import Index
from toolscript.search.ranked import RankedIndex
from toolscript_signatures import with_visible

from .calling import listed, real_tools, together
from .console import complain, working, write
from .exits import CommandError, Exit
from .opening import opened
from .shared_options import Inputs, TargetText

_SHOWN_REASONS = 5
_WIDTH = 80


@dataclass(frozen=True)
class Found:
    """A tool that a query found."""

    tool: ToolDefinition
    explained: Explained | None
    """`None` where the query names it, so that no score is needed."""
    is_told: bool
    """Whether a model that searches is told of it."""


def search_command(
    target: TargetText,
    query: Annotated[str, typer.Argument(help='What a model would search for.', show_default=False)],
    limit: Annotated[int, typer.Option('--limit', '-n', min=1, help='How many tools a model asks for.')] = 5,
    as_json: Annotated[bool, typer.Option('--json', help='As JSON, for scripts.')] = False,
    inputs: Inputs = None,
) -> None:
    """Search the tools as a model would, and see why each is found.

    All of the target's tools are searched, deferred or not. Ends with 1 if nothing is found.

    Examples:

    toolscript search mcp.json 'merge a pull request'

    toolscript search mcp.json '+invoice server:billing' -n 10 --json
    """
    found, advice = asyncio.run(_searched(target, query, limit, inputs or []))
    if as_json:
        write(json.dumps([_as_json(each) for each in found], ensure_ascii=False, indent=2))
    elif found:
        write(with_visible('\n'.join(_lines(found))))
    if not found:
        complain(' '.join(filter(None, ['nothing is found.', advice])))
        raise typer.Exit(Exit.NO)


async def _searched(text: str, query: str, limit: int, inputs: list[str]) -> tuple[list[Found], str | None]:
    async with opened(text, inputs) as (_, live):
        with working('searching …'):
            tools = [tool.tool_def for tool in real_tools(await listed(together(live))).values()]
            try:
                return found_by(query, tools, limit)
            except QueryError as error:
                raise CommandError(str(error), Exit.USAGE) from error


def found_by(query: str, tools: Sequence[ToolDefinition], limit: int) -> tuple[list[Found], str | None]:
    """The tools that a query finds, with twice as many as a model is told of, and what a model is told if it misses.

    Raises:
        QueryError: The query is blank or broken.
    """
    ranking = RankedIndex(documents_of(tools))
    index = Index([tool.name for tool in tools], ranking)
    told = index.worth_reading(query, limit=limit)
    beyond = index.search(query, limit=2 * limit)
    by_name = {tool.name: tool for tool in tools}
    reasons = {each.name: each for each in ranking.explained(query, limit=4 * limit)}
    names = [*told, *(name for name in beyond if name not in told)]
    found = [Found(by_name[name], reasons.get(name), name in told) for name in names]
    return found, advice_on(query, told, tools)


def _lines(found: Sequence[Found]) -> list[str]:
    lines: list[str] = []
    for number, each in enumerate(found, start=1):
        if not each.is_told and found[number - 2].is_told:
            lines += ['', f'── a model is told of those above {"─" * (_WIDTH - 34)}', '']
        lines += _told(number, each)
    return lines


def _told(number: int, found: Found) -> list[str]:
    server = f'  ({server})' if (server := server_of(found.tool)) else ''
    score = 'named in the query' if found.explained is None else f'{found.explained.score:.2f}'
    lines = [_cut(f'{number:>2}. {found.tool.name}  {score}{server}')]
    if found.tool.description:
        lines.append(_cut(f'    {one_line(found.tool)}'))
    if found.explained is not None:
        parts = [f'{name} {score:.2f}' for name, score in found.explained.fields.items()]
        parts += [f'bonus for its name {found.explained.bonus:.2f}'] if found.explained.bonus >= _LEAST else []
        lines.append(_wrapped('    by field: ', parts))
        shown = found.explained.reasons[:_SHOWN_REASONS]
        words = [f'{each.term}{"" if each.said else " (related)"} {each.score:.2f}' for each in shown]
        lines.append(_wrapped('    by word:  ', words))
    return lines


_LEAST = 0.005


def _as_json(found: Found) -> dict[str, object]:
    explained = None if found.explained is None else asdict(found.explained)
    return {
        'name': found.tool.name,
        'server': server_of(found.tool),
        'description': found.tool.description,
        'told': found.is_told,
        'why': explained,
    }


def _wrapped(label: str, parts: Sequence[str]) -> str:
    return fill(f'{label}{", ".join(parts)}', _WIDTH, subsequent_indent=' ' * len(label))


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else f'{line[: _WIDTH - 1]}…'
