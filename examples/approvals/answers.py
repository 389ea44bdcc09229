"""People's decisions about pending calls."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, StrictBool, TypeAdapter
from pydantic.alias_generators import to_camel
from pydantic_ai import UserError
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied

from toolscript import CallTooLong, Grant, pending_calls, resolve


class Refused(Exception):
    """The request cannot be fulfilled now. The text says what to do instead."""


class Answer(BaseModel):
    """A decision about one call, as AG-UI writes it: `{"approved": true, "editedArgs": {...}}`."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, extra='ignore')

    approved: StrictBool
    edited_args: dict[str, Any] | None = None
    reason: str | None = None
    grant: dict[str, Any] | None = None
    """The limits within which further calls of the same tool are approved."""

    def decision(self) -> ToolApproved | ToolDenied | Grant:
        """Return the decision as `resolve` takes it.

        Raises:
            Refused: The limits are invalid.
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
    """Return the results with which the next run continues.

    Args:
        waiting: The requests that ended the last run.
        answers: By the ids of the pending calls, including those in scripts. A paused script can be denied under its
            own id, but approvals need the id of a call, because the intended call may already be answered.

    Raises:
        Refused: A call is not or no longer pending, or cannot be approved because the page could not show it.
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
        # A script can be ended by its id alone, even if its state is too old to be opened.
        denial = answers[call_id].decision()
        assert not isinstance(denial, Grant)
        results.approvals[call_id] = denial
        del results.metadata[call_id]
    return results
