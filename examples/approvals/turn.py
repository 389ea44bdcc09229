"""A request of a browser to a chat, in any protocol."""

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
    """The input of a run, and the callback for its end."""

    shop: Shop
    history: Sequence[ModelMessage]
    results: DeferredToolResults | None
    capabilities: Sequence[AbstractCapability[Shop]]
    ended: Callable[[AgentRunResult[Any]], Awaitable[None]]


@dataclass(frozen=True)
class Turn(ABC):
    """A message, or answers, or neither, in which case an interrupted run continues.

    The server has the history. A history, tools or state sent by the browser are ignored.
    """

    chat_id: str
    text: str | None
    answers: dict[str, Answer]

    @abstractmethod
    def run(self, clerk: Clerk, setting: Setting) -> AsyncIterator[str]:
        """Run the agent and yield the frames of the protocol."""

    @abstractmethod
    def heard(self) -> str:
        """Return a frame with the message or the decisions of the turn, for browsers that open the chat later."""

    @abstractmethod
    def broken_off(self, why: str) -> str:
        """Return a frame that says that the run ended early."""
