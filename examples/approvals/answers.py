"""What people decided about the calls that wait."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictBool, TypeAdapter
from pydantic.alias_generators import to_camel
from pydantic_ai import UserError
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied

from toolscript import CallTooLong, Grant, pending_calls, resolve


class Refused(Exception):
    """What was asked for cannot be done now; the text says what to do instead."""


class Answer(BaseModel):
    """What somebody decided about one call, as AG-UI writes it: `{"approved": true, "editedArgs": {...}}`."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, extra='ignore')

    approved: StrictBool
    edited_args: dict[str, Any] | None = None
    reason: str | None = None
    grant: dict[str, Any] | None = None
    """The limits within which more calls of its tool are approved."""

    def decision(self) -> ToolApproved | ToolDenied | Grant:
        """The same for `resolve`.

        Raises:
            Refused: The limits are none.
        """
        if not self.approved:
            return ToolDenied(self.reason) if self.reason else ToolDenied()
        if self.grant is None:
            return ToolApproved(override_args=self.edited_args)
        try:
            return Grant(**self.grant)
        except (TypeError, UserError) as error:
            raise Refused(str(error)) from error


answers_by_id = TypeAdapter(dict[str, Answer])


def decided(waiting: DeferredToolRequests | None, answers: Mapping[str, Answer]) -> DeferredToolResults:
    """With what the next run continues.

    Args:
        waiting: How the last run ended.
        answers: By the ids of the waiting calls, those in scripts too. A script whose calls wait can be denied under
            its own id; an approval has to say of which calls: the one that was meant may have had its answer already.

    Raises:
        Refused: A call does not wait, or not any more, or cannot be approved because the page could not show it.
    """
    calls = pending_calls(waiting) if waiting else []
    waits = {call.tool_call_id: call for call in calls}
    scripts = {call.script_id for call in calls if call.script_id}
    for call_id, answer in answers.items():
        if call_id not in waits and (call_id not in scripts or answer.approved):
            raise Refused(
                'This was answered already, here or in another window, and nothing was done a second time. '
                'Load the chat again to see what waits now.'
            )
        if call_id in waits and answer.approved:
            try:
                waits[call_id].render()
            except CallTooLong as error:
                raise Refused(str(error)) from error
    assert waiting is not None
    decisions = {call_id: answer.decision() for call_id, answer in answers.items() if call_id in waits}
    try:
        results = resolve(waiting, decisions)
    except ValueError as error:
        raise Refused(str(error)) from error
    for call_id in answers.keys() & scripts:
        # By its id alone a script can be ended even where its state is too old to be opened.
        denial = answers[call_id].decision()
        assert not isinstance(denial, Grant)
        results.approvals[call_id] = denial
        del results.metadata[call_id]
    return results
