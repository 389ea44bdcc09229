"""Scripts that run step by step, each step in any available process. Steps take text and return text.

Engines for durable execution record the result of a step and never run it again. So a step does everything that needs
processes, clocks or randomness: it prepares and checks a script, runs it until it waits for calls, and returns its
state. The other half runs in the workflow, where those are forbidden: it alternates between steps and calls.
"""

import json
import re
import time
import zlib
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias, TypeVar

from .contract.calls import CallRecord, Waiting
from .contract.errors import SnippetError, StateError
from .contract.functions import Function, Functions
from .contract.limits import Limits
from .contract.outcomes import Completed, Failed, Outcome, Suspended
from .contract.tracing import Tracing
from .execution.executor import LiveExecution
from .execution.in_flight import InFlight
from .execution.preparation import Asked
from .execution.protocol import Answer, Calls, Execution, Raised, Step
from .execution.recording import RecordedScript, Recorder
from .execution.state import adapter
from .execution.telemetry import SnippetSpan
from .session import Session, WorkerSource

TakeStep: TypeAlias = Callable[[str], Awaitable[str]]
"""Runs `take_step` with this text and records its result."""


@dataclass(frozen=True)
class StepRequest:
    """The input of a step."""

    limits: Limits
    code: str = ''
    """The code of a script that starts with this step."""
    inputs: dict[str, Any] = field(default_factory=dict[str, Any])
    """Variables that the script finds set."""
    session: str = ''
    """The variables that earlier scripts left, in base64."""
    script: str = ''
    """The state of the script after its last step, in base64."""
    ask_again: bool = False
    """Whether the pending calls of the script are returned as new ones again."""
    answers: tuple[Answer, ...] = ()
    functions: tuple[Function, ...] = ()
    """The functions that the script may call."""
    host_answers: dict[str, str] = field(default_factory=dict[str, str])
    """Answers to the questions that the previous attempt at this step asked."""
    since: float = 0.0
    """When the last step ended, in seconds since the epoch; 0 if no time has passed since then."""
    waited: float = 0.0
    """The least number of seconds that have passed since `since`."""


@dataclass(frozen=True)
class StepResult:
    """The output of a step."""

    calls: Calls | None = None
    completed: Completed | None = None
    failed: Failed | None = None
    cancelled: tuple[int, ...] = ()
    """Calls of a failed script that are no longer awaited."""
    script: str = ''
    """The state of the script if it has not ended."""
    stdout: str = ''
    """The output that the script has printed, if it waits for calls."""
    session: str | None = None
    """The session that the script left; None if unchanged."""
    variables: frozenset[str] = frozenset()
    """The names of the variables in the session."""
    asked: tuple[str, ...] = ()
    """Questions about functions that only the workflow can answer. They are asked before a script runs."""
    unreadable: str = ''
    """Why the state cannot be read; empty if it can."""
    ended: float = 0.0
    """When the step ended, in seconds since the epoch."""


# -- a step


async def take_step(workers: WorkerSource, text: str) -> str:
    """Take one step of a script. The result reports the script's own errors. Raises `Unavailable` without a worker."""
    request = _from_text(StepRequest, text)
    async with _OneStep(workers, request) as session:
        try:
            result = await session.take()
        except StateError as error:
            result = StepResult(unreadable=str(error))
    return _to_text(replace(result, asked=tuple(session.functions.asked), ended=time.time()))


