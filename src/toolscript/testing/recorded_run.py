"""A run on disk: its messages, the tools it had, what each of their calls gave, and what was decided."""

from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import pydantic_core
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_ai.messages import ModelMessage
from pydantic_ai.tools import ToolDefinition

Ended: TypeAlias = Literal['returned', 'retry', 'failed', 'raised']


class RecordedTool(BaseModel):
    """What a tool says of itself."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True)

    name: str
    description: str | None = None
    parameters_json_schema: dict[str, Any]
    return_schema: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    sequential: bool = False
    defer_loading: bool = False
    needs_approval: bool = False

    @classmethod
    def of(cls, tool: ToolDefinition) -> 'RecordedTool':
        """A tool's own words."""
        return cls(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=as_json(tool.parameters_json_schema),
            return_schema=as_json(tool.return_schema),
            metadata=as_json(tool.metadata),
            sequential=tool.sequential,
            defer_loading=tool.defer_loading,
            needs_approval=tool.kind == 'unapproved',
        )

    def definition(self) -> ToolDefinition:
        """The tool, to be shown to a model."""
        return ToolDefinition(
            name=self.name,
            description=self.description,
            parameters_json_schema=self.parameters_json_schema,
            return_schema=self.return_schema,
            metadata=self.metadata,
            sequential=self.sequential,
            defer_loading=self.defer_loading,
            kind='unapproved' if self.needs_approval else 'function',
        )


class RecordedCall(BaseModel):
    """A call that reached a tool, and what came of it."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True)

    tool_name: str
    arguments: dict[str, Any]
    result: Any = None
    ended: Ended = 'returned'
    """`'retry'` and `'failed'`: with pydantic-ai's `ModelRetry` or `ToolFailed`; `'raised'`: with something else."""
    error: str | None = None
    error_type: str | None = None
    builtin_error: str = 'Exception'
    """The type of Python's own that it is a kind of."""


class RecordedDecision(BaseModel):
    """What was decided about a call that waited."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True)

    tool_name: str
    arguments: dict[str, Any]
    approved: bool = False
    changed: dict[str, Any] | None = None
    """The arguments that it was approved with instead."""
    why_not: str | None = None
    """What a denial said."""
    answered: bool = False
    """Whether its result came from outside."""
    result: Any = None


class RecordedRun(BaseModel):
    """A run that can be replayed without its model and without its tools."""

    model_config: ClassVar[ConfigDict] = ConfigDict(populate_by_name=True)

    version: Literal[1] = Field(default=1, alias='toolscript_recording')
    target: str = ''
    """Whose tools they were, as the command line named them."""
    messages: list[ModelMessage]
    tools: list[RecordedTool]
    calls: list[RecordedCall] = []
    """In the order in which they ended."""
    decisions: list[RecordedDecision] = []

    def write(self, file: Path) -> None:
        """Keep it."""
        file.write_text(self.model_dump_json(by_alias=True, exclude_defaults=False, indent=1), 'utf-8')

    @classmethod
    def read(cls, file: Path) -> 'RecordedRun':
        """What `write` kept.

        Raises:
            ValueError: It is no recording; the message says what it is not.
        """
        try:
            return cls.model_validate_json(file.read_bytes())
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = '.'.join(map(str, first['loc'])) or 'its start'
            raise ValueError(
                f'{file}: this is no recording of a run: {first["msg"]} (at {where}). Make one with toolscript record.'
            ) from error


def as_json(value: Any) -> Any:
    """A value as JSON can hold it."""
    return pydantic_core.to_jsonable_python(value, fallback=str, inf_nan_mode='strings')
