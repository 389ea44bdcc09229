"""A simulated browser for the server of the example: it sends turns and reads the responses."""

import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar
from uuid import uuid4

import httpx2
from pydantic_ai.models import Model

from examples.approvals.app import create_app
from examples.approvals.shop import Shop

Answers = dict[str, dict[str, Any]]
APPROVED: dict[str, Any] = {'approved': True}
WEEK = timedelta(days=7)


@asynccontextmanager
async def serving(model: Model, folder: Path, ttl: timedelta = WEEK) -> AsyncGenerator[httpx2.AsyncClient]:
    """Yields a client for a server that runs until the block ends."""
    app = create_app(model, folder, ttl)
    async with app.router.lifespan_context(app):
        transport = httpx2.ASGITransport(app)
        async with httpx2.AsyncClient(transport=transport, base_url='http://localhost') as client:
            yield client


def done(folder: Path) -> dict[str, list[Any]]:
    """Return the changes in the shop: amounts by order, messages by customer, and the remaining customers."""
    shop = Shop(folder / 'shop.db')
    return {
        'refunds': [(row['order_id'], row['amount']) for row in shop.rows('select * from refunds order by order_id')],
        'messages': [row['customer_id'] for row in shop.rows('select * from messages order by customer_id')],
        'customers': [row['id'] for row in shop.rows('select * from customers order by id')],
    }


def frames(text: str) -> list[dict[str, Any]]:
    found = [frame.removeprefix('data: ') for frame in text.split('\n\n')]
    return [json.loads(frame) for frame in found if frame and frame != '[DONE]']


def _by_arguments(call: dict[str, Any]) -> str:
    return json.dumps(call['args'])


@dataclass
class Window(ABC):
    """A chat in a browser."""

    path: ClassVar[str]
    server: httpx2.AsyncClient
    chat_id: str = field(default_factory=lambda: uuid4().hex)
    waiting: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """The pending calls (`tool_call_id`, `tool_name`, `args`), sorted by arguments: concurrent calls have no order."""
    events: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """The events of scripts in the last run."""
    text: str = ''
    problem: str = ''
    """The error that refused the last turn or ended its run."""
    status: int = 0

    async def say(self, text: str) -> None:
        await self._send(self.message(text))

    async def answer(self, answers: Answers) -> None:
        """Send decisions by call id."""
        await self._send(self.decisions(answers))

    async def answer_all(self, *answers: dict[str, Any]) -> None:
        """Send one answer for each pending call."""
        ids = [call['tool_call_id'] for call in self.waiting]
        await self.answer(dict(zip(ids, answers, strict=True)))

    async def resume(self) -> None:
        await self._send(self.nothing())

    @property
    def asked(self) -> list[tuple[str, dict[str, Any]]]:
        """The pending calls as names and arguments."""
        return [(call['tool_name'], call['args']) for call in self.waiting]

    def scripted(self, kind: str) -> list[dict[str, Any]]:
        """Return the script events of a kind: `call`, `result`, `print`, `pause`."""
        return [value for name, value in self._custom() if name == f'toolscript.{kind}']

    async def _send(self, body: dict[str, Any]) -> None:
        response = await self.server.post(self.path, json=body)
        self.status, self.problem = response.status_code, ''
        if response.is_error:
            self.problem = response.text
            return
        self.events, self.text = frames(response.text), ''
        self.read()

    @abstractmethod
    def message(self, text: str) -> dict[str, Any]: ...

    @abstractmethod
    def decisions(self, answers: Answers) -> dict[str, Any]: ...

    @abstractmethod
    def nothing(self) -> dict[str, Any]: ...

    @abstractmethod
    def read(self) -> None: ...

    @abstractmethod
    def _custom(self) -> Sequence[tuple[str, dict[str, Any]]]: ...


@dataclass
class AGUIWindow(Window):
    """A window that speaks AG-UI, as the page does."""

    path: ClassVar[str] = '/ag-ui'
    code: dict[str, str] = field(default_factory=dict[str, str])
    """The arguments of `run_code` calls."""

    def message(self, text: str) -> dict[str, Any]:
        return self._body(messages=[{'id': uuid4().hex, 'role': 'user', 'content': text}])

    def decisions(self, answers: Answers) -> dict[str, Any]:
        script = next(iter(answers)).partition('__')[0]
        payload = {'approved': True, 'calls': answers}
        return self._body(resume=[{'interruptId': f'int-{script}', 'status': 'resolved', 'payload': payload}])

    def nothing(self) -> dict[str, Any]:
        return self._body()

    def read(self) -> None:
        for event in self.events:
            match event['type']:
                case 'TEXT_MESSAGE_CONTENT':
                    self.text += event['delta']
                case 'TOOL_CALL_ARGS':
                    self.code[event['toolCallId']] = self.code.get(event['toolCallId'], '') + event['delta']
                case 'RUN_ERROR':
                    self.problem = event['message']
                case 'RUN_FINISHED':
                    outcome: dict[str, Any] = event.get('outcome') or {}
                    interrupts: list[dict[str, Any]] = outcome.get('interrupts', [])
                    self.waiting = sorted((call for one in interrupts for call in self._calls(one)), key=_by_arguments)
                case _:
                    pass

    def _calls(self, interrupt: dict[str, Any]) -> list[dict[str, Any]]:
        metadata: dict[str, Any] = interrupt.get('metadata') or {}
        inside: list[dict[str, Any]] = metadata.get('toolscript_calls', [])
        call_id: str = interrupt['toolCallId']
        args = json.loads(self.code.get(call_id, '{}'))
        return inside or [{'tool_call_id': call_id, 'tool_name': 'run_code', 'args': args}]

    def _custom(self) -> Sequence[tuple[str, dict[str, Any]]]:
        return [(event['name'], event['value']) for event in self.events if event['type'] == 'CUSTOM']

    def _body(self, **turn: Any) -> dict[str, Any]:
        body: dict[str, Any] = {
            'threadId': self.chat_id,
            'runId': uuid4().hex,
            'state': {},
            'messages': [],
            'tools': [],
        }
        return {**body, 'context': [], 'forwardedProps': {}, **turn}


@dataclass
class VercelWindow(Window):
    """A window that speaks the Vercel AI SDK's protocol."""

    path: ClassVar[str] = '/vercel-ai'

    def message(self, text: str) -> dict[str, Any]:
        message = {'id': uuid4().hex, 'role': 'user', 'parts': [{'type': 'text', 'text': text}]}
        return {**self.nothing(), 'messages': [message]}

    def decisions(self, answers: Answers) -> dict[str, Any]:
        return {**self.nothing(), 'decisions': answers}

    def nothing(self) -> dict[str, Any]:
        return {'trigger': 'submit-message', 'id': self.chat_id, 'messages': []}

    def read(self) -> None:
        if not any(event['type'] == 'error' for event in self.events):
            self.waiting = []
        for event in self.events:
            match event['type']:
                case 'text-delta':
                    self.text += event['delta']
                case 'error':
                    self.problem = event['errorText']
                case 'data-toolscript.waiting':
                    self.waiting = sorted(event['data'], key=_by_arguments)
                case _:
                    pass

    def _custom(self) -> Sequence[tuple[str, dict[str, Any]]]:
        data = [event for event in self.events if str(event['type']).startswith('data-')]
        return [(event['type'].removeprefix('data-'), event['data']) for event in data]
