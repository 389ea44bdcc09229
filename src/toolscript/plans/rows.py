"""Rows of a plan: displaying, filling and matching them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from itertools import groupby
from typing import Any

from toolscript.approvals.pending import Hole, Path, PendingCall, Plan, PlannedRow, Ref, digest
from toolscript.approvals.review import CallTooLong, excerpt, leaves, plain
from toolscript.durability.journal import CallEntry, Finished
from toolscript.guards import is_array, is_object

Values = Callable[[Ref], Any]
"""Looks up the real value of a part of a row's result. Raises `LookupError` if there is none."""


def shown(args: Mapping[str, Any], holes: Iterable[Hole]) -> dict[str, Any]:
    """Return arguments for display: a made-up value is replaced by the origin of the real one."""
    return _with(args, ((hole.path, ''.join(map(str, hole.parts))) for hole in holes))


def filled(call: PendingCall, args: Mapping[str, Any], value_of: Values, *, as_text: bool = False) -> dict[str, Any]:
    """Return arguments with real values for the holes; values that a reviewer changed remain.

    With `as_text`, whole values become text, as a script may have written them. Raises `LookupError` if one is missing.
    """
    assert call.row is not None
    changes = list[tuple[Path, Any]]()
    for hole in call.row.holes:
        if _at(args, hole.path) == ''.join(map(str, hole.parts)):
            values = [value_of(part) if isinstance(part, Ref) else part for part in hole.parts]
            single = len(values) == 1 and not as_text
            changes.append((hole.path, values[0] if single else ''.join(map(str, values))))
    return _with(args, changes)


def is_same(call: PendingCall, tool_name: str, args: Mapping[str, Any], value_of: Values) -> bool:
    if call.tool_name != tool_name:
        return False
    wanted = digest(tool_name, args)
    try:
        return any(
            digest(tool_name, filled(call, call.args, value_of, as_text=as_text)) == wanted for as_text in (False, True)
        )
    except LookupError:
        return False


def values_of(plan: Plan, ended: Mapping[int, CallEntry]) -> Values:
    """Return a function that looks up the results of rows that were executed."""

    def value_of(ref: Ref) -> Any:
        entry = ended.get(plan.claimed.get(ref.row, 0))
        if entry is None or not isinstance(entry.outcome, Finished):
            raise LookupError(ref)
        return part_of(entry.outcome.value, ref.path)

    return value_of


def as_known(call: PendingCall, value_of: Values) -> dict[str, Any]:
    """Return the arguments of a row, with the real values if all of them are known."""
    try:
        return filled(call, call.args, value_of)
    except LookupError:
        return call.args


def part_of(value: Any, path: Path) -> Any:
    """Return a part of a result. Raises `LookupError` if the part does not exist."""
    part: object = value
    for key in path:
        if is_object(part):
            part = part[str(key)]
        elif is_array(part) and isinstance(key, int):
            part = part[key]
        else:
            raise LookupError(key)
    return part


def differing(one: Any, other: Any, path: Path = ()) -> list[Path]:
    """Return the paths at which two values differ, descending while both have the same keys."""
    if is_object(one) and is_object(other) and one.keys() == other.keys():
        return [found for key in one for found in differing(one[key], other[key], (*path, key))]
    if is_array(one) and is_array(other) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [found for index, pair in pairs for found in differing(*pair, (*path, index))]
    return [] if type(one) is type(other) and one == other else [path]


def row_of(call: PendingCall) -> PlannedRow:
    assert call.row is not None
    return call.row


def _at(value: Any, path: Path) -> Any:
    try:
        return part_of(value, path)
    except LookupError:
        return None


def _with(args: Mapping[str, Any], changes: Iterable[tuple[Path, Any]]) -> dict[str, Any]:
    changed = deepcopy(dict(args))
    for path, value in changes:
        part_of(changed, path[:-1])[path[-1]] = value
    return changed


MAX_CHARS = 20_000


def plan_text(calls: Sequence[PendingCall], max_chars: int = MAX_CHARS) -> str:
    """Return the rows of a plan. Those of one line share what they have in common. Raises `CallTooLong`."""
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
