"""The flows of one script while it runs: the static analysis, combined with the calls that were actually made."""

import ast
import itertools
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pydantic_ai.tools import ToolDefinition

from toolscript_sandbox.event_loop.on_threads import run_in_thread
from toolscript_sandbox.language.fences import unfenced
from toolscript_sandbox.language.scopes import bound_by
from toolscript_sandbox.language.syntax import tree_of, walk
from toolscript_sandbox.transforms.preparation import variables_of

from .analysis import ANYTHING, FILES, MODEL, ArgumentSources, FlowAnalysis, Site, Source, analyse
from .library import SCALAR_METHODS
from .rules import FlowRule, Flows, Then, decide, matches

ParameterNames = Sequence[tuple[str, str]]
"""The parameters of a tool in positional order, as pairs of key and Python name."""


@dataclass(frozen=True)
class Verdict:
    """Why a call has to wait, or is refused."""

    then: Then
    reason: str
    """The reason, as a sentence."""


@dataclass
class ScriptFlows:
    analysis: FlowAnalysis
    script: int
    """Its index among the scripts of the analysis."""
    flows: Flows
    tool_of: Callable[[str], ToolDefinition | None]
    """Return the tool with a Python name, if it still exists."""
    read: Sequence[ToolDefinition] = ()
    """The tools whose unfiltered results the model read, by calling them directly."""
    code: str = ''
    """The script as it was analysed."""
    has_files: bool = False
    """Whether scripts have files, which may contain data that earlier scripts wrote."""
    made: int = 0
    """The sources of this script whose calls have ended."""
    refusals: list[str] = field(default_factory=list[str])
    """The messages to the model about refused calls."""

    def __post_init__(self) -> None:
        self._sources = {one.bit: one for one in self.analysis.sources}
        self._own = [one for one in self.analysis.sources if isinstance(one, Site) and one.script == self.script]
        top = max([FILES, *self._sources]) << 1
        direct = {top << place: tool_def for place, tool_def in enumerate(self.read)}
        unknown = ToolDefinition(name='files', metadata={'server': 'files', 'open_world': True})
        definitions = {FILES: unknown, **direct, **{bit: self._definition(one) for bit, one in self._sources.items()}}
        self._names = {bit: tool_def.name for bit, tool_def in direct.items()}
        self._masks = [
            (rule, sum(bit for bit, tool_def in definitions.items() if matches(rule.source, tool_def)))
            for rule in self.flows.all_rules
        ]
        if not self.analysis.is_complete:
            # If the analysis failed, even the set of calls is unknown, so calls are checked by name only.
            self._masks = [(rule, mask | (0 if rule.then == 'allow' else ANYTHING)) for rule, mask in self._masks]
        self._before = (FILES if self.has_files else 0) | sum(self._sources.keys() - {one.bit for one in self._own})
        self._shown = sum(direct)
        if self.flows.show_results:
            for shown in self.analysis.shown[: self.script]:
                self._shown |= shown
            self._shown = self._expanded(self._shown | (0 if self.analysis.is_complete else ANYTHING))

    def _definition(self, source: Source) -> ToolDefinition:
        if not isinstance(source, Site):
            return ToolDefinition(name=source.name, metadata={'server': 'variables', 'open_world': True})
        # A tool that no longer exists may have been anything.
        gone = ToolDefinition(name=source.name, metadata={'open_world': True})
        return self.tool_of(source.name) or gone

    def ended(self, function: str, line: int | None) -> None:
        """Record that a call has ended: its result may now be wherever the analysis says."""
        self.made |= self.analysis.calls(function, line, self.script)

    def verdict(
        self, function: str, line: int | None, parameters: ParameterNames, arguments: Mapping[str, Any]
    ) -> Verdict | None:
        """Return what the rules decide about a call; `None` if it may run."""
        rules = self._rules_of(function)
        if not rules:
            return None
        named = by_key(self.analysis.arguments(function, line, self.script), parameters, arguments)
        reasons = dict[Then, list[str]]()
        for name, sources in {**named, '': MODEL}.items():
            if not self.analysis.is_complete:
                sources |= ANYTHING
            for then, because in decide(rules, self._expanded(sources), name).items():
                reasons.setdefault(then, []).append(self._reason(name, because, sources))
        for then in ('refuse', 'ask'):
            if then in reasons:
                return Verdict(then, '; '.join(reasons[then][:3]))
        return None

    @property
    def hides(self) -> bool:
        """Whether the script's result or output comes from a source that the model must not read."""
        return self._hides(self.analysis.shown[self.script] if self.analysis.is_complete else ANYTHING)

    @property
    def hides_errors(self) -> bool:
        """Whether an error of the script may contain text that the model must not read."""
        return self._hides(ANYTHING)

    def _hides(self, sources: int) -> bool:
        found = self._expanded(sources)
        is_watched = any(found & mask for rule, mask in self._masks if rule.then != 'allow')
        return not self.flows.show_results and (is_watched or not self.analysis.is_complete)

    def proved(self) -> str:
        """Return why the script must not start: it certainly makes a call that is refused. Empty if it may start."""
        if all(rule.then != 'refuse' for rule, _ in self._masks):
            return ''
        tool_sources = {one.text: one for one in self._own}
        for call in certain_calls(self.code, lambda name: self.tool_of(name) is not None):
            rules = self._rules_of(call.function)
            for name, texts in call.arguments.items():
                bits = sum(tool_sources[text].bit for text in texts if text in tool_sources)
                refused = decide(rules, bits, name).get('refuse', 0) if not name.isdigit() else 0
                if refused:
                    because = self._reason(name, refused, refused)
                    return f'{call.function} in line {call.line} is refused: {because}. Call it without that.'
        return ''

    def origins(
        self, function: str, line: int | None, parameters: ParameterNames, arguments: Mapping[str, Any]
    ) -> dict[str, list[str]]:
        """Return the calls and variables that each argument comes from, as text."""
        named = by_key(self.analysis.arguments(function, line, self.script), parameters, arguments)
        return {name: texts for name, sources in named.items() if (texts := self._texts(self._expanded(sources)))}

    def _rules_of(self, function: str) -> list[tuple[FlowRule, int]]:
        tool_def = self.tool_of(function)
        return [one for one in self._masks if tool_def is not None and matches(one[0].sink, tool_def)]

    def _expanded(self, sources: int) -> int:
        """Return the sources that exist so far; if the analysis could not decide, all of them."""
        existing = self.made | self._before
        if sources & ANYTHING:
            sources |= existing | MODEL
        if sources & MODEL:
            sources |= self._shown
        return sources & (existing | self._shown | (0 if self.analysis.is_complete else ANYTHING))

    def _reason(self, name: str, because: int, sources: int) -> str:
        texts = self._texts(because)
        whole = ' and '.join(texts[:2]) + (f' and {len(texts) - 2} more' if len(texts) > 2 else '')
        if not whole:
            return f'{f"`{name}`" if name else "this call"} may come from anywhere, because {self.analysis.why}'
        if not name or not (because & sources or sources & ANYTHING):
            return f'the model wrote {f"`{name}`" if name else "this call"} after it read {whole}'
        return f'`{name}` {"may come" if sources & ANYTHING else "comes"} from {whole}'

    def _texts(self, sources: int) -> list[str]:
        found = [self._text(one) for bit, one in self._sources.items() if bit & sources]
        found += [f'the result of {name}' for bit, name in self._names.items() if bit & sources]
        return [*found, *(['a file'] if sources & FILES and not found else [])]

    def _text(self, source: Source) -> str:
        if not isinstance(source, Site):
            return f'the variable {source.name}'
        text = re.sub(r'\s+', ' ', source.text)
        where = f'line {source.line}' + ('' if source.script == self.script else ' of an earlier script')
        return f'{text if len(text) <= 80 else text[:79] + "…"} in {where}'


