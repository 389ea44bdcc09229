"""What live runs will cost, from how the scripted model does the same."""

from collections.abc import Callable, Sequence

from evals.live.trials import Estimates
from evals.measuring.prices import dollars
from evals.measuring.run import Cost
from evals.processes import Spread
from evals.routes import Route
from evals.scripted import MODELS
from evals.suite import batches, run_tasks
from evals.tasks.task import Task

CAUTION = 3.0
"""Real models think aloud, err and try again; the scripted one does not."""


def estimate(
    tasks: Sequence[Task], routes: Sequence[Route], models: Sequence[str], spread: Spread, tell: Callable[[str], None]
) -> Estimates:
    """Dollars for one run of each task by each route with each model."""
    found: dict[tuple[str, str, str], float] = {}
    for model in models:
        runs = run_tasks(batches(tasks, routes, _on_loopback(model)), spread, lambda said: tell(f'estimating: {said}'))
        found |= {(run.task, run.route, model): CAUTION * _price(model, run.cost) for run in runs}
    return found


def _price(model: str, cost: Cost) -> float:
    return dollars(model, input_tokens=cost.input_tokens, cached=cost.cached_tokens, output=cost.output_tokens)


def _on_loopback(model: str) -> str:
    """The name under which the loopback provider has the model's wire; who has another one is taken for OpenAI."""
    provider, _, name = model.partition(':')
    if provider == 'anthropic':
        return model
    return f'responses:{name}' if provider.startswith('openai') else MODELS[-1]
