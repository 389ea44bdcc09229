"""A run whose history is saved at every step, so that it can continue where the server died."""

from collections.abc import Callable, Sequence

from pydantic_ai import ModelMessage, RunContext
from pydantic_ai.capabilities import Hooks
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import ModelRequestContext

from examples.approvals.shop import Shop


def keeping(keep: Callable[[Sequence[ModelMessage]], None]) -> Hooks[Shop]:
    """Return hooks that call `keep` with the history before and after each request to the model."""
    hooks = Hooks[Shop]()

    @hooks.on.before_model_request
    async def asked(ctx: RunContext[Shop], request_context: ModelRequestContext) -> ModelRequestContext:
        keep(ctx.messages)
        return request_context

    @hooks.on.after_model_request
    async def answered(
        ctx: RunContext[Shop], *, request_context: ModelRequestContext, response: ModelResponse
    ) -> ModelResponse:
        keep([*ctx.messages, response])
        return response

    assert callable(asked)
    assert callable(answered)
    return hooks
