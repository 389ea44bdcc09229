"""The chat of the example with adapters of real providers: what is sent after each kind of answer is what they take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.models import Model

from examples.approvals.offline import FORGET, REFUND
from tests.examples.browsers import APPROVED, AGUIWindow, done, serving
from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Reply, reply

pytestmark = pytest.mark.anyio

PROVIDERS: dict[str, Callable[[Loopback], Model]] = {
    'anthropic': lambda wires: wires.anthropic('claude-opus-5'),
    'responses': lambda wires: wires.responses('gpt-5.2'),
    'chat': lambda wires: wires.chat('gpt-5.2'),
}
DENIED: dict[str, Any] = {'approved': False, 'reason': 'Not today.'}


@pytest.mark.parametrize('provider', PROVIDERS)
@pytest.mark.parametrize(
    ('code', 'answer'), [(REFUND, APPROVED), (REFUND, DENIED), (FORGET, APPROVED), (FORGET, DENIED)]
)
async def test_the_conversation_goes_on_after_an_answer(
    provider: str, code: str, answer: dict[str, Any], tmp_path: Path
) -> None:
    def model(request: Request) -> Reply:
        return reply(Call('run_code', {'code': code})) if request.number == 1 else reply('That is all.')

    with loopback(model) as wires:
        async with serving(PROVIDERS[provider](wires), tmp_path) as server:
            window = AGUIWindow(server)
            await window.say('Do it.')
            await window.answer_all(*[answer] * len(window.waiting))
            assert (window.problem, window.said) == ('', 'That is all.')
            await window.say('And now?')
            assert (window.problem, window.said) == ('', 'That is all.')
        assert (wires.refusals, len(wires.requests)) == ([], 3)
    kept = {(REFUND, True): 4, (REFUND, False): 2}.get((code, answer['approved']), 0)
    assert len(done(tmp_path)['refunds']) == kept
