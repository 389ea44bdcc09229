"""The one tool through which a model runs code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NotRequired

from pydantic import TypeAdapter
from pydantic_ai.messages import ModelMessage
from pydantic_ai.tools import AgentDepsT, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator
from typing_extensions import TypedDict

from toolscript.discovery.discoveries import signed_names
from toolscript.routing.placement import RUN_CODE

from .code_functions import CodeFunctions
from .run_code_prompt import (
    ANSWER_IN_CODE,
    BOTH_DOORS,
    NO_FILES,
    NO_FUNCTIONS,
    RESTART_DESCRIPTION,
    RUN_CODE_DESCRIPTION,
    SEARCH_IN_CODE_TEXT,
    UNKNOWN_RESULTS,
)
from .step import Step


class RunCodeArguments(TypedDict):
    """The arguments of `run_code`."""

    code: str
    restart: NotRequired[bool]


_validator = SchemaValidator(TypeAdapter(RunCodeArguments).core_schema)
_PARAMETERS: Mapping[str, Any] = {
    'type': 'object',
    'properties': {
        # An empty script does nothing. Who makes up arguments from schemas, as `TestModel` does, makes up one by this.
        'code': {'type': 'string', 'minLength': 0},
        'restart': {'type': 'boolean', 'description': RESTART_DESCRIPTION},
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
    described: tuple[str, ...]
    """Names of the functions in its description."""
    anew: Callable[[Step[AgentDepsT]], 'RunCodeTool[AgentDepsT]'] = field(repr=False, compare=False)
    """`run_code` as its owner offers it in another step."""
    own_description: str
    """That of its owner; others may have changed the one of its definition."""
    is_joined: bool = False
    """Whether the tools of other toolsets that are for code are among its functions."""

    @property
    def functions(self) -> CodeFunctions[AgentDepsT]:
        """All that its code may call."""
        return self.step.functions

    @property
    def found(self) -> tuple[str, ...]:
        """Names of the functions among them that were hidden and have been found."""
        return self.step.found

    def told(self, messages: Sequence[ModelMessage]) -> list[str]:
        """Names of the functions whose signatures the model has by now, in the order told."""
        late = self.found if self.search_signs else ()
        return list(dict.fromkeys([*self.described, *late, *signed_names(messages), *self.step.told]))


def run_code_tool(
    toolset: AbstractToolset[AgentDepsT],
    step: Step[AgentDepsT],
    description: str,
    *,
    described: tuple[str, ...],
    search_signs: bool,
    max_retries: int,
    anew: Callable[[Step[AgentDepsT]], RunCodeTool[AgentDepsT]],
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
        anew=anew,
        own_description=description,
        described=described,
    )


def describe(
    functions_text: str, *, both_doors: bool, searchable: bool, answers: Sequence[str], files: str | None = None
) -> str:
    """The description of `run_code`: how to write code, then the functions. `files` says which there are."""
    text = RUN_CODE_DESCRIPTION if files is None else f'{RUN_CODE_DESCRIPTION.replace(NO_FILES, "")}\n{files}'
    calls = ' or '.join(f'`await {name}(...)`' for name in answers)
    unknown = searchable or '-> Any:' in functions_text
    parts = [
        f'{text}\n{UNKNOWN_RESULTS}' if unknown else text,
        BOTH_DOORS if both_doors else '',
        SEARCH_IN_CODE_TEXT if searchable else '',
        ANSWER_IN_CODE.format(calls=calls) if answers else '',
        functions_text or NO_FUNCTIONS,
    ]
    return '\n\n'.join(filter(None, parts))
