"""What results of tools without a return schema looked like."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai.tools import ToolDefinition

from toolscript_signatures import ObservedShape

_texts = TypeAdapter(dict[str, str])


@dataclass
class Observations:
    """The shapes of real results, by tool name, merged over all runs of a toolset. Values themselves are never kept.

    A signature shows such a shape, marked as observed; code that does not fit it is never refused.
    """

    shapes: dict[str, ObservedShape] = field(default_factory=dict[str, ObservedShape])

    def see(self, tool_def: ToolDefinition, value: Any) -> None:
        """Take in one result, as JSON, of a tool that promises nothing."""
        if not tool_def.return_schema:
            shape = self.shapes.get(tool_def.name, ObservedShape())
            widened = shape.seen(value)
            # A result of a known shape changes no text that a model was shown.
            if widened.shape != shape.shape:
                self.shapes[tool_def.name] = widened

    def snapshot(self) -> Mapping[str, ObservedShape]:
        """The shapes as they are now."""
        return dict(self.shapes)

    def dumps(self) -> str:
        """JSON text for `loads`, to keep what was learned over processes."""
        return _texts.dump_json({name: shape.dumps() for name, shape in self.shapes.items()}).decode()

    @classmethod
    def loads(cls, text: str) -> 'Observations':
        """The observations that `dumps` wrote.

        Raises:
            ValueError: The text is anything else.
        """
        return cls({name: ObservedShape.loads(shape) for name, shape in _texts.validate_json(text).items()})
