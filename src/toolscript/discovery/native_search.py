"""Whether the model's provider can search deferred tools itself."""

import warnings
from collections.abc import Iterator, Sequence

from pydantic_ai import UserError
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.native_tools import NATIVE_TOOL_TYPES

from .search_options import ToolSearchOptions

_TEST_SYSTEMS = ('function', 'test')
_TOOL_SEARCH = NATIVE_TOOL_TYPES['tool_search']


class ToolSearchWarning(UserWarning):
    """A search runs otherwise than asked for."""


def native_search_serves(options: ToolSearchOptions, model: object, *, warn: bool = True) -> bool:
    """Whether the provider's own search is to be used with this model.

    Args:
        options: How to search.
        model: The model of the step.
        warn: Whether to warn where a named algorithm is not native; once a run is enough.

    Raises:
        UserError: The provider cannot run the algorithm, and the options say to refuse that.
    """
    if callable(options.algorithm) or options.algorithm not in (None, 'bm25'):
        return False
    # A `FallbackModel` serves a request with any of its models, and tools are listed before it is known with which.
    candidates = list(_candidates(model))
    if options.algorithm is None:
        return all(_is_native(candidate) for candidate in candidates)
    if all(_has_named_algorithms(candidate) for candidate in candidates):
        return True
    if warn or options.on_unsupported == 'error':
        say_unsupported(options, candidates)
    return False


def native_search_helps(options: ToolSearchOptions, model: object, *, warn: bool) -> bool:
    """Whether the provider's own search is to be offered beside ours, for the models among these that have it.

    Raises:
        UserError: A provider cannot run the algorithm, and the options say to refuse that.
    """
    candidates = list(_candidates(model))
    native = [candidate for candidate in candidates if _is_native(candidate)]
    if options.algorithm in (None, 'ranked'):
        return bool(native)
    if warn:
        say_unsupported(options, candidates)
    # A model that has a native search but not the named one refuses the request, so none of them may get it.
    return bool(native) and all(_has_named_algorithms(candidate) for candidate in native)


def say_unsupported(options: ToolSearchOptions, candidates: Sequence[object]) -> None:
    """Warn, or refuse, where some model has no native search by the named algorithm.

    Raises:
        UserError: The options say to refuse that.
    """
    without = [candidate for candidate in candidates if not _has_named_algorithms(candidate)]
    names = sorted({_name(candidate) for candidate in without} - set(_TEST_SYSTEMS))
    if not names:
        return
    problem = f'{", ".join(names)} has no native {options.algorithm!r} tool search'
    if options.on_unsupported == 'error':
        raise UserError(f"{problem}; use algorithm=None, or on_unsupported='fallback' to search here.")
    warnings.warn(f'{problem}; tools are searched here instead.', ToolSearchWarning, stacklevel=2)


def _candidates(model: object) -> Iterator[object]:
    match model:
        case FallbackModel():
            for candidate in model.models:
                yield from _candidates(candidate)
        case WrapperModel():
            yield from _candidates(model.wrapped)
        case _:
            yield model


def _has_named_algorithms(model: object) -> bool:
    return _is_native(model) and _system(model) == 'anthropic'


def _system(model: object) -> str:
    return model.system if isinstance(model, Model) else 'test'


def _name(model: object) -> str:
    """The provider; the model too, where others of that provider have the search."""
    system = _system(model)
    return f'{system}:{model.model_name}' if system == 'anthropic' and isinstance(model, Model) else system


def _is_native(model: object) -> bool:
    # Test models claim every native tool, but none of them can defer one.
    return (
        isinstance(model, Model)
        and model.tool_deferral_mode is not None
        and _TOOL_SEARCH in (model.profile.get('supported_native_tools') or ())
    )
