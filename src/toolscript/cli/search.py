"""`toolscript search`."""

import asyncio
import json
from dataclasses import asdict, dataclass
from textwrap import fill, shorten
from typing import Annotated

import typer
from pydantic_ai.tools import ToolDefinition

from toolscript.discovery.search_tool import one_line
from toolscript.discovery.searching import advice_on, documents_in_turns
from toolscript.routing.rules import server_of
from toolscript.search import QueryError
from toolscript.search.index import Index
from toolscript.search.ranked import Explanation, RankedIndex
from toolscript_signatures import with_visible

from .connections import listed, opened, real_tools
from .terminal import AsJson, CommandError, Exit, Inputs, TargetText, complain, working, write

_MAX_WORDS = 5
_WIDTH = 80


@dataclass(frozen=True)
class _Found:
    tool: ToolDefinition
    why: Explanation | None
    """`None` if the query names the tool, so that no score is needed."""
    shown: bool
    """Whether a model's search would return it."""


def search_command(
    target: TargetText,
    query: Annotated[str, typer.Argument(help='What a model would search for.', show_default=False)],
    limit: Annotated[int, typer.Option('--limit', '-n', min=1, help='How many tools a model asks for.')] = 5,
    as_json: AsJson = False,
    inputs: Inputs = None,
) -> None:
    """Search the tools as a model would, and see why each is found.

    Searches all tools of the target, deferred or not. The exit code is 1 if nothing is found.

    Examples:

    toolscript search mcp.json 'merge a pull request'

    toolscript search mcp.json '+invoice server:billing' -n 10 --json
    """
    found, advice = asyncio.run(_search(target, query, limit, inputs or []))
    if as_json:
        write(json.dumps([_as_data(each) for each in found], ensure_ascii=False, indent=2))
    elif found:
        lines: list[str] = []
        for number, each in enumerate(found, start=1):
            if not each.shown and found[number - 2].shown:
                lines += ['', f'── a model gets those above {"─" * (_WIDTH - 27)}', '']
            lines += _lines(number, each)
        write(with_visible('\n'.join(lines)))
    if not found:
        complain(' '.join(filter(None, ['nothing is found.', advice])))
        raise typer.Exit(Exit.NO)


async def _search(text: str, query: str, limit: int, inputs: list[str]) -> tuple[list[_Found], str | None]:
    """Return a query's results, twice as many as a model gets, and the message for the model if there are none."""
    async with opened(text, inputs) as live:
        with working('searching …'):
            tools = [tool.tool_def for tool in real_tools(await listed(live.toolset)).values()]
            ranking = RankedIndex(await documents_in_turns(tools))
            index = Index([tool.name for tool in tools], ranking)
            try:
                shown = index.worth_reading(query, limit=limit)
                names = dict.fromkeys([*shown, *index.search(query, limit=2 * limit)])
                why = {each.name: each for each in ranking.explained(query, limit=4 * limit)}
            except QueryError as error:
                raise CommandError(str(error), Exit.USAGE) from error
            by_name = {tool.name: tool for tool in tools}
            found = [_Found(by_name[name], why.get(name), name in shown) for name in names]
            return found, advice_on(query, shown, tools)


def _lines(number: int, found: _Found) -> list[str]:
    server = f'  ({server})' if (server := server_of(found.tool)) else ''
    score = 'named in the query' if found.why is None else f'{found.why.score:.2f}'
    lines = [f'{number:>2}. {found.tool.name}  {score}{server}'[:_WIDTH]]
    if found.tool.description:
        lines.append(f'    {shorten(one_line(found.tool) or "", _WIDTH - 4, placeholder="…")}')
    if found.why is not None:
        bonus = [f'bonus for its name {found.why.bonus:.2f}'] if found.why.bonus >= 0.005 else []
        fields = [*(f'{name} {score:.2f}' for name, score in found.why.fields.items()), *bonus]
        words = [f'{each.term}{"" if each.in_query else " (related)"} {each.score:.2f}' for each in found.why.reasons]
        for label, parts in (('    by field: ', fields), ('    by word:  ', words[:_MAX_WORDS])):
            lines.append(fill(f'{label}{", ".join(parts)}', _WIDTH, subsequent_indent=' ' * len(label)))
    return lines


def _as_data(found: _Found) -> dict[str, object]:
    return {
        'name': found.tool.name,
        'server': server_of(found.tool),
        'description': found.tool.description,
        'shown': found.shown,
        'why': None if found.why is None else asdict(found.why),
    }
