"""The one tool through which a model runs code."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NotRequired

from pydantic import TypeAdapter
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from toolscript.routing.placement import RUN_CODE

from .code_functions import CodeFunctions
from .run_code_prompt import BOTH_DOORS, NO_FUNCTIONS, RESTART_DESCRIPTION, RUN_CODE_DESCRIPTION, SEARCH_IN_CODE_TEXT
from .step import Step


class RunCodeArguments(TypedDict):
    """The arguments of `run_code`."""

    code: str
    restart: NotRequired[bool]


_validator = SchemaValidator(TypeAdapter(RunCodeArguments).core_schema)
_PARAMETERS: Mapping[str, Any] = {
    'type': 'object',
    'properties': {
        'code': {'type': 'string'},
        'restart': {'type': 'boolean', 'default': False, 'description': RESTART_DESCRIPTION},
    },
    'required': ['code'],
    'additionalProperties': False,
}


@dataclass(kw_only=True)
class RunCodeTool(ToolsetTool[AgentDepsT]):
    """`run_code` as it stands in one step, with the functions that its code may call."""

    owner: AbstractToolset[AgentDepsT]
    """Whose it is, whatever toolsets list it as theirs."""
    step: Step[AgentDepsT]
    search_signs: bool
    """Whether the result of a search tells signatures, since no description will."""

    @property
    def functions(self) -> CodeFunctions[AgentDepsT]:
        """All that its code may call."""
        return self.step.functions

    @property
    def found(self) -> tuple[str, ...]:
        """Names of the functions among them that were hidden and have been found."""
        return self.step.found


def run_code_tool(
    toolset: AbstractToolset[AgentDepsT],
    step: Step[AgentDepsT],
    description: str,
    *,
    search_signs: bool,
    max_retries: int,
) -> RunCodeTool[AgentDepsT]:
    """`run_code` for one step."""
    return RunCodeTool(
        toolset=toolset,
        tool_def=ToolDefinition(
            name=RUN_CODE,
            description=description,
            parameters_json_schema=dict(_PARAMETERS),
            # The field's mark for tools that run code: nobody else's code mode will then take this one inside.
            metadata={'code_arg_name': 'code', 'code_arg_language': 'python'},
        ),
        max_retries=max_retries,
        args_validator=_validator,
        owner=toolset,
        step=step,
        search_signs=search_signs,
    )


def describe(functions_text: str, *, both_doors: bool, searchable: bool) -> str:
    """The description of `run_code`: how to write code, then the functions."""
    parts = [
        RUN_CODE_DESCRIPTION,
        BOTH_DOORS if both_doors else '',
        SEARCH_IN_CODE_TEXT if searchable else '',
        functions_text or NO_FUNCTIONS,
    ]
    return '\n\n'.join(part for part in parts if part)
