"""What results of a function looked like, as text that is complete in itself."""

from toolscript_signatures.render.template import TypeNames, fill_names
from toolscript_signatures.render.tool_types import read_tool, type_texts
from toolscript_signatures.render.writing import TERSE, write
from toolscript_signatures.types.observed import ObservedShape
from toolscript_signatures.types.spec import ToolSpec

_DEEPEST = 6


def observed_text(name: str, shape: ObservedShape, *, longest: int = 2_000) -> str:
    """The observed return type of the function `name`, with the types it needs; valid Python, marked as observed.

    At most `longest` characters, about: of a shape that needs more, the inner levels are left out.
    """
    for depth in range(_DEEPEST, 0, -1):
        text = _text(name, shape.cut(depth))
        if len(text) <= longest:
            return text
    return _text(name, shape.cut(0))


def _text(name: str, shape: ObservedShape) -> str:
    read = read_tool(ToolSpec(name, {}, observed=shape))
    texts = type_texts(read, TERSE)
    names = TypeNames(reserved={name}).of(texts, name)
    definitions = dict.fromkeys(fill_names(text.source, names) for text in texts)
    returned = write(read.returns, dict(zip(read.records, names, strict=True)).__getitem__, bare=True)
    return '\n'.join([f'# {name}() -> {returned}, observed, not promised', *definitions])
