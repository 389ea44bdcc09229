"""Formats a plan as text for the person who decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from toolscript.approvals.pending import PendingCall
from toolscript.approvals.review import CallTooLong, excerpt, leaves, plain

from .rows import row_of

MOST_CHARS = 20_000


def plan_text(calls: Sequence[PendingCall], max_chars: int = MOST_CHARS) -> str:
    """Return the rows of a plan in order: tools, lines and arguments. Rows on one line share what they have in common.

    Raises:
        CallTooLong: The rows do not fit into `max_chars`. Decide about them individually.
    """
    groups = [list(group) for _, group in groupby(calls, key=lambda call: (call.tool_name, row_of(call).line))]
    room = max(100, (max_chars - 100 * len(calls)) // max(1, len(calls)))
    text = f'{_times(len(calls), "change")}:\n' + '\n'.join(_group(group, room, max_chars) for group in groups)
    if len(text) > max_chars:
        raise CallTooLong(calls[0].tool_name, max_chars)
    return text


def _group(calls: list[PendingCall], room: int, max_chars: int) -> str:
    if len(calls) == 1:
        return calls[0].render(max_chars)
    rows = [dict(leaves(call.args, max_chars) or [('', None)]) for call in calls]
    if any('' in row for row in rows):
        raise CallTooLong(calls[0].tool_name, max_chars)
    first, line = rows[0], row_of(calls[0]).line
    common = {name for name in first if all(name in row and row[name] == first[name] for row in rows)}
    sums = [f'{name} adds up to {total:,}' for name in first if (total := _sum([row.get(name) for row in rows]))]
    of = f' of {plain(calls[0].server)}' if calls[0].server else ''
    where = '' if line is None else f', line {line}'
    header = f'{plain(calls[0].tool_name)}{of}, {_times(len(calls), "call")}{where}'
    text = f'{header}{"".join(f"; {one}" for one in sums)}:'
    for name in common:
        text += f'\n  {name} = {excerpt(first[name], room)} (in all)'
    shown = list[tuple[str, int]]()
    for row, call in zip(rows, calls, strict=True):
        arguments = ', '.join(f'{name} = {excerpt(value, room)}' for name, value in row.items() if name not in common)
        facts = row_of(call)
        notes = '; '.join(note for note in facts.notes[1:] if note != f'only if row {facts.number - 1} succeeds')
        shown.append((f'{arguments or "the same"}' + (f' ({notes})' if notes else ''), facts.number))
    for line_of_row, equal in groupby(shown, key=lambda item: item[0]):
        numbers = [number for _, number in equal]
        which = f'row {numbers[0]}' if len(numbers) == 1 else f'rows {numbers[0]} to {numbers[-1]}, equal'
        text += f'\n  {which}: {line_of_row}'
    if any(row_of(call).only_if == row_of(call).number - 1 for call in calls):
        text += '\n  each row only if the one before succeeds, unless it says otherwise'
    return text


def _sum(values: list[object]) -> float:
    """Return the sum of numbers, if they differ; 0 for anything else."""
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    return sum(numbers) if len(numbers) == len(values) and len({*numbers}) > 1 else 0


def _times(number: int, what: str) -> str:
    return f'{number} {what}' if number == 1 else f'{number} {what}s'
