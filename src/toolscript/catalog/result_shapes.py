"""The observed shapes of the results of tools without a return schema."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai.tools import ToolDefinition

from toolscript_signatures import ObservedShape

_texts = TypeAdapter(dict[str, str])


@dataclass
class ResultShapes:
    """The shapes of real results, by tool name. It never stores values, or keys that look like data.

    Each run has its own, so that nothing from one user's tools reaches another user's model. Pass your own object as
    `result_shapes=` to share it between runs of one user, or between all: a model then reads the merged shape of a tool
    that it called. Code that does not fit a shape is never refused.
    """

    shapes: dict[str, ObservedShape] = field(default_factory=dict[str, ObservedShape])

    def see(self, tool_def: ToolDefinition, value: Any) -> None:
        """Add one result, as JSON, of a tool without a return schema."""
        if not tool_def.return_schema:
            shape = self.shapes.get(tool_def.name, ObservedShape())
            self.shapes[tool_def.name] = shape.seen(value)

    def dumps(self) -> str:
        """Return JSON text for `loads`."""
        return _texts.dump_json({name: shape.dumps() for name, shape in self.shapes.items()}).decode()

    @classmethod
    def loads(cls, text: str) -> 'ResultShapes':
        """Return the shapes that `dumps` wrote.

        Raises:
            ValueError: The text is not from `dumps`.
        """
        return cls({name: ObservedShape.loads(shape) for name, shape in _texts.validate_json(text).items()})
