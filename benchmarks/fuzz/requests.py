"""Edited requests and decisions of paused scripts, as a client that carries them could edit them."""

from random import Random
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import UserError
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from benchmarks.fuzz import mutations
from tests.toolscript.approvals.conversation import conversation
from tests.toolscript.scripted import run_code
from toolscript import FunctionToolset, resolve

_requests = TypeAdapter(DeferredToolRequests)
_results = TypeAdapter(DeferredToolResults)


async def request(random: Random) -> None:
    """After any edit, the run is refused with a documented error or resumes; nothing runs twice or without approval."""
    log = list[str]()
    toolset = FunctionToolset[object]()

    def note(what: str) -> str:
        log.append(f'noted {what}')
        return what

    def pay(amount: int) -> int:
        log.append(f'paid {amount}')
        return amount

    toolset.add_function(note)
    toolset.add_function(pay, requires_approval=True)
    talk = conversation(toolset, run_code("await note('a')\nawait pay(5)"))
    (waiting,) = await talk.start()
    approved = random.random() < 0.5
    try:
        if random.random() < 0.5:
            edited: Any = mutations.value(random, _requests.dump_python(talk.requests, mode='json'))
            talk.requests = _requests.validate_python(edited)
            decided = resolve(talk.requests, {waiting.tool_call_id: approved})
        else:
            results = resolve(talk.requests, {waiting.tool_call_id: approved})
            carried: Any = _results.dump_python(results, mode='json')
            place = random.choice(['metadata', 'calls', 'approvals'])
            carried[place] = mutations.value(random, carried[place])
            decided = _results.validate_python(carried)
        await talk.resume(decided)
    except (UserError, ValueError):
        # Refused: by us, by pydantic, or because no call with that id is pending.
        pass
    if log.count('noted a') != 1 or log.count('paid 5') > 1 or set(log) > {'noted a', 'paid 5'}:
        raise AssertionError(f'ran: {log}')
