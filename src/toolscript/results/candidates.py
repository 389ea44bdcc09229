"""The models that may serve a request."""

from collections.abc import Iterator

from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.wrapper import WrapperModel

TEST_SYSTEMS = frozenset({'function', 'test'})
"""What models that have no provider are called."""


def candidates(model: object) -> Iterator[object]:
    """The model itself; in place of one that wraps others, those."""
    match model:
        case FallbackModel():
            for candidate in model.models:
                yield from candidates(candidate)
        case WrapperModel():
            yield from candidates(model.wrapped)
        case _:
            yield model


def system_of(model: object) -> str:
    """The provider's name for itself; a test's where it is no model of pydantic-ai."""
    return model.system if isinstance(model, Model) else 'test'
