"""A model that knows how long it was asked."""

import time

from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings


class TimedModel(WrapperModel):
    """The wrapped model, with a clock that runs while it answers."""

    seconds: float = 0.0

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        """The wrapped model's answer."""
        start = time.perf_counter()
        try:
            return await super().request(messages, model_settings, model_request_parameters)
        finally:
            self.seconds += time.perf_counter() - start
