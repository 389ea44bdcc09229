"""Caches finished calls, so that identical calls of a later script return their results instead of running again."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from pydantic_core import to_json

from toolscript.results.tool_errors import UNKNOWN_OUTCOMES
from toolscript.stored_json import StoredJson
from toolscript_sandbox import ToolError

from .journal import CallEntry, CallRaised, Finished, Started


@dataclass
class CallCache:
    """The calls of failed scripts, and the state of the running script that decides whether to reuse them."""

    earlier: dict[str, list[CallEntry]] = field(default_factory=dict[str, list[CallEntry]])
    """By digest, in the order of the calls: the k-th identical call of the next script gets the k-th result. An entry
    that has only started has an unknown outcome."""
    running: dict[int, CallEntry] = field(default_factory=dict[int, CallEntry])
    """The calls of the running script that have started but not ended, by number."""
    shown: set[str] = field(default_factory=set[str])
    """Digests of unknown outcomes that the running script encountered; from the next script on, the model decides."""
    outdated: set[str] = field(default_factory=set[str])
    """Digests of outdated results that the running script encountered; from the next script on, the model decides."""
    clock: int = 0
    """A logical clock that counts starts and ends of calls."""
    changes: dict[str, int] = field(default_factory=dict[str, int])
    """By tool, the start of its latest call that may have changed something."""
    changed: bool = False
    """Whether the running script has changed something itself."""
    lost: bool = False
    """Whether calls of the previous script are missing because its journal was lost. If so, calls that must not run
    again have unknown outcomes in the running script."""
    replayed: int = 0
    """The start of the latest change whose result was replayed to the running script."""

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def change(self, tool_name: str, began: int) -> None:
        self.changed = True
        self.changes[tool_name] = max(began, self.changes.get(tool_name, 0))

    def next_of(self, digest: str) -> CallEntry | None:
        """Return what `recall` would return."""
        queue = self.earlier.get(digest)
        return queue[0] if queue else None

    def since(self, entry: CallEntry, plan: frozenset[str]) -> list[str] | None:
        """Return the tools that may have changed something since the call; `None` if its result is still valid.

        A script may repeat the calls of the failed one in the same order: `plan` contains the tools that it may call.
        """
        later = [name for name, began in self.changes.items() if began > entry.ended]
        in_order = not self.changed and self.replayed <= entry.ended
        return None if in_order and plan.issuperset(later) else later

    def recall(self, digest: str) -> CallEntry | None:
        """Return the outcome of the next identical call; each result is returned once."""
        queue = self.earlier.get(digest)
        if not queue:
            return None
        if not queue[0].is_known:
            self.shown.add(digest)
            return queue[0]
        return queue.pop(0)

    def forget(self, changes: Collection[str]) -> None:
        """Forget calls whose changes were undone, so that a script that repeats them runs them."""
        kept = {digest: [one for one in calls if one.change not in changes] for digest, calls in self.earlier.items()}
        self.earlier = {digest: calls for digest, calls in kept.items() if calls}

    def script_failed(self, ended: Iterable[CallEntry], *, lost: bool = False) -> None:
        """Pass the calls of the script on to the next one; `lost` says whether others were lost."""
        self._forget_shown()
        calls = [*_reusable(ended), *self.running.values()]
        for call in calls:
            if not call.is_known:
                self.change(call.tool_name, call.began)
        new = dict[str, list[CallEntry]]()
        # A call that timed out and was then repeated has a result.
        for call in sorted(calls, key=lambda call: not call.is_known):
            new.setdefault(call.digest, []).append(call)
        for digest, left in self.earlier.items():
            new.setdefault(digest, []).extend(left)
        self.earlier, self.lost = new, lost
        self._end_script()

    def script_succeeded(self, ended: Iterable[CallEntry]) -> None:
        """Forget everything, unless the script only read data: then the actual retry is still to come."""
        self._forget_shown()
        if self.running or _reusable(ended):
            self.earlier, self.changes = {}, {}
        self.lost = False
        self._end_script()

    def advice(self, name_of: Callable[[str], str]) -> list[str]:
        """Describe the results of identical calls in the next script, in one paragraph; empty if nothing is cached."""
        calls = list(chain.from_iterable(self.earlier.values()))
        done = _names(name_of(call.tool_name) for call in calls if call.is_known)
        unknown = _names(name_of(call.tool_name) for call in calls if not call.is_known)
        lines = list[str]()
        if done:
            lines.append(
                f'In your next script, the same calls to {done} return their recorded results and do not run again.'
            )
        if unknown:
            lines.append(
                f'The outcome of calls to {unknown} is unknown: the same calls in your next script raise '
                'RuntimeError("UnknownOutcome: ..."), so find out first.'
            )
        return [' '.join(lines)] if lines else []

    def _forget_shown(self) -> None:
        for digest in self.shown:
            self.earlier[digest] = [call for call in self.earlier.get(digest, []) if call.is_known]
        for digest in self.outdated:
            self.earlier.pop(digest, None)
        self.outdated = set()

    def _end_script(self) -> None:
        self.running, self.shown = {}, set()
        self.changed, self.replayed = False, 0


def _reusable(ended: Iterable[CallEntry]) -> list[CallEntry]:
    """Return the calls that must not run again: those that succeeded, and those with an unknown outcome."""
    calls = list[CallEntry]()
    for call in ended:
        match call.outcome:
            case Finished() | Started() if not call.may_run_again:
                calls.append(replace(call, call=None))
            case CallRaised(kind) if kind in UNKNOWN_OUTCOMES and not call.may_run_again:
                # The script got an error, but what the call has done, and still does, is unknown.
                calls.append(replace(call, call=None, outcome=Started(), began=0))
            case _:
                pass
    return calls


def _names(names: Iterable[str]) -> str:
    return ', '.join(dict.fromkeys(names))


def outdated_result(tool_name: str, result: Finished, since: Sequence[str]) -> ToolError:
    """Return the exception for a call whose earlier result may be outdated: a `RuntimeError`."""
    value = to_json(result.value).decode(errors='replace')
    shown = value if len(value) <= _MAX_SHOWN else f'{value[:_MAX_SHOWN]}…'
    others = f'{", ".join(since[:_MAX_NAMED])} ran' if since else 'Other calls ran'
    return ToolError(
        'RuntimeError',
        f'{tool_name} already ran with these arguments in a failed script and returned {shown}. {others} since, so '
        f'this may be outdated. {tool_name} is not marked as read-only, so it was not run again. Use that value, '
        'or call it in a later script, which runs it again.',
    )


_MAX_SHOWN = 200
_MAX_NAMED = 5


def unknown_outcome(tool_name: str) -> ToolError:
    """Return the exception for a call that may have run: a `RuntimeError` whose message starts with its name."""
    return ToolError(
        'UnknownOutcome',
        f'{tool_name} with these arguments was still running when the script was interrupted, so its outcome is '
        'unknown. It was not run again. Find out first; a later script may call it again.',
    )


stored_cache = StoredJson(CallCache)