def by_key(found: ArgumentSources, parameters: ParameterNames, given: Mapping[str, Any]) -> dict[str, int]:
    """Return the sources of each argument that a tool receives, by its key."""
    names = {key: (key, name, str(place)) for place, (key, name) in enumerate(parameters)}
    matched = {name for key in given for name in names.get(key, (key,))}
    # A value without its own parameter, such as those in `*args`, may be in any argument.
    rest = found.others
    for name, sources in found.named.items():
        rest |= 0 if name in matched else sources
    return {key: ArgumentSources(found.named, rest).of(*names.get(key, (key,))) for key in given}


async def script_flows(
    codes: Sequence[str],
    flows: Flows,
    tool_of: Callable[[str], ToolDefinition | None],
    read: Sequence[ToolDefinition],
    *,
    has_files: bool = False,
    earlier: Collection[str] | None = None,
) -> ScriptFlows:
    """Return the flows of the last of these scripts, as the model wrote them, which share their variables.

    `read` has the tools whose unfiltered results the model read; `earlier` is as for `analyse`.
    """
    texts = [unfenced(code)[0] for code in codes]

    def work() -> FlowAnalysis:
        def of(scripts: Sequence[str], earlier: Collection[str] | None) -> FlowAnalysis:
            return analyse(scripts, lambda name: tool_of(name) is not None, strict=flows.strict, earlier=earlier)

        analysis = of(texts, earlier)
        if analysis.is_complete or len(texts) == 1 or flows.show_results:
            return analysis
        # The variables that the scripts before it set count as unknown, like those of earlier runs.
        alone = of(texts[-1:], {*(earlier or ()), *itertools.chain(*map(variables_of, texts[:-1]))})
        return replace(alone, left_out=len(texts) - 1) if alone.is_complete else analysis

    analysis = await run_in_thread(work, long=sum(map(len, texts)) > _SHORT_CHARS)
    return ScriptFlows(analysis, len(texts) - 1 - analysis.left_out, flows, tool_of, read, texts[-1], has_files)


