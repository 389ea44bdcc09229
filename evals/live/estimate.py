"""What live runs will cost, from how the scripted model does the same."""

from collections.abc import Callable, Sequence

from evals.live.trials import Estimates
from evals.measuring.tokenizer import Tokenizer
from evals.routes import Route
from evals.scripted import run_scripted
from evals.stage import Stage
from evals.tasks.task import Task

CAUTION = 3.0
"""Real models think aloud, err and try again; the scripted one does not."""


async def estimate(
    tasks: Sequence[Task],
    routes: Sequence[Route],
    models: Sequence[str],
    tokenizer: Tokenizer,
    tell: Callable[[str], None],
) -> Estimates:
    """Dollars for one run of each task by each route with each model."""
    found: dict[tuple[str, str, str], float] = {}
    async with Stage() as stage:
        for model in models:
            for route in routes:
                tell(f'estimating {model} · {route.name}')
                for task in tasks:
                    run = await run_scripted(task, route, stage, tokenizer, _on_loopback(model))
                    found[task.name, route.name, model] = run.cost.dollars * CAUTION
    return found


def _on_loopback(model: str) -> str:
    """The name under which the loopback provider has the model's wire: OpenAI's models speak Responses there."""
    provider, _, name = model.partition(':')
    return f'{"anthropic" if provider == "anthropic" else "responses"}:{name}'
