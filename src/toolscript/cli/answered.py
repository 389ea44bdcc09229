"""Work in the thread of a portal, whose questions are answered in this one, and which Ctrl-C breaks off.

Python hands a signal to the main thread alone, when that runs Python again: one that comes just before it begins to
wait is seen when the waiting ends. So it waits for no longer than a glance. While the work goes on, Ctrl-C is a message
like the others; an exception raised anywhere could leave work behind that nobody can end.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event
from typing import Generic, TypeAlias, TypeVar

from anyio.from_thread import BlockingPortal

from toolscript.cli.interrupts import on_interrupt

QuestionT = TypeVar('QuestionT')
AnswerT = TypeVar('AnswerT')
ResultT = TypeVar('ResultT')

Ask: TypeAlias = Callable[[QuestionT], Awaitable[AnswerT]]

_GLANCE = 0.2
"""Seconds."""


@dataclass(frozen=True)
class _Asked(Generic[QuestionT, AnswerT]):
    question: QuestionT
    answer: Future[AnswerT] = field(default_factory=Future[AnswerT])


def answered(
    portal: BlockingPortal,
    work: Callable[[Ask[QuestionT, AnswerT]], Awaitable[ResultT]],
    answer: Callable[[QuestionT], AnswerT],
) -> ResultT:
    """What the work gives. To be called in the main thread.

    Args:
        portal: Where it works.
        work: Is given what it asks questions with.
        answer: Answers one, in this thread; what it raises is raised where the question was asked, but for
            `KeyboardInterrupt`, which breaks the work off.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed; the work is cancelled.
    """
    pressed = Event()
    told = SimpleQueue[_Asked[QuestionT, AnswerT] | None]()
    """Questions; `None`: something else is to be looked at."""

    async def ask(question: QuestionT) -> AnswerT:
        asked = _Asked[QuestionT, AnswerT](question)
        told.put(asked)
        return await asyncio.wrap_future(asked.answer)

    async def whole() -> ResultT:
        return await work(ask)

    def press() -> None:
        pressed.set()
        told.put(None)

    with on_interrupt(press):
        running = portal.start_task_soon(whole)
        running.add_done_callback(lambda _: told.put(None))
        try:
            while not running.done():
                asked = _next(told)
                if pressed.is_set():
                    raise KeyboardInterrupt
                if asked is not None:
                    _put(asked, answer)
        except KeyboardInterrupt:
            running.cancel()
            raise
        return running.result()


def _put(asked: _Asked[QuestionT, AnswerT], answer: Callable[[QuestionT], AnswerT]) -> None:
    try:
        asked.answer.set_result(answer(asked.question))
    except Exception as error:
        asked.answer.set_exception(error)


def _next(told: SimpleQueue[_Asked[QuestionT, AnswerT] | None]) -> _Asked[QuestionT, AnswerT] | None:
    try:
        return told.get(timeout=_GLANCE)
    except Empty:
        return None
