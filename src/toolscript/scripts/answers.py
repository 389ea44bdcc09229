"""What the model reads about a script: its result or its error, and advice."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import pydantic_core
from pydantic_ai import ModelRetry, ToolReturn
from pydantic_ai.messages import ModelMessage, ToolReturnPart, UserContent, post_compaction_window

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.catalog.result_shapes import ResultShapes
from toolscript.discovery.discoveries import DISCOVERED_KEY, SIGNATURES_KEY
from toolscript.guards import fields, is_array, is_object, parts_of, strings
from toolscript.observability.script_calls import CALLS_KEY, FAILED_KEY, ScriptCall, calls_to_json
from toolscript.results.values import ReturnExtras, holds_files
from toolscript.run_code.functions import CodeFunctions
from toolscript.run_code.history import BESIDE_RESULT, codes_that_ran
from toolscript.run_code.tool import RunCodeTool
from toolscript_sandbox import Completed, Failed, infer_shape, quoted, truncate, variables_of
from toolscript_signatures import observed_text, with_visible

from .nested_call import ScriptContext
from .run_state import RunState

if TYPE_CHECKING:
    from toolscript.flows.script_flows import ScriptFlows
    from toolscript.sessions.saved_function import SavedFunction

    from .speculation import Speculations

OBSERVED_KEY = 'toolscript_observed'
"""The metadata key of a tool return for the tools whose results' shapes the model read."""

_ROOM = 4_000


def known_shapes(messages: Sequence[ModelMessage]) -> set[str]:
    """Return the names of the tools whose results' shapes the model still sees."""
    return {
        name
        for part in parts_of(post_compaction_window(messages), ToolReturnPart)
        for name in strings(fields(part.metadata).get(OBSERVED_KEY))
    }


def shows(answer: object, result: object) -> bool:
    """Return whether an answer is a result, or contains it unchanged, so that its shape is not needed."""
    within = answer.values() if is_object(answer) else answer if is_array(answer) else ()
    return answer == result or any(item == result for item in within)


def shapes_to_show(
    result_shapes: ResultShapes, seen: Iterable[str], known: Iterable[str], catalog: CodeCatalog
) -> dict[str, str]:
    """Return the text for each tool whose results a script saw and whose shape is new, up to 4,000 characters."""
    known, left = set(known), _ROOM
    texts: dict[str, str] = {}
    for name in seen:
        shape = result_shapes.shapes.get(name)
        if name in known or shape is None or not shape.has_objects:
            continue
        text = observed_text(catalog.of(name).name, shape)
        left -= len(text)
        if left < 0:
            break
        texts[name] = text
    return texts


GIVEN = 'The final answer was given.'
NOT_GIVEN = 'The final answer of this script was discarded, because the script failed. Give it again.'


