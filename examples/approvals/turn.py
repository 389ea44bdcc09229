"""What a browser asks of a chat, in whichever protocol."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_ai import AgentRunResult, ModelMessage
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.tools import DeferredToolResults

from examples.approvals.answers import Answer
from examples.approvals.clerk import Clerk
from examples.approvals.shop import Shop


@dataclass(frozen=True)
class Setting:
    """Where a run begins, and who is told of its end."""

    shop: Shop
    history: Sequence[ModelMessage]
    results: DeferredToolResults | None
    capabilities: Sequence[AbstractCapability[Shop]]
    ended: Callable[[AgentRunResult[Any]], Awaitable[None]]


@dataclass(frozen=True)
class Turn(ABC):
    """A message, or answers, or neither: then the run that was broken off continues.

    The server has the history. What a browser sends of it, and tools and a state of its own, do not count.
    """

    chat_id: str
    text: str | None
    answers: dict[str, Answer]

    @abstractmethod
    def run(self, clerk: Clerk, setting: Setting) -> AsyncIterator[str]:
        """Run the agent: the frames of the protocol."""

    @abstractmethod
    def heard(self) -> str:
        """A frame that tells what was said or decided, for anyone who opens the chat later."""

    @abstractmethod
    def broken_off(self, why: str) -> str:
        """A frame that tells that the run has ended too soon."""
