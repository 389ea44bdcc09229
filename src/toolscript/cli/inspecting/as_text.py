"""An inspection as text, 80 columns wide."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from textwrap import fill

from toolscript.cli.inspecting.inspection import Inspection
from toolscript.cli.inspecting.tool_warnings import HEADINGS, Warned, kind_of
from toolscript.cli.inspecting.weighed import WeighedTool
from toolscript.history import Bounds, render_text, transcript_of
from toolscript_signatures import with_visible

WHOLE = Bounds(chars=200_000, all_chars=20_000_000)
_MOST_TOOLS = 25
_MOST_NAMED = 5
_MOST_CHANGED = 76


def inspection_text(inspection: Inspection, *, brief: bool, every: bool, width: int = 80) -> str:
    """All of it: what is shown, what it takes, what is wrong.

    Args:
        inspection: What to tell.
        brief: Leave out what is shown.
        every: List every tool and every warning, however many they are.
        width: In columns.
    """
    parts = [_sizes(inspection, width)]
    if not brief:
        parts.append(_title('What a model is shown', width))
        parts.append(render_text(transcript_of(inspection.played.messages, bounds=WHOLE), width=width))
    parts += [
        _title('What a discovery costs', width),
        discovery_words(inspection),
        _title('What each tool takes', width),
        _tools(inspection, every, width),
        _title('Warnings', width),
        _warnings(inspection.warnings, every, width),
    ]
    return with_visible('\n'.join(parts))


def _title(text: str, width: int) -> str:
    return f'\n{text}\n{"─" * min(len(text), width)}'


def _sizes(inspection: Inspection, width: int) -> str:
    many = Counter(tool.source for tool in inspection.tools)
    rows = [(name, *_sums([tool for tool in inspection.tools if tool.source == name])) for name in many]
    rows.append(('all', *_sums(inspection.tools)))
    head = f'{"":{width - 44}} {"tools":>8} {"JSON tools":>16} {"signatures":>16}'
    lines = [f'{_cut(name, width - 44):{width - 44}} {n:>8,} {j:>9,} tokens {s:>9,} tokens' for name, n, j, s in rows]
    return '\n'.join([_cut(inspection.target, width), '', head, *lines, '', first_words(inspection)])


def first_words(inspection: Inspection) -> str:
    """What the first request takes, and what it would take."""
    deferred = inspection.all_deferred
    if deferred is None:
        return f'The first request takes {inspection.played.first_tokens:,} tokens (estimated).'
    return (
        f'The first request takes {inspection.played.first_tokens:,} tokens; '
        f'were all tools deferred, {deferred.first_tokens:,} (estimated).'
    )


def _sums(tools: 'tuple[WeighedTool, ...] | list[WeighedTool]') -> tuple[int, int, int]:
    return len(tools), sum(tool.json_tokens for tool in tools), sum(tool.signature_tokens for tool in tools)


def discovery_words(inspection: Inspection) -> str:
    """What one discovery does to the request after it."""
    played = inspection.discovering
    if played.found is None:
        return 'Nothing is deferred, so there is nothing to discover.'
    change = played.change
    if change is None:
        return (
            f'Finding {played.found} changes no byte of the request before; {played.read_anew:,} tokens are appended.'
        )
    return (
        f'Finding {played.found} changes the {change.section} at byte {change.byte:,} of the request before:\n'
        f'  - {_cut(change.before, _MOST_CHANGED)}\n  + {_cut(change.after, _MOST_CHANGED)}\n'
        f'A cache ends there: {played.read_anew:,} tokens behind it are read anew, once for each discovery.\n'
        "CodeModeToolset(..., catalog='append') only appends instead."
    )


def _tools(inspection: Inspection, every: bool, width: int) -> str:
    heaviest = sorted(inspection.tools, key=lambda tool: -tool.signature_tokens)
    shown = heaviest if every else heaviest[:_MOST_TOOLS]
    room = width - 44
    head = f'{"tokens":{room}} {"as JSON":>10} {"as signature":>13} {"defer if needed":>18}'
    lines = [head, *(_tool(inspection, tool, room) for tool in shown)]
    if len(heaviest) > len(shown):
        lines.append(f'… {len(heaviest) - len(shown):,} more; --all lists them.')
    return '\n'.join(lines)


def _tool(inspection: Inspection, tool: WeighedTool, room: int) -> str:
    share = inspection.pays_below(tool)
    pays = '' if share is None else f'in < {share:.0%}'
    return f'{_cut(tool.name, room):{room}} {tool.json_tokens:>10,} {tool.signature_tokens:>13,} {pays:>18}'


def _warnings(warnings: tuple[Warned, ...], every: bool, width: int) -> str:
    return '\n'.join(_grouped(warnings, every, width)) if warnings else 'None.'


def _grouped(warnings: tuple[Warned, ...], every: bool, width: int) -> Iterator[str]:
    for kind, group in groupby(warnings, key=kind_of):
        found = [*group]
        yield f'{HEADINGS[kind]}: {len(found):,}'
        shown = found if every else found[:_MOST_NAMED]
        yield from (
            _wrapped(f'{warned.name}: {warned.text}' if warned.text else warned.name, width) for warned in shown
        )
        if len(found) > len(shown):
            yield f'  … {len(found) - len(shown):,} more'


def _wrapped(text: str, width: int) -> str:
    return fill(text, width, initial_indent='  ', subsequent_indent='    ')


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f'{text[: width - 1]}…'
