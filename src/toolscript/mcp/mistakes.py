"""The mistakes in a configuration, each with its place in the data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError
from rapidfuzz.process import extractOne

from toolscript.discovery.search_config import ConfigError
from toolscript.guards import is_object


class TargetError(ConfigError):
    """A target that cannot be used; the message names the file, each place, and what to do."""

    def __init__(self, target: str, mistakes: Sequence[str]) -> None:
        if len(mistakes) == 1:
            text = f'{target}: {mistakes[0]}'
        else:
            text = '\n'.join([f'{target} has {len(mistakes)} mistakes:', *(f'  {each}' for each in mistakes)])
        super().__init__(text)
        self.target = target
        self.mistakes: tuple[str, ...] = tuple(mistakes)


def mistakes_in(
    error: ValidationError, known: Callable[[Sequence[str | int]], Iterable[str]], place: Sequence[str | int] = ()
) -> list[str]:
    """Returns one line for each mistake that pydantic found in data that is at this place of a file.

    `known` returns the keys of a place in the data, to suggest one for an unknown key.
    """
    return [_mistake(problem, known, place) for problem in error.errors(include_url=False)]


def closest(name: str, known: Iterable[str]) -> str | None:
    """Returns the name that a misspelled one is meant for; `None` if none is similar."""
    found = extractOne(name, [*known], score_cutoff=75)
    return None if found is None else found[0]


def place_of(path: Iterable[str | int]) -> str:
    return ''.join(f'[{step}]' if isinstance(step, int) else f'.{step}' for step in path).removeprefix('.')


def _mistake(
    problem: Mapping[str, Any], known: Callable[[Sequence[str | int]], Iterable[str]], place: Sequence[str | int]
) -> str:
    # pydantic names the members of a union in the place, as `list[str]`.
    path = [*place, *(step for step in problem['loc'] if isinstance(step, int) or step.isidentifier())]
    where = place_of(path)
    if problem['type'] == 'extra_forbidden':
        names = [*known(path[:-1])]
        meant = closest(str(path[-1]), names)
        hint = f'is {meant!r} meant?' if meant else f'there are {", ".join(names)}.'
        return f'{where}: unknown key; {hint}'
    given = problem.get('input')
    shown = '' if is_object(given) or problem['type'] == 'value_error' else f' (it is {given!r})'
    return f'{where}: {str(problem["msg"]).removeprefix("Value error, ")}{shown}.'
