"""Rows of a plan: displaying, filling and matching them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any

from toolscript.approvals.pending import Hole, Path, PendingCall, Plan, PlannedRow, Ref, digest
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
