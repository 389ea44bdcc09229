"""The model that ``MODEL=provider:name`` selects, or an error that says why there is none."""

from pydantic_ai import UserError
from pydantic_ai.models import Model, infer_model


class NoModel(Exception):
    """The model is not available. The text says what to do."""


def live_model(name: str) -> Model:
    """Return the named model.

    Raises:
        NoModel: The name, the key or the provider's package is missing.
    """
    provider, _, model = name.partition(':')
    if not model:
        raise NoModel(f'MODEL is {name!r}; write it as provider:name, like anthropic:claude-sonnet-4-5.')
    try:
        return infer_model(name)
    except ImportError as error:
        install = f".venv/bin/uv pip install 'pydantic-ai-slim[{provider.partition('-')[0]}]'"
        raise NoModel(f'The package of {provider!r} is not installed. Run: {install}') from error
    except UserError as error:
        raise NoModel(f'{name} cannot be used. {str(error).partition(". ")[0]}.') from error
