"""Converts the parts of messages, scripts and their calls included, to blocks of a transcript. All wording is here."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import (
    BaseToolCallPart,
    BaseToolReturnPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    ToolCallPart,
)

from toolscript.approvals.pause_marks import HistoryCall, pauses_before
from toolscript.discovery.discoveries import names_in
from toolscript.guards import fields, strings
from toolscript.observability.script_calls import Decision, RecordedScript, ScriptCall, scripts_by_return
from toolscript.routing.placement import RUN_CODE
from toolscript.run_code.history import result_in
from toolscript_sandbox import Status

from .transcript import Block, CharBudget, Excerpt, TranscriptCall, duration
from .values import as_json, as_python, as_text, one_line, prompt_text

Part = ModelRequestPart | ModelResponsePart

_ARGUMENT = 2_000

_UNREADABLE = '(only the provider can read it)'
_SPEAKERS: Mapping[str, tuple[str, str]] = {
    'user-prompt': ('user', ''),
    'system-prompt': ('system', ''),
    'instruction-delta': ('instructions', '(withdrawn)'),
    'retry-feedback': ('feedback', ''),
    'compaction': ('summary', _UNREADABLE),
    'text': ('model', ''),
    'file': ('model', ''),
    'thinking': ('thinking', _UNREADABLE),
}
"""The speaker of each kind of part, and what is shown if its text is missing."""
_FOLDED = {'thinking', 'instructions', 'system'}
_NOT_SENT = {'instruction-baseline', 'instruction-digest'}
_OUTCOMES: Mapping[str, str] = {
    'success': 'result',
    'failed': 'failed',
    'denied': 'denied',
    'interrupted': 'interrupted',
    'retried': 'asked to try again',
}
_ENDS: Mapping[Status, str] = {
    'finished': '→',
    'failed': 'failed:',
    'waiting': 'waits',
    'not started': 'never started',
    'running': 'still ran when the script ended',
}
_DECISIONS: Mapping[Decision | None, str] = {
    'approved': 'approved',
    'changed': 'approved with these other arguments',
    'denied': 'denied',
    'answered': 'answered from outside',
}


@dataclass
class CallResults:
    """The results of the calls in a history. An answer belongs to the first unanswered call with its id."""

    answers: dict[int, tuple[BaseToolReturnPart[Any], bool]] = field(
        default_factory=dict[int, tuple[BaseToolReturnPart[Any], bool]]
    )
    """By the `id` of the call: its answer, and whether that belongs to a later run."""
    lone: set[int] = field(default_factory=set[int])
    """The `id`s of answers to calls that the history does not contain."""
    nested: dict[int, list[ScriptCall]] = field(default_factory=dict[int, list[ScriptCall]])
    """The calls of scripts, by the `id` of the `run_code` call."""

    @classmethod
    def of(cls, messages: Sequence[ModelMessage]) -> 'CallResults':
        calls, unanswered = cls(), defaultdict[str, deque[tuple[BaseToolCallPart, str | None]]](deque)
        scripts = {id(part): found for part, found in scripts_by_return(messages)}
        made = defaultdict[str, list[BaseToolCallPart]](list)
        for message in messages:
            for part in message.parts:
                if isinstance(part, BaseToolCallPart):
                    unanswered[part.tool_call_id].append((part, message.run_id))
                    made[part.tool_call_id].append(part)
                elif not isinstance(part, BaseToolReturnPart):
                    continue
                elif waiting := unanswered[part.tool_call_id]:
                    call, run_id = waiting.popleft()
                    later = None not in (run_id, message.run_id) and run_id != message.run_id
                    calls.answers[id(call)] = part, later
                    if id(part) in scripts:
                        calls._add_scripts(call, scripts[id(part)], made)
                else:
                    calls.lone.add(id(part))
        return calls

    def _add_scripts(
        self, call: BaseToolCallPart, scripts: Sequence[RecordedScript], made: Mapping[str, Sequence[BaseToolCallPart]]
    ) -> None:
        """Assign the calls that an answer records to its own script, and to the latest failed ones with their ids."""
        *failed, own = scripts
        self.nested[id(call)] = own.calls
        others = {script.id: [one for one in made.get(script.id, ()) if one is not call] for script in failed}
        for script in reversed(failed):
            if others[script.id]:
                self.nested[id(others[script.id].pop())] = script.calls


@dataclass
class PartReader:
    calls: CallResults
    budget: CharBudget

    def request(self, message: ModelRequest) -> Iterator[Block]:
        """Yield what the model reads in a request, except the results of its calls, which are shown with the calls."""
        parts = [
            part
            for part in message.parts
            if _is_sent(part) and (not isinstance(part, BaseToolReturnPart) or id(part) in self.calls.lone)
        ]
        for part in parts[: self.budget.bounds.parts]:
            yield self._lone(part) if isinstance(part, BaseToolReturnPart) else self._said(part)
        yield from self._more(len(parts))

    def response(self, message: ModelResponse) -> Iterator[Block]:
        parts = [part for part in message.parts if _is_sent(part) and not isinstance(part, BaseToolReturnPart)]
        for part in parts[: self.budget.bounds.parts]:
            yield self._call(part, message) if isinstance(part, BaseToolCallPart) else self._said(part)
        yield from self._more(len(parts))

    def _call(self, part: BaseToolCallPart, message: ModelResponse) -> Block:
        found, later = self.calls.answers.get(id(part), (None, False))
        outcome, answer = ('', ()) if found is None else self._answer(found)
        made = HistoryCall(message, part) if isinstance(part, ToolCallPart) else None
        nested = self.calls.nested.get(id(part), ())
        # Other tools that take code are not scripts, and an application may rename `run_code`.
        if made is None or made.code is None or not (part.tool_name.endswith(RUN_CODE) or nested or made.mark):
            by_provider = '' if made else ', run by the provider'
            return Block(
                kind='called',
                label=f'calls {one_line(part.tool_name)}{by_provider}',
                text=self.budget.excerpt(part.args if isinstance(part.args, str) else as_json(part.args or {})),
                note='' if found else _UNANSWERED,
                outcome=outcome,
                answer=answer,
            )
        options = {name: value for name, value in part.args_as_dict().items() if name != 'code'}
        arguments = f' {one_line(self.budget.excerpt(as_json(options)).text)}' if options else ''
        most = self.budget.bounds.calls
        return Block(
            kind='script',
            label=f'writes {one_line(part.tool_name)}{arguments}',
            code=self.budget.excerpt(made.code),
            calls=(*map(self._nested, nested[:most]), *self._planned(made, nested)),
            more_calls=max(0, len(nested) - most),
            note=_pauses(pauses_before(made.mark), is_answered=found is not None, later=later),
            outcome=outcome,
            answer=answer,
        )

    def _lone(self, part: BaseToolReturnPart[Any]) -> Block:
        outcome, answer = self._answer(part)
        label = f'{one_line(part.tool_name)}, whose call is not in this history'
        return Block(kind='called', label=label, outcome=outcome, answer=answer)

    def _answer(self, part: BaseToolReturnPart[Any]) -> tuple[str, tuple[tuple[str, Excerpt], ...]]:
        return part.outcome, tuple((label, self.budget.excerpt(text)) for label, text in _answer_parts(part))

    def _said(self, part: Part) -> Block:
        kind = part.part_kind
        content: object = getattr(part, 'content', None)
        speaker, text = 'note', f'{kind} {as_json(part)}'
        if kind == 'tool-availability-delta':
            names = ', '.join(strings(getattr(part, 'tools_added', None)))
            text = f'may be called from here on: {names}'
        elif kind == 'speech':
            speaker = 'user' if getattr(part, 'speaker', '') == 'user' else 'model'
            text = prompt_text((content, getattr(part, 'audio', None)))
        elif kind in _SPEAKERS:
            speaker, instead = _SPEAKERS[kind]
            text = (prompt_text(content) if kind == 'user-prompt' else as_text(content) if content else '') or instead
        is_folded = True if speaker in _FOLDED else None
        return Block(kind=speaker, label=speaker, text=self.budget.excerpt(text), is_folded=is_folded)

    def _nested(self, call: ScriptCall) -> TranscriptCall:
        arguments = ', '.join(self._argument(name, value) for name, value in call.arguments.items())
        result = ''
        if call.status == 'finished':
            result = call.result if call.truncated and isinstance(call.result, str) else as_python(call.result)
        elif call.status == 'failed':
            result = call.error or ''
        notes = [
            '' if call.seconds is None else duration(call.seconds),
            'reused' if call.reused else '',
            'speculative' if call.speculative else '',
            f'planned as row {call.row}' if call.row else '',
            _DECISIONS.get(call.decision, ''),
            'undone' if call.undone else '',
        ]
        return TranscriptCall(
            line=call.line,
            code=f'{one_line(call.function)}({arguments})',
            status=call.status,
            ended=_ENDS[call.status],
            result=self.budget.excerpt(result),
            notes=', '.join(filter(None, notes)),
            origins=tuple((one_line(name), text) for name, texts in call.origins.items() for text in texts),
        )

    def _planned(self, made: HistoryCall, calls: Sequence[ScriptCall]) -> Iterator[TranscriptCall]:
        used, most = {call.row for call in calls}, self.budget.bounds.calls
        for row in [row for row in made.planned if row.place not in used][:most]:
            yield TranscriptCall(
                line=row.line,
                code=one_line(self.budget.excerpt(row.text).text),
                status='not started',
                ended=f'planned as row {row.place}, not made',
                result=Excerpt(),
                notes='',
            )

    def _argument(self, name: str, value: object) -> str:
        # An argument that fits no parameter has its position in place of a name.
        label = '' if name.isdecimal() else f'{one_line(name)}='
        excerpt = self.budget.excerpt(as_python(value), _ARGUMENT)
        return f'{label}{one_line(excerpt.text)}{excerpt.more}'

    def _more(self, parts: int) -> Iterator[Block]:
        if (over := parts - self.budget.bounds.parts) > 0:
            yield left_out(f'{over:,} more parts')


def left_out(what: str) -> Block:
    return Block(kind='left-out', label=f'… {what}')


def _is_sent(part: Part) -> bool:
    return part.part_kind not in _NOT_SENT


def _answer_parts(part: BaseToolReturnPart[Any]) -> Iterator[tuple[str, str]]:
    content: object = part.content
    metadata = fields(part.metadata)
    if result_in(content)[1]:
        for name, value in fields(content).items():
            yield (_OUTCOMES[part.outcome] if name == 'result' else name.replace('_', ' ')), as_text(value)
    else:
        # An empty text would be invisible.
        yield _OUTCOMES[part.outcome], as_text(content) or as_json(content)
    if fixes := strings(metadata.get('fixes')):
        yield 'repaired', '\n'.join(fixes)
    if found := list(dict.fromkeys(names_in(part))):
        yield 'found', ', '.join(found)


_UNANSWERED = 'no answer in this history'


def _pauses(pauses: int, *, is_answered: bool, later: bool) -> str:
    """Describe that the script waited, or has no result; empty if there is nothing to say."""
    if not pauses:
        return '' if is_answered else _UNANSWERED
    times = 'paused' if pauses == 1 else f'paused {pauses:,} times'
    if not is_answered:
        return f'{times}, and waits'
    return f'{times}, and resumed in a later run' if later else times