_SHORT_CHARS = 2_000
"""Scripts up to this length are analysed in some milliseconds, and do not wait for longer ones."""


class CertainCall(NamedTuple):
    function: str
    line: int
    arguments: Mapping[str, frozenset[str]]
    """By name, the texts of the calls whose results it certainly contains. Positional arguments are left to the run."""


def certain_calls(code: str, is_tool: Callable[[str], bool]) -> list[CertainCall]:
    """Return the calls that a script certainly makes unless an earlier one fails."""
    reader = _Reader(is_tool)
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        for statement in tree_of(code).body:
            reader.statement(statement)
            if isinstance(statement, ast.Return | ast.Raise):
                break
    return reader.calls


class _Reader:
    def __init__(self, is_tool: Callable[[str], bool]) -> None:
        self.calls = list[CertainCall]()
        self._is_tool = is_tool
        self._variables = dict[str, frozenset[str]]()
        self._own = set[str]()

    def statement(self, statement: ast.stmt) -> None:
        value = statement.value if isinstance(statement, ast.Assign | ast.Expr | ast.Return) else None
        found = frozenset[str]() if value is None else self.value(value)
        # What a statement binds in any way is no longer known.
        for name in (name for node in walk(statement) for name in bound_by(node)):
            self._variables.pop(name, None)
            self._own.add(name)
        if isinstance(statement, ast.Assign) and isinstance(target := statement.targets[0], ast.Name):
            self._variables[target.id] = found

    def value(self, node: ast.expr) -> frozenset[str]:
        """Return the calls whose results are certainly in the value."""
        match node:
            case ast.Name(id=name):
                return self._variables.get(name, frozenset())
            case ast.Await() | ast.Attribute() | ast.FormattedValue() | ast.Subscript():
                return self.value(node.value)
            case ast.JoinedStr(values=parts):
                return frozenset[str]().union(*map(self.value, parts))
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.value(left) | self.value(right)
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in SCALAR_METHODS:
                return self.value(inner)
            case ast.Call(func=ast.Name(id=name)) if name not in self._own and self._is_tool(name):
                named = {word.arg: self.value(word.value) for word in node.keywords if word.arg is not None}
                self.calls.append(CertainCall(name, node.lineno, named))
                return frozenset([ast.unparse(node)])
            case _:
                return frozenset()