@dataclass(frozen=True)
class Answers:
    """What the model reads about one script."""

    run: RunState
    script: ScriptContext[Any]
    tool: RunCodeTool[Any]
    saved_functions: 'Sequence[SavedFunction]'
    reuse_finished_calls: bool

    def result(
        self,
        outcome: Completed,
        *,
        calls: list[ScriptCall],
        failed: Collection[dict[str, Any]],
        speculations: 'Speculations[Any] | None',
        file: str,
        variables: str,
        max_chars: int,
    ) -> ToolReturn[Any]:
        """Return the result of a script that ran to its end.

        The model gets the value, capped at `max_chars` characters of JSON, the printed text, and what is new: functions
        that the script found, shapes of results that it saw, the `file` with the whole result, and the `variables` that
        were not stored. The metadata, which only the application sees, has the code as the model wrote it and as it
        ran, its fixes, the nested calls, those of the scripts that `failed` before it, and the tools found.
        """
        script, given = self.script, self.script.state.output
        outcome = _as_shown(outcome, script.flows)
        if given is not None and outcome.value is None:
            value: Any = GIVEN
        else:
            value = script.state.run.files.restored(outcome.value)
            value = value if holds_files(value) else _capped(value, outcome.name, max_chars)
        new, functions = self._signatures()
        shapes = self._shapes()
        whole = [name for name in shapes if shows(value, script.seen.get(name))]
        # Inside a larger result, a file would not reach the model as a file.
        shown = {name: text for name, text in shapes.items() if name not in whole and not holds_files(value)}
        texts = {
            'new_functions': functions,
            'observed': '\n\n'.join(shown.values()),
            'file': file,
            'variables': variables,
        }
        changes = [*script.notes, *(f'the result: {change}' for change in outcome.changes)]
        extras: dict[str, Any] = {'stdout': _capped(outcome.stdout, None, max_chars)} if outcome.stdout else {}
        extras |= {'changed': changes[:_CHANGES]} if changes else {}
        returned = script.state.returned
        may_read = script.flows is None or not script.flows.hides_errors
        tools = [name for one in returned.values() for name in one.tools]
        return ToolReturn(
            return_value=_with_extras(value, extras, texts),
            content=_contents(returned.values()) or None if may_read else None,
            metadata={
                'code': outcome.code,
                'executed_code': outcome.executed_code,
                'fixes': list(outcome.fixes),
                CALLS_KEY: calls_to_json(calls),
                **({FAILED_KEY: list(failed)} if failed else {}),
                DISCOVERED_KEY: list(self.run.memory.found),
                SIGNATURES_KEY: new,
                OBSERVED_KEY: [*self.run.known_shapes, *shown, *sorted(whole)],
                **({} if given is None else given.to_metadata()),
                **_unused(speculations),
            },
            tools=tools or None,
        )

    def feedback(self, outcome: Failed, *news: str) -> ModelRetry:
        """Return the error of a failed script, for the model to write a better one."""
        error, flows = outcome.error, self.script.flows
        if flows is not None and flows.hides_errors and error.kind not in ('syntax', 'types'):
            where = '' if error.line is None else f' in line {error.line}'
            text = f'{error.type_name or error.kind}{where}. The message is not shown. {_WHY}'
            return ModelRetry('\n\n'.join([text, *flows.refusals, *news]))
        parts = [error.message, *self._advice(outcome), *news]
        if outcome.stdout:
            parts.append(f'Printed before that:\n{quoted(outcome.stdout[-2000:])}')
        return ModelRetry(with_visible('\n\n'.join(parts)))

    def _advice(self, outcome: Failed) -> list[str]:
        """Return what helps to write a better script; no shape is shown twice."""
        shapes = self._shapes()
        self.run.known_shapes.update(dict.fromkeys(shapes))
        not_given = [] if self.script.state.output is None else [NOT_GIVEN]
        remembers = cached(self.run, self.script.functions, self.reuse_finished_calls)
        return [*not_given, *remembers, *self._lost_variables(outcome), *self._of_saved_functions(), *shapes.values()]

    def _signatures(self) -> tuple[list[str], str]:
        """Return the functions that the script found and that the model does not know, and their signatures."""
        known = self.tool.known_signatures(self.script.ctx.messages)
        found = self.script.found if self.tool.search_signs else ()
        new = [name for name in found if name in self.script.functions.tools and name not in known]
        self.tool.step.signatures.update(dict.fromkeys(new))
        return new, self.script.functions.catalog.additions(new, known=known) if new else ''

    def _lost_variables(self, outcome: Failed) -> list[str]:
        earlier = {
            name for code in codes_that_ran(self.script.ctx.messages, self.script.name) for name in variables_of(code)
        }
        return lost_variables_advice(outcome.error.message, earlier - self.run.variables)

    def _of_saved_functions(self) -> list[str]:
        """Return what has changed about the tools that the script's saved functions call."""
        if not self.saved_functions:
            return []
        from toolscript.sessions.functions_in_run import changed_tools

        changed = {one.name: changed_tools(one, self.script.functions) for one in self.saved_functions}
        return [f'The saved function {name} may no longer fit. {lines[0]}' for name, lines in changed.items() if lines]

    def _shapes(self) -> dict[str, str]:
        result_shapes, seen = self.run.result_shapes, self.script.seen
        if result_shapes is None or result_shapes.shapes.keys().isdisjoint(seen):
            return {}
        known = known_shapes(self.script.ctx.messages) | self.run.known_shapes.keys()
        return shapes_to_show(result_shapes, seen, known, self.script.functions.catalog)


