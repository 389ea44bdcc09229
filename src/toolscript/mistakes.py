"""The mistakes in settings and configurations, each with its place in the data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from pydantic import ValidationError

from .guards import is_object

Place: TypeAlias = Sequence[str | int]
"""The keys and indexes that lead to a value."""


class ConfigError(ValueError):
    """Invalid settings; the message names the file, the field and the mistake."""


class TargetError(ConfigError):
    """A target that cannot be used; the message names the file, each place, and what to do."""

    def __init__(self, target: str, mistakes: Sequence[str]) -> None:
        super().__init__(listed(target, mistakes))
        self.target = target
        self.mistakes: tuple[str, ...] = tuple(mistakes)


def listed(where: str, mistakes: Sequence[str]) -> str:
    """Return the mistakes of a file or an object in one text."""
    if len(mistakes) == 1:
        return f'{where}: {mistakes[0]}'
    return '\n'.join([f'{where} has {len(mistakes)} mistakes:', *(f'  {each}' for each in mistakes)])


def mistakes_in(error: ValidationError, known: Callable[[Place], Iterable[str]], within: Place = ()) -> list[str]:
    """Return one line for each mistake that pydantic found in data that is at the place `within` a file.

    `known` returns the keys of a place in the data, to suggest one for an unknown key.
    """
    found = dict[tuple[str | int, ...], Mapping[str, Any]]()
    for problem in error.errors(include_url=False):
        # pydantic names the alternatives of a value in the place, as `list[str]`.
        steps = [step for step in problem['loc'] if step not in _FORMS and not str(step).startswith(_FORMS_OF)]
        found.setdefault((*within, *steps), problem)
    # Of several alternatives, the one with the deepest mistake is meant.
    meant = [place for place in found if not any(one != place == one[: len(place)] for one in found)]
    return [_mistake(place, found[place], known) for place in meant]


def first_mistake(error: ValidationError) -> str:
    """Return the first mistake in data that a program wrote, and where it is."""
    first = error.errors(include_url=False, include_input=False)[0]
    return f'{first["msg"]} (at {".".join(map(str, first["loc"])) or "its start"})'


_FORMS = frozenset(['str', 'bool', 'int', 'float', 'none', '[key]'])
_FORMS_OF = ('list[', 'dict[', 'literal[', 'function-')


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the name that a misspelled one is meant for; `None` if none is similar."""
    from rapidfuzz.process import extractOne

    found = extractOne(name, [*known], score_cutoff=75)
    return None if found is None else found[0]


def written(place: Place) -> str:
    """Return a place in the data, as `eager_tools.github[1]`."""
    return ''.join(f'.{step}' if _is_plain(step) else f'[{step!r}]' for step in place).removeprefix('.')


def _is_plain(step: int | str) -> bool:
    return isinstance(step, str) and step.replace('-', '_').isidentifier()


def _mistake(place: Place, problem: Mapping[str, Any], known: Callable[[Place], Iterable[str]]) -> str:
    if problem['type'] == 'extra_forbidden':
        names = [*known(place[:-1])]
        meant = closest(str(place[-1]), names)
        hint = f'is {meant!r} meant?' if meant else f'there are {", ".join(names)}.'
        return f'{written(place)}: unknown key; {hint}'
    given = problem.get('input')
    shown = '' if is_object(given) or problem['type'] == 'value_error' else f' (it is {given!r})'
    message = str(problem['msg']).removeprefix('Value error, ').removesuffix('.')
    return f'{written(place)}: {message}{shown}.'
