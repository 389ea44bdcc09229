"""What a model is told of results that no tool promised: once, where they were seen.

A shape could stand in `run_code`'s description, where all signatures are. It did, and each thing that was seen changed
the beginning of the next prompt, for this run and, as shapes were kept, for every user after it. Appended to the answer
of the script that saw it, a shape changes no byte that was sent, stays in the conversation that it came from, and is
read when it is needed: before the next script.
"""

from collections.abc import Iterable, Sequence

from pydantic_ai.messages import ModelMessage, ToolReturnPart, post_compaction_window

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.catalog.observations import Observations
from toolscript.guards import fields, is_array, is_object, strings
from toolscript_signatures import observed_text

OBSERVED_KEY = 'toolscript_observed'
"""Where the metadata of a tool return names the tools whose results' shapes the model was told."""

_ROOM = 4_000


def told_shapes(messages: Sequence[ModelMessage]) -> set[str]:
    """The names of the tools whose results' shapes stand in what the model still sees."""
    return {
        name
        for message in post_compaction_window(messages)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
        for name in strings(fields(part.metadata).get(OBSERVED_KEY))
    }


def shows(answer: object, result: object) -> bool:
    """Whether an answer is a result, whole, or holds it as it is: whoever reads that needs to be told of no shape."""
    within = answer.values() if is_object(answer) else answer if is_array(answer) else ()
    return answer == result or any(item == result for item in within)


def shapes_to_tell(
    observations: Observations, seen: Iterable[str], told: Iterable[str], catalog: CodeCatalog
) -> dict[str, str]:
    """The text for each tool whose results a snippet saw and whose shape is news, as many as fit 4,000 characters."""
    known, left = set(told), _ROOM
    texts: dict[str, str] = {}
    for name in seen:
        shape = observations.shapes.get(name)
        if name in known or shape is None or not shape.tells:
            continue
        text = observed_text(catalog.of(name).name, shape)
        left -= len(text)
        if left < 0:
            break
        texts[name] = text
    return texts
