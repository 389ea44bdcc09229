"""`undo_script`: a tool with which the model undoes its scripts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NotRequired

from pydantic import TypeAdapter
from pydantic_ai import ModelRetry, RunContext, ToolReturn
from pydantic_ai.exceptions import ApprovalRequired
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from toolscript.approvals.pending import EFFECTS, REASON
from toolscript.observability.script_calls import UNDONE_KEY
from toolscript.run_code.tool import RunCodeTool

from .report import UndoReport
from .undoer import Undoer

UNDO_SCRIPT = 'undo_script'
_DESCRIPTION = """\
List the calls of a script that changed something, and what undoes them. With commit, undo them, the latest first: \
a person is asked for approval first. Do it only if the user wants the changes undone."""


class UndoArguments(TypedDict):
    script_id: NotRequired[str | None]
    commit: NotRequired[bool]


_validator = SchemaValidator(TypeAdapter(UndoArguments).core_schema)
_PARAMETERS: Mapping[str, Any] = {
    'type': 'object',
    'properties': {
        'script_id': {
            'type': ['string', 'null'],
            'description': 'From an earlier answer of this tool. Default: the latest script that changed something.',
        },
        'commit': {'type': 'boolean', 'description': 'Whether to undo the calls. Default: only list them.'},
    },
    'additionalProperties': False,
}


@dataclass(kw_only=True)
class UndoTool(ToolsetTool[AgentDepsT]):
    run_code: RunCodeTool[AgentDepsT]
    """The tool whose scripts it undoes."""


def run_code_of(tool: ToolsetTool[Any]) -> RunCodeTool[Any] | None:
    return tool.run_code if isinstance(tool, UndoTool) else None


def undo_tool(
    toolset: AbstractToolset[AgentDepsT], run_code: RunCodeTool[AgentDepsT], max_retries: int
) -> UndoTool[AgentDepsT]:
    tool_def = ToolDefinition(
        name=UNDO_SCRIPT,
        description=_DESCRIPTION,
        parameters_json_schema=dict(_PARAMETERS),
        metadata={'read_only': False},
    )
    return UndoTool(
        toolset=toolset, tool_def=tool_def, max_retries=max_retries, args_validator=_validator, run_code=run_code
    )


async def undo_for_model(
    undoer: Undoer[Any],
    arguments: Mapping[str, Any],
    script_ids: Iterable[str],
    ctx: RunContext[Any],
    *,
    hides_values: bool,
) -> tuple[ToolReturn[Any], dict[str, str]]:
    """Return the model's result, and the ids of the calls that are undone, by the places of the changes.

    `script_ids` are the scripts of the conversation, latest first.

    Raises:
        ModelRetry: No script of the conversation has changed anything.
        ApprovalRequired: Nothing is undone before a person approves exactly this list.
    """
    wanted = arguments.get('script_id')
    for script_id in script_ids if wanted is None else [wanted]:
        listed = await undoer.listed(script_id, ctx.conversation_id)
        if not listed.calls:
            continue
        if not arguments.get('commit', False):
            return _answer(script_id, listed, hides_values), {}
        if ctx.tool_call_approved:
            shown = await undoer.asked()
            done, undone = await undoer.commit(script_id, ctx.conversation_id, approved=True, shown=shown)
            if shown.covers(done):
                return _answer(script_id, done, hides_values), undone
            listed = done
        await undoer.ask(listed)
        reason = f'it undoes {len(listed.having("can", "failed"))} calls of script {script_id}'
        effects = [call.render() for call in listed.calls]
        raise ApprovalRequired({REASON: reason, EFFECTS: effects, 'undo': listed.to_json()})
    raise ModelRetry('No script of this conversation has changed anything that is on record.')


def _answer(script_id: str, report: UndoReport, hides_values: bool) -> ToolReturn[Any]:
    undone = [call.tool_call_id for call in report.having('undone')]
    shown = report.without_values() if hides_values else report
    return ToolReturn({'script_id': script_id, 'calls': shown.to_json()}, metadata={UNDONE_KEY: undone})
