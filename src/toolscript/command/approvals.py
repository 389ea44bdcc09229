"""Asking in the terminal for approvals, and for results that come from outside."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from pydantic_ai import ToolDenied
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from toolscript.approvals.decisions import ApproveCalls, resolve
from toolscript.approvals.pending import PendingCall, pending_calls
from toolscript.approvals.review import CallTooLong
from toolscript.guards import is_object
from toolscript_signatures import with_visible

from .console import notes
from .exits import CommandError
from .interrupts import interrupt_raises

Decision: TypeAlias = Any


def decided(
    requests: DeferredToolRequests,
    approve: Sequence[str],
    note: Callable[[PendingCall, Decision], None] | None = None,
) -> DeferredToolResults:
    """What somebody decides about each waiting call.

    Args:
        requests: What the run ended in.
        approve: Names of tools, or `*`, whose calls need not be asked about.
        note: Is told each decision.

    Raises:
        CommandError: Nobody is there to ask.
    """
    # A key that is pressed before the terminal is read must count too.
    with interrupt_raises():
        return _decided(requests, approve, note)


def _decided(
    requests: DeferredToolRequests, approve: Sequence[str], note: Callable[[PendingCall, Decision], None] | None
) -> DeferredToolResults:
    decisions: dict[str, Decision] = {}
    rules: list[ApproveCalls] = []
    for call in pending_calls(requests):
        allowed = '*' in approve or call.tool_name in {*approve, *(rule.tool_name for rule in rules)}
        try:
            if call.kind != 'approval':
                decisions[call.tool_call_id] = _asked_for_result(call)
            else:
                decisions[call.tool_call_id] = allowed or _asked(call, rules)
        except CallTooLong as error:
            notes().print(str(error), soft_wrap=True)
            decisions[call.tool_call_id] = ToolDenied(str(error))
        if note is not None:
            note(call, decisions[call.tool_call_id])
    return resolve(requests, decisions, rules=rules)


def _asked(call: PendingCall, rules: list[ApproveCalls]) -> Decision:
    _check_somebody_is_there(f'{call.tool_name} needs an approval', f'approve it with --approve {call.tool_name}')
    notes().print(call.render(), soft_wrap=True)
    while True:
        said = _answer('Approve? [y]es, [n]o, [a]ll of this tool, [e]dit arguments: ').strip()
        match said.casefold():
            case 'y' | 'yes':
                return True
            case 'a' | 'all':
                rules.append(ApproveCalls(call.tool_name))
                return True
            case 'n' | 'no':
                why = _answer('Why not? (what the script is told; may be empty) ').strip()
                return ToolDenied(why) if why else False
            case 'e' | 'edit':
                if (arguments := _edited(call.args)) is not None:
                    return _approved_with(arguments)
            case _:
                continue


def _approved_with(arguments: Mapping[str, Any]) -> Decision:
    from pydantic_ai import ToolApproved

    return ToolApproved(override_args=dict(arguments))


def _edited(arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    said = _answer(f'Arguments as JSON (now {json.dumps(arguments, ensure_ascii=True)}): ')
    try:
        changed = json.loads(said)
    except ValueError as error:
        notes().print(f'That is no JSON: {error}')
        return None
    if not is_object(changed):
        notes().print('That is no object.')
        return None
    return dict(changed)


def _asked_for_result(call: PendingCall) -> Decision:
    _check_somebody_is_there(f'{call.tool_name} waits for a result from outside', 'run it in a terminal')
    notes().print(call.render(), soft_wrap=True)
    said = _answer('Its result, as JSON or text: ')
    try:
        return json.loads(said)
    except ValueError:
        return said


def _answer(question: str) -> str:
    notes().print(with_visible(question), end='', soft_wrap=True)
    line = sys.stdin.readline()
    if not line:
        raise CommandError('the input ended before the question was answered; nothing more was run.')
    return line.rstrip('\n')


def _check_somebody_is_there(what: str, advice: str) -> None:
    if not sys.stdin.isatty():
        raise CommandError(f'{what}, and nobody is here to ask; {advice}.')
