"""What a script gives as the output of its run: one answer, the first."""

from dataclasses import dataclass
from typing import Any

from pydantic_ai.messages import ToolCallPart
from pydantic_core import to_json

from toolscript.results.final_answer import FinalAnswer
from toolscript.run_code.code_output import AnswerTool
from toolscript_sandbox import ToolError


@dataclass
class Given:
    """The answer of a script, kept until the script has ended."""

    answer: FinalAnswer | None = None
    elsewhere: bool = False
    """Whether another script of the same step gave one."""

    def give(self, tool: AnswerTool[Any], part: ToolCallPart, validation_context: object) -> None:
        """Take the answer.

        Raises:
            ToolError: There is one already, or this is none.
            ValidationError: These are no arguments for the output tool.
            Exception: Whatever a validator of the output type raises.
        """
        if self.answer is not None or self.elsewhere:
            which = 'This script' if self.answer is not None else 'Another script'
            raise ToolError('RuntimeError', f'{which} has given the final answer already; it can be given only once.')
        arguments = part.args_as_dict()
        content = to_json(arguments).decode()
        tool.args_validator.validate_json(content, context=validation_context)
        match tool.form:
            case 'tool':
                self.answer = FinalAnswer(content, part.tool_name)
            case 'json':
                self.answer = FinalAnswer(content)
            case 'text':
                self.answer = FinalAnswer(_text(arguments['text']))


def _text(text: str) -> str:
    if not text.strip():
        raise ToolError('ValueError', 'The final answer is empty.')
    return text
