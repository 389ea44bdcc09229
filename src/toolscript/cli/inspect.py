"""`toolscript inspect`."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import fill
from typing import Annotated

import typer

from toolscript.history import Bounds, render_text, transcript_of
from toolscript_signatures import with_visible

from .connections import opened
from .inspection import HEADINGS, Inspection, Kind, ToolWarning, WeighedTool, inspect
from .terminal import AsJson, Exit, Inputs, TargetText, remark, results, working, write

_WHOLE = Bounds(chars=200_000, all_chars=20_000_000)
_MAX_TOOLS = 25
_MAX_NAMED = 5
_MAX_CHANGED = 76


def inspect_command(
    target: TargetText,
    as_json: AsJson = False,
    strict: Annotated[bool, typer.Option('--strict', help='Exit with code 1 if there are warnings.')] = False,
    brief: Annotated[bool, typer.Option('--brief', help='Leave out the text that a model reads.')] = False,
    every: Annotated[bool, typer.Option('--all', help='List all tools and warnings, however many.')] = False,
    prompt: Annotated[str, typer.Option(help='What the user says in the first request.')] = 'Hello.',
    inputs: Inputs = None,
) -> None:
    """Show what a model sees, and what it costs in tokens.

    Shows the first request word for word, then one after a discovery; the tokens of each tool as a JSON tool and as a
    signature; how rarely a tool must be used for deferring to pay off; and warnings. No tool is called.

    Examples:

    toolscript inspect mcp.json

    toolscript inspect shop.agents:support --prompt 'Refund order 17'

    toolscript inspect mcp.json --json --strict > inspected.json
    """
    inspection = asyncio.run(_inspect(target, inputs or [], prompt))
    if as_json:
        write(json.dumps(inspection.as_data(), ensure_ascii=False, indent=2))
    else:
        width = max(60, results().width) if sys.stdout.isatty() else 80
        write(_render(inspection, brief=brief, every=every, width=width))
    if strict and inspection.warnings:
        remark(f'{len(inspection.warnings):,} warnings')
        raise typer.Exit(Exit.NO)


async def _inspect(text: str, inputs: list[str], prompt: str) -> Inspection:
    async with opened(text, inputs) as live:
        with working('looking at the tools …'):
            return await inspect(live, prompt)


def _render(inspection: Inspection, *, brief: bool, every: bool, width: int) -> str:
    parts = [*_sizes(inspection, width)]
    if not brief:
        messages = render_text(transcript_of(inspection.shown.messages, bounds=_WHOLE), width=width)
        parts += [_title('What a model is shown'), messages]
    parts += [_title('What a discovery costs'), *_discovery(inspection)]
    parts += [_title('What each tool costs'), *_tools(inspection, every, width)]
    parts += [_title('Data-flow rules'), *_flows(inspection, width)] if inspection.flows else []
    parts += [_title('Warnings'), *(_warnings(inspection, every, width) if inspection.warnings else ['None.'])]
    return with_visible('\n'.join(parts))


def _title(text: str) -> str:
    return f'\n{text}\n{"─" * len(text)}'


def _sizes(inspection: Inspection, width: int) -> Iterator[str]:
    def row(name: str, tools: list[WeighedTool]) -> str:
        as_json = sum(tool.json_tokens for tool in tools)
        signatures = sum(tool.signature_tokens for tool in tools)
        return f'{_cut(name, room):{room}} {len(tools):>8,} {as_json:>9,} tokens {signatures:>9,} tokens'

    room = width - 44
    yield _cut(inspection.target, width)
    yield f'\n{"":{room}} {"tools":>8} {"JSON tools":>16} {"signatures":>16}'
    for name in Counter(tool.source for tool in inspection.tools):
        yield row(name, [tool for tool in inspection.tools if tool.source == name])
    yield row('all', [*inspection.tools])
    deferred = inspection.all_deferred
    if_deferred = '' if deferred is None else f'; were all tools deferred, {deferred.first_tokens:,}'
    yield f'\nThe first request takes {inspection.shown.first_tokens:,} tokens{if_deferred} (estimated).'


def _discovery(inspection: Inspection) -> Iterator[str]:
    discovery = inspection.discovery
    if discovery.found is None:
        yield 'Nothing is deferred, so there is nothing to discover.'
    elif (change := discovery.change) is None:
        yield f'Finding {discovery.found} changes no byte of the request before, and appends'
        yield f'{discovery.read_again:,} tokens.'
    else:
        yield f'Finding {discovery.found} changes the {change.section} at byte {change.byte:,} of the request before:'
        yield f'  - {_cut(change.before, _MAX_CHANGED)}\n  + {_cut(change.after, _MAX_CHANGED)}'
        yield f'The cache ends there: {discovery.read_again:,} tokens after it are read again, for each discovery.'
        yield "CodeModeToolset(..., catalog='append') only appends instead."


def _tools(inspection: Inspection, every: bool, width: int) -> Iterator[str]:
    heaviest = sorted(inspection.tools, key=lambda tool: -tool.signature_tokens)
    shown = heaviest if every else heaviest[:_MAX_TOOLS]
    room = width - 44
    yield f'{"tokens":{room}} {"as JSON":>10} {"as signature":>13} {"defer if needed":>18}'
    for tool in shown:
        share = inspection.pays_below(tool)
        pays = '' if share is None else f'in < {share:.0%}'
        yield f'{_cut(tool.name, room):{room}} {tool.json_tokens:>10,} {tool.signature_tokens:>13,} {pays:>18}'
    if len(heaviest) > len(shown):
        yield f'… {len(heaviest) - len(shown):,} more; --all lists them.'


def _flows(inspection: Inspection, width: int) -> Iterator[str]:
    for effect in inspection.flows:
        arguments = 'all arguments' if effect.arguments is None else ', '.join(effect.arguments)
        text = f'{effect.then}: from {_names(effect.sources)} to {arguments} of {_names(effect.sinks)}'
        yield fill(text, width, subsequent_indent='  ')


def _names(tools: Sequence[str]) -> str:
    return ', '.join(tools) or 'no tool'


def _warnings(inspection: Inspection, every: bool, width: int) -> Iterator[str]:
    for kind, group in groupby(inspection.warnings, key=_kind):
        found = [*group]
        yield f'{HEADINGS[kind]}: {len(found):,}'
        for warning in found if every else found[:_MAX_NAMED]:
            text = f'{warning.name}: {warning.text}' if warning.text else warning.name
            yield fill(text, width, initial_indent='  ', subsequent_indent='    ')
        if len(found) > _MAX_NAMED and not every:
            yield f'  … {len(found) - _MAX_NAMED:,} more'


def _kind(warning: ToolWarning) -> Kind:
    return warning.kind


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f'{text[: width - 1]}…'
