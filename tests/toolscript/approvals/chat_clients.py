"""The clients of chat UIs, as far as they talk to an agent: their requests and how they apply the responses.

Modelled on `useChat` of the Vercel AI SDK 6 and `HttpAgent` of AG-UI: each stores the conversation itself, as messages
of its own protocol, and sends all of it each time. Only the store of the agent survives between two requests.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from pydantic_ai import Agent
from pydantic_ai.ui.ag_ui import AGUIAdapter
from pydantic_ai.ui.vercel_ai import VercelAIAdapter


class RequestFailed(Exception):
    """The agent's stream ended with an error."""


@dataclass
class ChatClient(ABC):
    """A conversation in a browser."""

    agent: Callable[[], Agent[object, Any]]
    """Creates the agent of each request, without state from earlier ones."""
    chat_id: str = field(default_factory=lambda: uuid4().hex)
    messages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    asked: list[str] = field(default_factory=list[str])
    """Return the ids of the calls that wait for approval."""
    text: str = ''
    """Return the last text."""

    @abstractmethod
    async def say(self, text: str) -> None:
        """Send a message."""

    @abstractmethod
    async def answer(self, approved: bool, reason: str | None = None) -> None:
        """Answer each pending call."""


@dataclass
class VercelClient(ChatClient):
    """`useChat`."""

    async def say(self, text: str) -> None:
        self.messages.append({'id': uuid4().hex, 'role': 'user', 'parts': [{'type': 'text', 'text': text}]})
        await self.send()

    async def answer(self, approved: bool, reason: str | None = None) -> None:
        for part in self.messages[-1]['parts']:
            if part.get('state') == 'approval-requested':
                part['state'] = 'approval-responded'
                part['approval'] |= {'approved': approved} | ({} if reason is None else {'reason': reason})
        await self.send()

    async def send(self) -> None:
        body = {'trigger': 'submit-message', 'id': self.chat_id, 'messages': self.messages}
        run_input = VercelAIAdapter.build_run_input(json.dumps(body).encode())
        adapter = VercelAIAdapter(agent=self.agent(), run_input=run_input, sdk_version=6)
        self.asked, self.text = [], ''
        if self.messages[-1]['role'] == 'user':
            self.messages.append({'id': uuid4().hex, 'role': 'assistant', 'parts': []})
        async for event in adapter.encode_stream(adapter.run_stream()):
            data = event.removeprefix('data: ').strip()
            if data != '[DONE]':
                self._fold(json.loads(data))

    def _fold(self, chunk: dict[str, Any]) -> None:
        message = self.messages[-1]
        match chunk['type']:
            case 'error':
                raise RequestFailed(chunk['errorText'])
            case 'message-metadata':
                message['metadata'] = message.get('metadata', {}) | chunk['messageMetadata']
            case 'start-step':
                message['parts'].append({'type': 'step-start'})
            case 'text-start':
                message['parts'].append({'type': 'text', 'text': '', 'state': 'streaming'})
            case 'text-delta':
                message['parts'][-1]['text'] += chunk['delta']
                self.text += chunk['delta']
            case 'tool-input-available':
                known = any(part.get('toolCallId') == chunk['toolCallId'] for part in message['parts'])
                if not known:
                    message['parts'].append(
                        {
                            'type': f'tool-{chunk["toolName"]}',
                            'toolCallId': chunk['toolCallId'],
                            'state': 'input-available',
                            'input': chunk['input'],
                        }
                    )
            case 'tool-approval-request':
                self._part(chunk).update(state='approval-requested', approval={'id': chunk['approvalId']})
                self.asked.append(chunk['toolCallId'])
            case 'tool-output-available':
                self._part(chunk).update(state='output-available', output=chunk['output'])
            case 'tool-output-error':
                self._part(chunk).update(state='output-error', errorText=chunk['errorText'])
            case 'tool-output-denied':
                self._part(chunk).update(state='output-denied')
            case _:
                pass

    def _part(self, chunk: dict[str, Any]) -> dict[str, Any]:
        parts = self.messages[-1]['parts']
        return next(part for part in parts if part.get('toolCallId') == chunk['toolCallId'])


@dataclass
class AGUIClient(ChatClient):
    """`HttpAgent`."""

    interrupts: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    async def say(self, text: str) -> None:
        self.messages.append({'id': uuid4().hex, 'role': 'user', 'content': text})
        await self.send([])

    async def answer(self, approved: bool, reason: str | None = None) -> None:
        payload = {'approved': approved} | ({} if reason is None else {'reason': reason})
        await self.send(
            [{'interruptId': one['id'], 'status': 'resolved', 'payload': payload} for one in self.interrupts]
        )

    async def send(self, resume: list[dict[str, Any]]) -> None:
        body: dict[str, Any] = {
            'threadId': self.chat_id,
            'runId': uuid4().hex,
            'state': {},
            'messages': self.messages,
            'tools': [],
            'context': [],
            'forwardedProps': {},
        }
        if resume:
            body['resume'] = resume
        run_input = AGUIAdapter.build_run_input(json.dumps(body).encode())
        adapter = AGUIAdapter(agent=self.agent(), run_input=run_input)
        self.asked, self.interrupts, self.text = [], [], ''
        async for event in adapter.encode_stream(adapter.run_stream()):
            self._fold(json.loads(event.removeprefix('data: ')))

    def _fold(self, event: dict[str, Any]) -> None:
        match event['type']:
            case 'RUN_ERROR':
                raise RequestFailed(event['message'])
            case 'TEXT_MESSAGE_START':
                self.messages.append({'id': event['messageId'], 'role': 'assistant', 'content': ''})
            case 'TEXT_MESSAGE_CONTENT':
                self.messages[-1]['content'] += event['delta']
                self.text += event['delta']
            case 'TOOL_CALL_START':
                call = {
                    'id': event['toolCallId'],
                    'type': 'function',
                    'function': {'name': event['toolCallName'], 'arguments': ''},
                }
                if 'toolCalls' not in self.messages[-1]:
                    self.messages.append(
                        {'id': event.get('parentMessageId') or uuid4().hex, 'role': 'assistant', 'toolCalls': []}
                    )
                self.messages[-1]['toolCalls'].append(call)
            case 'TOOL_CALL_ARGS':
                self._call(event)['function']['arguments'] += event['delta']
            case 'TOOL_CALL_RESULT':
                self.messages.append(
                    {
                        'id': event['messageId'],
                        'role': 'tool',
                        'toolCallId': event['toolCallId'],
                        'content': event['content'],
                    }
                )
            case 'RUN_FINISHED':
                outcome: dict[str, Any] = event.get('outcome') or {}
                self.interrupts = outcome.get('interrupts', [])
                self.asked = [one['toolCallId'] for one in self.interrupts]
            case _:
                pass

    def _call(self, event: dict[str, Any]) -> dict[str, Any]:
        calls = [call for message in self.messages for call in message.get('toolCalls', [])]
        return next(call for call in calls if call['id'] == event['toolCallId'])
