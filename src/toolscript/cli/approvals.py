"""Asks in the terminal for approvals, and for external results."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

from pydantic import TypeAdapter
from pydantic_ai import ModelMessage, ToolApproved, ToolDenied, UserError
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from toolscript.approvals.decisions import ApproveCalls, resolve
from toolscript.approvals.grants import Grant
from toolscript.approvals.pending import PendingCall, pending_calls
from toolscript.approvals.review import CallTooLong
from toolscript.guards import is_object
from toolscript_signatures import with_visible

from .terminal import CommandError, notes

Decision: TypeAlias = Any
_limits = TypeAdapter(dict[str, float])
Ask: TypeAlias = Callable[[str], Awaitable[str]]
"""Asks the user a question, and returns the line that they enter."""


def asker() -> Ask | None:
    """Return how to ask in this terminal; `None` if stdin is not a terminal."""
    if not sys.stdin.isatty():
        return None
    from prompt_toolkit import PromptSession
    from prompt_toolkit.output import create_output

    session = PromptSession[str](output=create_output(stdout=sys.stderr))

    async def ask(question: str) -> str:
        try:
            return await session.prompt_async(with_visible(question))
        except KeyboardInterrupt:
            # In a task, a KeyboardInterrupt would end the event loop.
            raise asyncio.CancelledError from None
        except EOFError as error:
            advice = 'the input ended before the question was answered; nothing more was run.'
            raise CommandError(advice) from error

    return ask


async def run_deciding(
    agent: AbstractAgent[Any, Any],
    prompt: str,
    decide: Callable[[DeferredToolRequests], Awaitable[DeferredToolResults]],
    what: str = 'the run ended',
    **options: Any,
) -> list[ModelMessage]:
    """Return the messages of a run and its decisions. Raises `CommandError` that says `what` an exception did."""
    try:
        result = await agent.run(prompt, **options)
        while isinstance(result.output, DeferredToolRequests):
            messages, results = result.all_messages(), await decide(result.output)
            result = await agent.run(message_history=messages, deferred_tool_results=results, **options)
    except (BrokenPipeError, CommandError):
        # The reader of the output is gone, or the error already has a message.
        raise
    except Exception as error:
        # A model, its provider and tools may raise any exception.
        raise CommandError(f'{what} with {type(error).__name__}: {error}') from error
    return result.all_messages()


def decider(
    approve: Sequence[str], note: Callable[[PendingCall, Decision], None] | None = None
) -> Callable[[DeferredToolRequests], Awaitable[DeferredToolResults]]:
    """Return a function that decides about waiting calls with `decide`, by asking in this terminal."""
    ask = asker()
    return lambda requests: decide(requests, approve, ask, note)


async def decide(
    requests: DeferredToolRequests,
    approve: Sequence[str],
    ask: Ask | None,
    note: Callable[[PendingCall, Decision], None] | None = None,
) -> DeferredToolResults:
    """Ask the user to decide about each waiting call, except those of tools that `approve` names; `*` is all tools.

    `ask` is `None` if there is no terminal: then `CommandError` is raised. `note` receives each decision.
    """
    decisions: dict[str, Decision] = {}
    rules: list[ApproveCalls] = []
    for call in pending_calls(requests):
        if call.kind == 'approval':
            approved = '*' in approve or call.tool_name in {*approve, *(rule.tool_name for rule in rules)}
            decision = True if approved else await _approval(call, ask, rules)
        else:
            decision = await _result(call, ask)
        decisions[call.tool_call_id] = decision
        if note is not None:
            note(call, decision)
    return resolve(requests, decisions, rules=rules)


async def _approval(call: PendingCall, ask: Ask | None, rules: list[ApproveCalls]) -> Decision:
    if ask is None:
        advice = f'but there is no terminal to ask on; use --approve {call.tool_name}.'
        raise CommandError(f'{call.tool_name} needs an approval, {advice}')
    if (refused := _show(call)) is not None:
        return refused
    more = ', [m]ore like this' if call.row is not None and call.row.asked_before else ''
    while True:
        match (await ask(f'Approve? [y]es, [n]o{more}, [a]ll of this tool, [e]dit arguments: ')).strip().casefold():
            case 'y' | 'yes':
                return True
            case 'a' | 'all':
                rules.append(ApproveCalls(call.tool_name))
                return True
            case 'm' | 'more' if more:
                if (grant := await _grant(call, ask)) is not None:
                    return grant
            case 'n' | 'no':
                why = (await ask('Why not? (the script gets it; may be empty) ')).strip()
                return ToolDenied(why) if why else False
            case 'e' | 'edit':
                reply = await ask(f'Arguments as JSON (now {json.dumps(call.args, ensure_ascii=True)}): ')
                changed = _json_or_text(reply)
                if is_object(changed):
                    return ToolApproved(override_args=dict(changed))
                notes().print('That is not a JSON object.')
            case _:
                continue


async def _grant(call: PendingCall, ask: Ask) -> Grant | None:
    """Ask what else the user approves besides the call; `None` if the answer is invalid."""
    try:
        count = int(await ask('How many more calls? '))
        reply = await ask('The most for each number that may differ, as JSON such as {"amount": 50}: ')
        grant = Grant(count=count, maximum=_limits.validate_json(reply or '{}'))
        grant.check(call)
    except (ValueError, UserError) as error:
        notes().print(with_visible(str(error)), soft_wrap=True)
        return None
    return grant


async def _result(call: PendingCall, ask: Ask | None) -> Decision:
    if ask is None:
        raise CommandError(f'{call.tool_name} needs an external result; run it in a terminal.')
    if (refused := _show(call)) is not None:
        return refused
    return _json_or_text(await ask('Its result, as JSON or text: '))


def _show(call: PendingCall) -> ToolDenied | None:
    """Show the call, or refuse one that is too long to be shown in full."""
    try:
        notes().print(call.render(), soft_wrap=True)
    except CallTooLong as error:
        notes().print(str(error), soft_wrap=True)
        return ToolDenied(str(error))
    return None


def _json_or_text(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