class _OneStep(Session):
    """A session that lives for one step."""

    def __init__(self, workers: WorkerSource, request: StepRequest) -> None:
        limits = request.limits
        most = {name: min(getattr(limits, name), limits.max_step_bytes) for name in _CROSSING}
        super().__init__(workers, replace(limits, **most))
        self._request = request
        self.functions = _RequestFunctions(request)

    async def take(self) -> StepResult:
        request, functions = self._request, self.functions
        if request.script:
            since = max(0.0, time.time() - request.since) if request.since else 0.0
            execution = await self._restored(
                b64decode(request.script),
                functions,
                self._options(False),
                ask_again=request.ask_again,
                elapsed=max(since, request.waited),
            )
        else:
            if request.session:
                await self.load(zlib.decompress(b64decode(request.session)), functions)
            asked = self._asked(request.code, functions, request.inputs)
            execution = await self._started(asked, False, None, SnippetSpan())
            if isinstance(execution, Failed):
                return StepResult(failed=execution)
            assert isinstance(execution, LiveExecution)
        return await self._advanced(execution)

    def _recorder(self, script: RecordedScript) -> Recorder:
        # The engine stores the state of every step, so it has to be small.
        self._recording.give_up('its steps are not recorded')
        return super()._recorder(script)

    async def _advanced(self, execution: LiveExecution) -> StepResult:
        step = await execution.advance(self._request.answers)
        cancelled, turns = list[int](), 0
        while isinstance(step, Calls) and (execution.error is not None or (step == _AT_ONCE and turns < _MAX_TURNS)):
            # A script that has failed has no state, and its remaining work needs no answers.
            cancelled += step.cancelled
            step, turns = await execution.advance(()), turns + 1
        if isinstance(step, Calls):
            # After so many turns, the script asks again and again whether a call has ended.
            step = replace(step, wake_in=_POLLING) if step == _AT_ONCE else step
            state = execution.state()
            if isinstance(state, Failed):
                error = state.error
            else:
                result = StepResult(calls=step, script=_encoded(state), stdout='' if step.new else execution.printed)
                error = self._refused_state(state, result)
                if error is None:
                    return result
            execution.take_back(step.new)
            cancelled += [one.call.id for one in execution.data.open.values() if one.status == 'asked']
            await execution.close()
            is_lost = isinstance(state, Failed)
            failed, session = execution.failed(error, lost=is_lost), '' if is_lost else None
            return self._storable(StepResult(failed=failed, cancelled=tuple(cancelled), session=session))
        await self._remember(execution, step)
        saved, variables = await self.dump(self.limits.max_step_bytes), self.variables
        if saved is None:
            session, left_out, kept = '', ['what the script left'] if variables else [], frozenset[str]()
        else:
            session, left_out = _encoded(zlib.compress(saved.state, 1)), saved.too_large
            kept = variables.difference(one.name for one in left_out)
        result = StepResult(cancelled=tuple(cancelled), session=session, variables=kept)
        if isinstance(step, Failed):
            return self._storable(replace(result, failed=step))
        changes = tuple(f'{one} is too large to be kept for the next script' for one in left_out)
        return self._storable(replace(result, completed=replace(step, changes=step.changes + changes)))

    def _refused_state(self, state: bytes, result: StepResult) -> SnippetError | None:
        """Return the error of a script whose calls or state are too large for an engine."""
        most = self.limits.max_step_bytes
        if len(state) > most:
            return SnippetError('limit', _STATE_TOO_LARGE.format(size=len(state), most=most))
        size = _stored_size(result)
        return None if size <= 2 * most else SnippetError('limit', _CALLS_TOO_LARGE.format(size=size, most=2 * most))

    def _storable(self, result: StepResult) -> StepResult:
        """Return the result of a script that has ended, without what is too large for an engine."""
        most = 2 * self.limits.max_step_bytes
        if _stored_size(result) <= most:
            return result
        if result.failed is not None:
            return replace(result, failed=_shortened(result.failed, self.limits))
        assert result.completed is not None
        ended = _shortened(result.completed, self.limits)
        result = replace(result, completed=ended)
        size = _stored_size(result)
        if size <= most:
            return result
        where = f', and the variable `{ended.name}` has all of it' if ended.name in result.variables else ''
        error = SnippetError('limit', _RESULT_OF_SCRIPT_TOO_LARGE.format(size=size, most=most, where=where))
        failed = Failed(
            *(ended.code, ended.fixes, ended.stdout, ended.calls),
            error,
            session_lost=False,
            executed_code=ended.executed_code,
        )
        return replace(result, completed=None, failed=failed)


class _RequestFunctions:
    """The functions in the request. Anything else that the step needs to know about functions becomes a question."""

    def __init__(self, request: StepRequest) -> None:
        self._functions = {
            one.name: replace(one, validate=partial(self._answer, 'validate', one.name)) for one in request.functions
        }
        self._words = _words(request.code)
        self._known = request.host_answers
        self.asked = dict[str, None]()
        """The questions that have no answer yet."""

    def get(self, name: str, /) -> Function | None:
        found = self._functions.get(name)
        if found is None and name not in self._words:
            # The request already includes each function whose name is a word of the code.
            self._answer('get', name)
        return found

    def hint(self, name: str, /) -> str | None:
        return self._answer('hint', name)

    def _answer(self, *question: Any) -> str | None:
        text = json.dumps(question)
        if text not in self._known:
            self.asked[text] = None
        return self._known.get(text)


