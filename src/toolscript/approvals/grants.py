"""Approvals of calls that are still unknown: more calls of the same tool by the same script, within limits."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import UserError

from toolscript.checks import at_least

from .pending import PendingCall, digest


@dataclass(frozen=True, kw_only=True)
class Grant:
    """A decision for `resolve`: approves the call, and more calls of its tool by the same script, within limits.

    A call outside of the limits asks again. The grant ends with the script.

    Raises:
        UserError: A limit is invalid.
    """

    count: int
    """How many more calls it approves, at least 1. A call that fails counts too."""
    equal: Sequence[str] | None = None
    """The arguments that must be equal to those of this call; others without a limit may be anything. `None`: all
    arguments without a limit must be equal, and there may be no others."""
    maximum: Mapping[str, float] = field(default_factory=dict[str, float])
    """The largest number that an argument may be, by argument."""
    total: Mapping[str, float] = field(default_factory=dict[str, float])
    """The largest sum of an argument's numbers in all these calls, by argument. No number may be below 0."""

    def __post_init__(self) -> None:
        at_least('count of Grant', self.count, 1)
        if isinstance(self.equal, str):
            raise UserError(f'equal of Grant is {self.equal!r}; use a list of arguments: equal=[{self.equal!r}].')
        for name, limits in (('maximum', self.maximum), ('total', self.total)):
            wrong = next((limit for limit in limits.values() if _number(limit) is None), None)
            if wrong is not None:
                raise UserError(f'{name} of Grant has {wrong!r}; use a number for each argument.')

    def check(self, call: PendingCall) -> None:
        """Check that the grant can apply to calls like this one.

        Raises:
            ValueError: The call has no such argument, or its value is not known yet.
        """
        named = [*(self._equal(call)), *self.maximum, *self.total]
        unknown = [name for name in named if name not in call.args]
        if unknown:
            raise ValueError(
                f'Grant names {unknown[0]!r}, which is no argument of this call of {call.tool_name}; use '
                f'{", ".join(call.args) or "none"}.'
            )
        row = call.row
        paths = [] if row is None else [*(hole.path for hole in row.holes), *row.computed]
        open_values = {path[0] for path in paths}
        for name in self._equal(call):
            if name in open_values:
                raise ValueError(
                    f'{name!r} of {call.tool_name} is not known yet, so no other call can have the same. Name the '
                    'arguments that must be equal in Grant(equal=[...]), or give it a maximum.'
                )

    def allowance(self, call: PendingCall, allowance_id: str) -> 'Allowance':
        equal = {name: call.args[name] for name in self._equal(call)}
        is_free = self.equal is not None
        return Allowance(
            allowance_id, call.tool_name, self.count, equal, dict(self.maximum), dict(self.total), is_free=is_free
        )

    def _equal(self, call: PendingCall) -> list[str]:
        if self.equal is not None:
            return [*self.equal]
        return [name for name in call.args if name not in self.maximum and name not in self.total]


@dataclass(frozen=True)
class Use:
    """A call's use of one approval of an allowance. The journal has it with the start of the call."""

    allowance_id: str
    amounts: dict[str, float] = field(default_factory=dict[str, float])
    """The numbers of the arguments whose sum is limited."""


@dataclass
class Allowance:
    """What is approved of a script's calls of one tool, and which calls have used it."""

    id: str
    tool_name: str
    count: int | None = None
    """`None`: all calls."""
    equal: dict[str, Any] = field(default_factory=dict[str, Any])
    maximum: dict[str, float] = field(default_factory=dict[str, float])
    total: dict[str, float] = field(default_factory=dict[str, float])
    uses: dict[str, Use] = field(default_factory=dict[str, Use])
    """By call, so that a use that is recorded twice counts once."""
    is_free: bool = True
    """Whether calls may have arguments that are not mentioned."""

    def use_for(self, call_id: str, tool_name: str, args: Mapping[str, Any]) -> Use | None:
        """Return what a call would use of it; `None` if it does not approve the call."""
        others = [use for other, use in self.uses.items() if other != call_id]
        if tool_name != self.tool_name or (self.count is not None and len(others) >= self.count):
            return None
        if not self.is_free and not args.keys() <= {*self.equal, *self.maximum, *self.total}:
            return None
        same = {name: args[name] for name in self.equal if name in args}
        if len(same) != len(self.equal) or digest('', same) != digest('', self.equal):
            return None
        numbers = {name: _number(args.get(name)) for name in (*self.maximum, *self.total)}
        amounts = {name: number for name, number in numbers.items() if number is not None}
        if len(amounts) != len(numbers) or any(amounts[name] > most for name, most in self.maximum.items()):
            return None
        for name, most in self.total.items():
            before = sum(use.amounts.get(name, 0) for use in others)
            if amounts[name] < 0 or before + amounts[name] > most:
                return None
        return Use(self.id, {name: amounts[name] for name in self.total})


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return value
