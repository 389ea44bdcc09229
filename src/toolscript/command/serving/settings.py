"""`toolscript.toml`: how a target is served."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError
from pydantic_ai import UserError
from pydantic_ai.toolsets import AbstractToolset

from toolscript.checks import at_least
from toolscript.code_mode_toolset import CodeModeToolset
from toolscript.command.targets import Mistake, TargetError
from toolscript.command.targets.mistakes import place_of as written
from toolscript.discovery.searchable_toolset import SearchableToolset
from toolscript.from_data import names_at, place_of, spec_of
from toolscript.guards import is_object, items
from toolscript.routing.rules import ToolRule
from toolscript.settings import SearchableCodeModeSettings

FILE = 'toolscript.toml'
_WHOLE = 8_000_000
"""So much of a result reaches the server, which keeps what is too long to be told."""


@dataclass(kw_only=True)
class ServeSettings(SearchableCodeModeSettings):
    """How a target is served: the settings of code mode, some of them with other defaults."""

    defer: Literal['marked', 'auto', 'all'] = 'auto'  # pyright: ignore[reportIncompatibleVariableOverride]
    """Which tools wait to be found: those that say so, or all once there are many, or all."""
    catalog: Literal['description', 'append'] = 'append'
    """Where the signature of a tool that was found is told: in the answer that found it, which each client shows its
    model; or in `run_code`'s description, for clients that read their tools again."""
    start_seconds: float = 8.0
    """How long a list of tools waits for servers that start; clients themselves wait for half a minute or so."""

    def __post_init__(self) -> None:
        at_least('max_result_chars', self.max_result_chars, 1)

    def offered(self, toolset: AbstractToolset[Any]) -> CodeModeToolset[Any]:
        """The toolset in code mode, behind a search."""
        rules = [*self.rules, *([ToolRule(defer_loading=True)] if self.defer == 'all' else [])]
        searchable = SearchableToolset(toolset, self.search, defer='marked' if self.defer == 'all' else self.defer)
        return CodeModeToolset(searchable, **self.shared(max_result_chars=_WHOLE, rules=rules))


def read_settings(file: Path) -> ServeSettings:
    """The settings in a file.

    Raises:
        TargetError: It cannot be read or used; the message has all mistakes, with the lines that the text tells.
    """
    try:
        text = file.read_text('utf-8')
    except OSError as error:
        raise TargetError(str(file), [f'{error.strerror}.']) from error
    except UnicodeDecodeError as error:
        raise TargetError(str(file), ['it is not UTF-8 text; save it as UTF-8.']) from error
    data, mistakes = _parsed(text)
    lines = _lines(text)
    rules = _rules(data, lines, mistakes)
    plain = dict[str, Any]()
    try:
        plain = _adapter().validate_python({key: value for key, value in data.items() if key != 'rules'}, strict=True)
    except ValidationError as error:
        mistakes += [_mistake(problem, lines) for problem in error.errors(include_url=False)]
    except UserError as error:
        raise TargetError(str(file), [str(error)]) from error
    if mistakes:
        mistakes.sort(key=lambda mistake: mistake.line)
        raise TargetError(str(file), mistakes)
    try:
        return ServeSettings(**plain, rules=rules)
    except UserError as error:
        raise TargetError(str(file), [str(error)]) from error


def _adapter() -> TypeAdapter[dict[str, Any]]:
    return TypeAdapter(spec_of(ServeSettings))


def settings_beside(target: str, given: Path | None) -> tuple[ServeSettings, Path | None]:
    """The settings for a target: in the file given, or in `toolscript.toml` beside the target or in this folder.

    Raises:
        TargetError: See `read_settings`.
    """
    beside = [Path(target).parent / FILE, Path(FILE)] if Path(target).is_file() else [Path(FILE)]
    file = given or next((place for place in beside if place.is_file()), None)
    return (ServeSettings(), None) if file is None else (read_settings(file), file)