# -- what drives the steps


class SteppedSession(Session):
    """A session whose scripts run in steps that other processes take. It has no worker and reads no clock."""

    def __init__(self, workers: WorkerSource, limits: Limits, take: TakeStep, *, patience: float) -> None:
        """Create the session. It never takes a worker from `workers`."""
        super().__init__(workers, limits)
        self._patience = patience
        self._take = take
        self._left_behind = ''
        self._variables = frozenset[str]()
        self._names = frozenset[str]()
        """Names that its scripts may use."""

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables that its scripts left."""
        return self._variables

    async def _started(
        self, asked: Asked, checkpoints: bool, tracing: Tracing | None, span: SnippetSpan
    ) -> Execution | Failed:
        self._names |= _words(asked.code)
        request = StepRequest(self._limits, asked.code, dict(asked.inputs), self._left_behind)
        return SteppedExecution(self._take, request, asked.functions, self._names)

    async def _resumed(self, state: bytes, functions: Functions, checkpoints: bool, span: SnippetSpan) -> Execution:
        request = StepRequest(self._limits, script=_encoded(state), ask_again=True)
        return SteppedExecution(self._take, request, functions, self._names)

    async def _ended_as(self, execution: Execution, in_flight: InFlight, ended: Completed | Failed | None) -> Outcome:
        assert isinstance(execution, SteppedExecution)
        if ended is None:
            return execution.suspended(in_flight.log.with_others(()), in_flight.waiting)
        if execution.session is not None:
            self._left_behind, self._variables = execution.session, execution.variables
        return ended


class SteppedExecution:
    """An `Execution` that keeps nothing between steps except the text that the last one returned."""

    def __init__(self, take: TakeStep, request: StepRequest, functions: Functions, names: Iterable[str]) -> None:
        """Create the execution. `names` are those of functions that the script may call, as far as known."""
        known = (functions.get(name) for name in sorted(names))
        self._request = replace(
            request, functions=tuple(replace(one, validate=None) for one in known if one is not None)
        )
        self.session: str | None = None
        self.variables = frozenset[str]()
        self._take = take
        self._functions = functions
        self._left = deque[Answer]()
        """Answers for later steps: one step takes no more than the engine can carry."""
        self._failed: Failed | None = None
        self._stdout = ''

    async def advance(self, answers: Sequence[Answer], /) -> Step:
        if self._failed is not None:
            return self._failed
        self._left.extend(answers)
        # Answers may come before the time for which the script waits.
        waited = 0.0 if self._left else self._request.waited
        self._request = replace(self._request, answers=self._portion(), waited=waited)
        result = await self._take_step()
        while self._add_answers(result):
            # The step has not done anything outside, so it can be taken again.
            result = await self._take_step()
        if result.unreadable:
            raise StateError(result.unreadable)
        self.session, self.variables = result.session, result.variables
        if result.completed is not None:
            return result.completed
        if result.failed is not None:
            self._failed = result.failed
            return Calls(cancelled=result.cancelled, wake_in=0) if result.cancelled else result.failed
        assert result.calls is not None
        self._stdout = result.stdout
        step = replace(result.calls, wake_in=0) if self._left else result.calls
        self._request = StepRequest(
            self._request.limits,
            script=result.script,
            functions=self._request.functions,
            since=result.ended,
            waited=step.wake_in or 0.0,
        )
        return step

    def state(self) -> bytes:
        return b64decode(self._request.script)

    async def close(self) -> None:
        """Do nothing: no resources are open."""

    def suspended(self, calls: tuple[CallRecord, ...], waiting: tuple[Waiting, ...]) -> Suspended:
        """Return the outcome of a script whose calls all wait, with the caller's records of them."""
        return Suspended('', (), self._stdout, calls, self.state(), waiting)

    async def _take_step(self) -> StepResult:
        return _from_text(StepResult, await self._take(_to_text(self._request)))

    def _portion(self) -> tuple[Answer, ...]:
        room = 2 * self._request.limits.max_step_bytes - len(self._request.script)
        portion = list[Answer]()
        while self._left:
            answer = self._left.popleft()
            size = len(_json(_to_text(answer)))
            if portion and size > room:
                self._left.appendleft(answer)
                break
            if size > room:
                too_large = _RESULT_TOO_LARGE.format(size=size, held=len(self._request.script))
                answer = Answer(answer.call_id, Raised('RuntimeError', too_large))
            portion.append(answer)
            room -= size
        return tuple(portion)

    def _add_answers(self, result: StepResult) -> bool:
        """Add the answers that the step lacked. Returns whether there were any."""
        request = self._request
        functions, found = dict[str, Function](), dict[str, str | None]()
        for question in result.asked:
            kind, name, *value = json.loads(question)
            function = None if kind == 'hint' else self._functions.get(name)
            if kind == 'get' and function is not None:
                functions[name] = replace(function, validate=None)
            elif kind == 'hint':
                found[question] = self._functions.hint(name)
            elif kind == 'validate' and function is not None and function.validate is not None:
                found[question] = function.validate(*value)
        known = {question: answer for question, answer in found.items() if answer is not None}
        if not functions and not (any(known.values()) or (known and result.failed is not None)):
            return False
        self._request = replace(
            request,
            functions=(*request.functions, *functions.values()),
            host_answers=request.host_answers | known,
        )
        return True


