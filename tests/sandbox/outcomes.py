"""Scripts of tests, and the outcomes that tests expect."""

from __future__ import annotations

from typing import Any

from tests.corpus.table import TABLE, answer
from toolscript_sandbox import Completed, Dispatch, Failed, Functions, Outcome, Sandbox, Suspended


async def run_script(code: str, functions: Functions = TABLE, dispatch: Dispatch = answer, **settings: Any) -> Outcome:
    """Run a script in its own session, which has the settings."""
    async with Sandbox.shared().session(**settings) as session:
        return await session.run(code, functions, dispatch)


async def resume_script(
    waiting: Outcome, functions: Functions = TABLE, dispatch: Dispatch = answer, **settings: Any
) -> Outcome:
    """Resume a script that waits, in another session."""
    async with Sandbox.shared().session(**settings) as session:
        return await session.resume(suspended(waiting).state, functions, dispatch, calls=waiting.calls)


def completed(outcome: Outcome) -> Completed:
    """Return the outcome of a script that has to complete."""
    assert isinstance(outcome, Completed), outcome
    return outcome


def failed(outcome: Outcome) -> Failed:
    """Return the outcome of a script that has to fail."""
    assert isinstance(outcome, Failed), outcome
    return outcome


def suspended(outcome: Outcome) -> Suspended:
    """Return the outcome of a script that has to wait."""
    assert isinstance(outcome, Suspended), outcome
    return outcome