def _parsed(text: str) -> tuple[dict[str, Any], list[Mistake]]:
    """The data of all lines that are TOML, and what is wrong with the others."""
    lines, mistakes = text.splitlines(), list[Mistake]()
    while len(mistakes) < _MOST_MISTAKES:
        try:
            return tomllib.loads('\n'.join(lines)), mistakes
        except tomllib.TOMLDecodeError:
            # The library stops at the first mistake, and where it stops may be far behind it.
            number = next(end for end in range(len(lines) - 1, -1, -1) if _is_toml(lines[:end])) + 1
            mistakes.append(Mistake(number, '', f'not valid TOML: {_what(lines[:number])}.'))
            lines[number - 1] = ''
    return {}, mistakes


def _is_toml(lines: Sequence[str]) -> bool:
    try:
        tomllib.loads('\n'.join(lines))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _what(lines: Sequence[str]) -> str:
    try:
        tomllib.loads('\n'.join(lines))
    except tomllib.TOMLDecodeError as error:
        return re.sub(r' \(at .*\)$', '', str(error))
    return 'what begins here does not end'


_MOST_MISTAKES = 50
_TABLE = re.compile(r'\s*(\[\[?)\s*([\w.\-]+)\s*\]\]?')
_KEY = re.compile(r'\s*([\w\-]+)\s*=')


def _lines(text: str) -> dict[tuple[str | int, ...], int]:
    """The line of each table and each key, as far as they stand at the beginning of lines."""
    found: dict[tuple[str | int, ...], int] = {}
    here: tuple[str | int, ...] = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if table := _TABLE.match(line):
            here = tuple(table[2].split('.'))
            if table[1] == '[[':
                counts[table[2]] = counts.get(table[2], -1) + 1
                here = (*here, counts[table[2]])
            found.setdefault(here, number)
        elif key := _KEY.match(line):
            found.setdefault((*here, key[1]), number)
    return found


def _rules(
    data: Mapping[str, Any], lines: Mapping[tuple[str | int, ...], int], mistakes: list[Mistake]
) -> list[ToolRule]:
    rules: list[ToolRule] = []
    if 'rules' in data and not isinstance(data['rules'], list):
        mistakes.append(Mistake(_line(('rules',), lines), 'rules', 'is no list; write [[rules]] above each rule.'))
        return rules
    for place, rule in enumerate(items(data.get('rules'))):
        try:
            checked: dict[str, Any] = TypeAdapter(spec_of(ToolRule)).validate_python(rule, strict=True)
        except ValidationError as error:
            problems = error.errors(include_url=False)
            mistakes += [_mistake({**problem, 'loc': ('rules', place, *problem['loc'])}, lines) for problem in problems]
            continue
        try:
            rules.append(ToolRule(**checked))
        except UserError as error:
            where = ('rules', place)
            mistakes.append(Mistake(_line(where, lines), written(where), error.message))
    return rules


def _mistake(problem: Mapping[str, Any], lines: Mapping[tuple[str | int, ...], int]) -> Mistake:
    place = place_of(problem['loc'])
    where = written(place)
    if problem['type'] == 'extra_forbidden':
        known = names_at(ServeSettings, place[:-1])
        close = get_close_matches(str(place[-1]), known, 1)
        hint = f'is "{close[0]}" meant?' if close else f'there are {", ".join(known)}.'
        return Mistake(_line(place, lines), where, f'unknown key; {hint}')
    given = problem.get('input')
    shown = '' if is_object(given) else f' (it is {given!r})'
    return Mistake(_line(place, lines), where, f'{problem["msg"]}{shown}.')


def _line(place: Sequence[str | int], lines: Mapping[tuple[str | int, ...], int]) -> int:
    """The line of a place, or of what it is in."""
    for end in range(len(place), 0, -1):
        if (line := lines.get(tuple(place[:end]))) is not None:
            return line
    return 1