_AT_ONCE = Calls(wake_in=0)
"""The caller has nothing to do and takes the next step at once."""
_MAX_TURNS = 300
"""The maximum number of turns of a script in one step without an answer."""
_POLLING = 1.0
"""Seconds that a script with more turns waits for an answer."""
_CROSSING = ('max_result_bytes', 'max_argument_bytes')
_RESULT_TOO_LARGE = (
    'the result has {size:,} bytes and the script holds {held:,}, more than a step of a durable workflow takes '
    '(max_step_bytes); ask for less at a time, or keep less in variables'
)
_STATE_TOO_LARGE = (
    'What the script has in its variables takes {size:,} bytes while it waits for calls; in a durable workflow '
    '{most:,} are allowed (max_step_bytes). Keep only what is still needed: pick fields, or work on one part after '
    'the other.'
)
_CALLS_TOO_LARGE = (
    'What the script has in its variables, has printed and passes to its calls takes {size:,} bytes; in a durable '
    'workflow {most:,} are allowed (twice max_step_bytes). Print less, and pass less at a time.'
)
_RESULT_OF_SCRIPT_TOO_LARGE = (
    'The script has run, but its result and what it leaves take {size:,} bytes; in a durable workflow {most:,} are '
    'allowed (twice max_step_bytes){where}. Return less of it: a slice, a count, a summary.'
)
_OUTPUT_SHARE = 45
"""The part of `max_step_bytes` that the beginning of a long output gets, and its end. JSON in JSON may take seven
bytes for a character."""

T = TypeVar('T')
_EndedT = TypeVar('_EndedT', Completed, Failed)


def _shortened(ended: _EndedT, limits: Limits) -> _EndedT:
    """Return the outcome with less output, and without the arguments of calls that did not run."""
    text, kept = ended.stdout, limits.max_step_bytes // _OUTPUT_SHARE
    if len(text) > 2 * kept:
        head = f'[{len(text):,} characters; a durable workflow keeps only the beginning and the end]'
        text = f'{head}\n{text[:kept]}\n…\n{text[-kept:]}'
    calls = (replace(one, call=replace(one.call, args=(), kwargs={})) for one in ended.calls)
    return replace(ended, stdout=text, calls=tuple(calls))


def _stored_size(result: StepResult) -> int:
    """Return the size of the result as an engine stores it: as text in JSON."""
    return len(_json(_to_text(result)))


def _to_text(value: StepRequest | StepResult | Answer) -> str:
    facts = adapter(type(value)).dump_python(value, exclude_defaults=True)
    return _json(facts).decode()


def _json(value: Any) -> bytes:
    text = json.dumps(value, default=list, ensure_ascii=False, separators=(',', ':'))
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A lone surrogate cannot be encoded as UTF-8.
        return json.dumps(value, default=list, separators=(',', ':')).encode()


def _from_text(kind: type[T], text: str) -> T:
    return adapter(kind).validate_python(json.loads(text))


def _words(code: str) -> frozenset[str]:
    return frozenset(re.findall(r'\w+', code))


def _encoded(data: bytes) -> str:
    return b64encode(data).decode()
