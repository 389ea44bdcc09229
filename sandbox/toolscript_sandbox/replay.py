"""Replays a session from its recording, so that another version of Monty reaches the same state.

Nothing outside is called: recorded calls and file operations return their recorded results. Anything else that the
scripts do is an error.
"""

import json
from collections import deque
from collections.abc import Sequence
from itertools import takewhile, zip_longest
from typing import NoReturn

from .contract.errors import ReplayDiffers
from .contract.functions import Functions
from .contract.limits import Limits
from .contract.outcomes import Failed
from .execution.executor import LiveExecution
from .execution.protocol import Answer, Calls, Execution, Raised, Returned, Step
from .execution.recording import (
    FileOperation,
    FileQuestion,
    RecordedScript,
    RecordedStep,
    Recorder,
    Recording,
    Segment,
    file_answer_of,
    operation,
)
from .execution.state import SessionState
from .execution.telemetry import SnippetSpan
from .mounts.host_files import HostFiles
from .session import Session, WorkerSource


class Replay(Session):
    """A session that repeats what another one did, up to the point where its script waits."""

    def __init__(
        self,
        workers: WorkerSource,
        limits: Limits,
        recording: Recording,
        functions: Functions,
        files: HostFiles | None,
    ) -> None:
        """Create the replay. Scripts are prepared for `functions` and `files`, but never use them."""
        super().__init__(workers, limits, files=files)
        self._recorded = recording
        self._functions = functions
        self._script = RecordedScript()

    async def state(self) -> bytes:
        """Return the state of the waiting script. Raises `ReplayDiffers` if anything differs from the recording."""
        if self._recorded.incomplete:
            raise ReplayDiffers(f'it cannot be replayed, because {self._recorded.incomplete}')
        state, waits = b'', False
        async with self._lock:
            for segment in self._recorded.segments:
                self._as_of = segment.clock
                state, waits = await self._replayed_segment(segment, state, waits=waits)
                await self._drop()
        return state if waits else _differs('no script waits now')

    def _recorder(self, script: RecordedScript) -> Recorder:
        return _ReplayRecorder(self._recording, script, self._script)

    async def _replayed_segment(self, segment: Segment, state: bytes, *, waits: bool) -> tuple[bytes, bool]:
        """Replay a segment from the previous segment's last state. Returns its last state and if a script waits."""
        scripts = deque(segment.scripts)
        if state and not waits:
            await self._loaded(SessionState.from_bytes(state), self._functions)
        while scripts:
            self._script = scripts.popleft()
            if waits is bool(self._script.code):
                _differs(f'a script {"waits" if waits else "ends"} now, and {"ended" if waits else "waited"} then')
            execution = await self._begun(state)
            async with self._dropping():
                step, waits = await self._replayed(execution), False
            if isinstance(step, Calls):
                if scripts:
                    _differs('a script waits now, and ended then')
                execution.data.recording = self._recording
                found = execution.state()
                return _differs(found.error.message) if isinstance(found, Failed) else found, True
            await self._remember(execution, step)
        saved = await self._saved(await self._take_worker(), _MAX_BYTES)
        return (b'' if saved is None else saved.state), False

    async def _begun(self, state: bytes) -> LiveExecution:
        checkpoints, span = self._script.checkpoints, SnippetSpan()
        if not self._script.code:
            execution = await self._resumed(state, self._functions, checkpoints, span)
        else:
            asked = self._asked(self._script.code, self._functions, {})
            execution = await self._started(asked, checkpoints, None, span)
        if isinstance(execution, Failed):
            _differs(f'a script is refused now: {execution.error.message}')
        assert isinstance(execution, LiveExecution)
        return execution

    async def _replayed(self, execution: Execution) -> Step:
        step: Step = Calls()
        for turn in self._script.turns:
            if not isinstance(step, Calls):
                ended = f' with {step.error.message}' if isinstance(step, Failed) else ''
                _differs(f'a script ends now{ended}, and waited for answers then')
            step = await execution.advance(turn.answers)
            _compare(turn, step)
        return step


class _ReplayRecorder(Recorder):
    """Answers from the recording, and records everything again for the next version."""

    replays = True

    def __init__(self, recording: Recording, script: RecordedScript, recorded: RecordedScript) -> None:
        super().__init__(recording, script)
        self._turns = deque(recorded.turns)
        self._files = deque(recorded.files)
        self._times = deque[float]()

    def answered(self, answers: Sequence[Answer]) -> None:
        super().answered(answers)
        self._times = deque(self._turns.popleft().times)

    def time(self, now: float) -> float:
        time = self._times[0] if self._times else now
        if len(self._times) > 1:
            self._times.popleft()
        return super().time(time)

    def replayed(self, asked: FileQuestion) -> Returned | Raised | None:
        noted = self._files.popleft() if self._files else FileOperation('nothing', '', Returned(None))
        what, digest = operation(asked)
        if digest != noted.digest:
            then = 'had other arguments' if what == noted.what else f'asked for {noted.what}'
            _differs(f'a script asks for {what} now, and {then} then')
        return file_answer_of(noted.answer)


def _compare(turn: RecordedStep, step: Step) -> None:
    calls = step.new if isinstance(step, Calls) else ()
    now = [_shown(call.function, call.args, call.kwargs) for call in calls]
    then = [_shown(function, args, kwargs) for _, function, args, kwargs in turn.calls]
    if isinstance(step, Failed) and then:
        _differs(f'a script fails now, and called {_around(then[0], 0)} then: {step.error.message}')
    for one, other in zip_longest(now, then, fillvalue='nothing'):
        if one != other:
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
            one, other = _around(one, same), _around(other, same)
            _differs(f'a script calls {one} now, and called {other} then')


def _around(text: str, place: int) -> str:
    """Return the part of a long text around a position."""
    begin, end = max(0, place - _CHARS), place + 3 * _CHARS
    return f'{"..." if begin else ""}{text[begin:end]}{"..." if text[end:] else ""}'


def _shown(function: str, args: Sequence[object], kwargs: dict[str, object]) -> str:
    parts = [*map(json.dumps, args), *(f'{name}={json.dumps(value, sort_keys=True)}' for name, value in kwargs.items())]
    return f'{function}({", ".join(parts)})'


def _differs(difference: str) -> NoReturn:
    raise ReplayDiffers(difference)


_MAX_BYTES = 10**12
_CHARS = 60