def cached(run: RunState, functions: CodeFunctions[Any], reuse_finished_calls: bool) -> list[str]:
    """Return which calls of failed scripts will not run again."""

    def name_of(tool_name: str) -> str:
        return functions.catalog.of(tool_name).name if tool_name in functions.tools else tool_name

    return run.memory.cache.advice(name_of) if reuse_finished_calls else []


def lost_variables_advice(failure: str, lost: Iterable[str]) -> list[str]:
    """Return a line on those of the `lost` variables whose quoted names are in the text of a failure, if any."""
    names = sorted(name for name in lost if f'`{name}`' in failure or f"'{name}'" in failure)
    if not names:
        return []
    return [
        f'Earlier scripts of this conversation set {", ".join(names)}, but the sandbox has restarted without these '
        'variables. Set them again in this script.'
    ]


def _as_shown(outcome: Completed, flows: 'ScriptFlows | None') -> Completed:
    """Return the outcome with the value's shape, size and variable in place of what the model must not read."""
    if flows is None or not flows.hides:
        return outcome
    size = len(pydantic_core.to_json(outcome.value, fallback=str))
    where = f' It is in the variable {outcome.name}.' if outcome.name else ''
    not_shown = f'{_NOT_SHOWN}{"." if flows.flows.extract is None else _EXTRACT}'
    text = f'{infer_shape(outcome.value, names_only=True)}, {size:,} characters of JSON. {not_shown}{where}'
    stdout = f'{len(outcome.stdout):,} characters. {not_shown}' if outcome.stdout else ''
    return replace(outcome, value=None if outcome.value is None else text, stdout=stdout)


_WHY = 'It may have text that somebody else wrote.'
_NOT_SHOWN = 'Not shown: it comes from a tool whose results others may write. Use it in code'
_EXTRACT = ", or ask about it: await extract(value, 'the due date', date)."


def _with_extras(value: Any, extras: dict[str, Any], texts: Mapping[str, str]) -> Any:
    """Return the value alone, or in a dictionary with everything else that there is to read."""
    more = {key: text for key, text in texts.items() if text}
    if extras and not more and value is None:
        return extras
    # A value with one of these keys must not pass for what is next to a result.
    is_alone = not extras and not more and not (is_object(value) and {'result', *BESIDE_RESULT}.intersection(value))
    return value if is_alone else {**extras, 'result': value, **more}


_CHANGES = 10


def is_cut(value: Any, max_chars: int) -> bool:
    """Return whether a result is too large to be shown whole."""
    if isinstance(value, str):
        return len(value) > max_chars
    # Serializing all of a large result would block the event loop.
    return _least_chars(value, max_chars) > max_chars or len(pydantic_core.to_json(value, fallback=str)) > max_chars


def _least_chars(value: Any, max_chars: int) -> int:
    """Return a lower bound of the length of a value's JSON; the count stops above `max_chars`."""
    chars, waiting = 0, [value]
    while waiting and chars <= max_chars:
        part = waiting.pop()
        if isinstance(part, str):
            chars += len(part)
        elif is_object(part) or is_array(part):
            chars += 2 + len(part)
            waiting += islice(part.values() if is_object(part) else part, max_chars)
    return chars


def _capped(value: Any, name: str | None, max_chars: int) -> Any:
    return truncate(value, max_chars=max_chars, name=name) if is_cut(value, max_chars) else value


def _contents(returned: Iterable[ReturnExtras]) -> list[UserContent]:
    contents: list[UserContent] = []
    for one in returned:
        if one.content is not None:
            contents += [one.content] if isinstance(one.content, str) else one.content
    return contents


def _unused(speculations: 'Speculations[Any] | None') -> dict[str, Any]:
    unused = [] if speculations is None else speculations.unused
    rows = [{'tool': call.part.tool_name, 'args': call.part.args, 'status': call.status} for call in unused]
    return {'unused_speculations': rows} if rows else {}
