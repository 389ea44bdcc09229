"""Which arguments change when one result changes: programs run in CPython, once for each call that they make.

The oracle needs no model of Python. If an argument differs after the result of one call was replaced by another, that
result flows into it, and the analysis must report it.
"""

import ast
import asyncio
import copy
import inspect
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, cast

from toolscript.flows.analysis import ANYTHING, FlowAnalysis, Site, Source, analyse
from toolscript.guards import is_array, is_object

TOOLS = frozenset(['get', 'rows', 'user', 'echo', 'send'])
Place = tuple[int, int, str, str]
"""The script, the line, the function and the argument of a call."""


@dataclass
class Run:
    """The record of a run of the scripts."""

    changed: tuple[int, int] | None = None
    """The script and line whose results are replaced."""
    script: int = 0
    called: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    error: str = ''
    sent: list[tuple[Place, str]] = field(default_factory=list[tuple[Place, str]])
    before: dict[Place, set[tuple[int, int]]] = field(default_factory=dict[Place, set[tuple[int, int]]])
    """By argument, the calls that had been made before it."""

    def mark(self, function: str) -> str:
        """Return the letter of a result, which differs for the replaced result."""
        place = _place()
        self.called[place] = function
        return 'q' if place == self.changed else 'm'

    def send(self, function: str, *args: Any, **kwargs: Any) -> None:
        for name, value in [*((str(place), arg) for place, arg in enumerate(args)), *kwargs.items()]:
            place = (*_place(), function, name)
            self.sent.append((place, _text(value)))
            self.before.setdefault(place, set()).update(self.called)


def plain_tools(run: Run) -> dict[str, Any]:
    """Return the functions of programs that move values in every way."""

    def get(name: str = '') -> str:
        text = run.mark('get')
        return f'{text}{_place()[1]} {text}z'

    def rows() -> list[dict[str, str]]:
        text = run.mark('rows')
        return [{'a': f'{text}1', 'b': f'x{text}'}, {'a': f'{text}2', 'b': f'y{text}'}]

    def user() -> dict[str, Any]:
        text = run.mark('user')
        return {'name': f'{text}name', 'tags': [f'{text}t', f'{text}u'], 'age': 3 if text == 'm' else 4}

    def echo(value: Any) -> Any:
        run.mark('echo')
        return copy.deepcopy(value)

    def send(*args: Any, **kwargs: Any) -> str:
        run.send('send', *args, **kwargs)
        return 'sent'

    return {'get': get, 'rows': rows, 'user': user, 'echo': echo, 'send': send}


def _place() -> tuple[int, int]:
    """Return the script and the line that are running."""
    frame = inspect.currentframe()
    assert frame is not None
    while not frame.f_code.co_filename.startswith('<script'):
        assert frame.f_back is not None
        frame = frame.f_back
    return int(frame.f_code.co_filename[8:-1]), frame.f_lineno


def _text(value: Any, depth: int = 0) -> str:
    """Return the value as a tool would receive it: with all nested values, without addresses."""
    if depth > 6:
        return '...'
    if is_object(value):
        return str([(_text(key, depth + 1), _text(item, depth + 1)) for key, item in value.items()])
    if is_array(value):
        return str([_text(item, depth + 1) for item in value])
    if isinstance(value, str | int | float | bool | None):
        return repr(value)
    if isinstance(value, set | frozenset):
        return str(sorted(_text(item, depth + 1) for item in cast('set[Any]', value)))
    parts = [_text(item, depth + 1) for item in getattr(value, '__dict__', {}).values()]
    return str([type(value).__name__, *parts])


def run(
    scripts: Sequence[str], changed: tuple[int, int] | None = None, tools: Callable[[Run], dict[str, Any]] = plain_tools
) -> Run:
    """Run the scripts one after the other, in one namespace; a script that fails ends there."""
    done = Run(changed)
    names = {**tools(done), '__name__': 'script'}
    for number, script in enumerate(scripts):
        done.script = number
        code = compile(script, f'<script {number}>', 'exec', ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        try:
            if code.co_flags & inspect.CO_COROUTINE:
                asyncio.run(FunctionType(code, names)())
            else:
                exec(code, names)
        except Exception as error:
            done.error = repr(error)
    return done


@dataclass(frozen=True)
class Verdict:
    """The oracle's findings, compared with those of the analysis."""

    flows: dict[Place, set[tuple[int, int]]]
    missed: list[tuple[Place, tuple[int, int]]]
    unneeded: int
    """Arguments without any flow that the analysis does not recognise as such."""
    clean: int
    """Arguments without any flow."""
    analysis: FlowAnalysis


def judge(
    scripts: Sequence[str],
    *,
    strict: bool = False,
    tools: Callable[[Run], dict[str, Any]] = plain_tools,
    ignored: Collection[str] = ('send',),
) -> Verdict:
    """Compare the analysis of scripts with their runs. Results of `ignored` functions do not count."""
    base = run(scripts, tools=tools)
    analysis = analyse(scripts, tools(base).__contains__, strict=strict)
    flows: dict[Place, set[tuple[int, int]]] = {place: set() for place, _ in base.sent}
    for source in base.called:
        other = run(scripts, source, tools)
        for place in flows:
            before = [text for at, text in base.sent if at == place]
            after = [text for at, text in other.sent if at == place]
            if any(one != two for one, two in zip(before, after, strict=False)):
                flows[place].add(source)
    missed = list[tuple[Place, tuple[int, int]]]()
    unneeded = clean = 0
    others = {at for at, name in base.called.items() if name not in ignored}
    for place, sources in flows.items():
        script, line, function, name = place
        found = analysis.arguments(function, line, script).of(name)
        named = [one for one in analysis.names(found) if one.name not in ignored]
        sources &= others
        if not found & ANYTHING:
            missed += [(place, source) for source in sources if not any(_is_at(one, source) for one in named)]
        clean += not sources
        made = [at for at in base.before[place] & others if found & ANYTHING or any(_is_at(one, at) for one in named)]
        unneeded += not sources and bool(made)
    return Verdict(flows, missed, unneeded, clean, analysis)


def _is_at(source: Source, place: tuple[int, int]) -> bool:
    """Return whether a call on this line may be this source, whose call may span several lines."""
    if not isinstance(source, Site):
        return False
    return source.script == place[0] and source.line <= place[1] <= source.line + source.text.count('\n')
