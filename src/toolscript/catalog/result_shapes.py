"""What results of tools without a return schema looked like."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai.tools import ToolDefinition

from toolscript_signatures import ObservedShape

_texts = TypeAdapter(dict[str, str])


@dataclass
class ResultShapes:
    """The shapes of real results, by tool name. Values are never stored, nor keys that look like data.

    Each run has its own, so that nothing one user's tools returned reaches another user's model. Pass an object of
    yours as `result_shapes=` to share it, over the runs of one user or over all: what a model reads of a tool that it
    called is then merged from all of them. Code that does not fit a shape is never refused.
    """

    shapes: dict[str, ObservedShape] = field(default_factory=dict[str, ObservedShape])

    def see(self, tool_def: ToolDefinition, value: Any) -> None:
        """Take in one result, as JSON, of a tool that promises nothing."""
        if not tool_def.return_schema:
            shape = self.shapes.get(tool_def.name, ObservedShape())
            self.shapes[tool_def.name] = shape.seen(value)

    def dumps(self) -> str:
        """JSON text for `loads`, to keep what was learned over processes."""
        return _texts.dump_json({name: shape.dumps() for name, shape in self.shapes.items()}).decode()

    @classmethod
    def loads(cls, text: str) -> 'ResultShapes':
        """The result_shapes that `dumps` wrote.

        Raises:
            ValueError: The text is anything else.
        """
        return cls({name: ObservedShape.loads(shape) for name, shape in _texts.validate_json(text).items()})
