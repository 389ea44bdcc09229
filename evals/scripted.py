"""Runs of the scripted model: real requests to a provider on loopback, answered by the player."""

from collections.abc import Sequence
from dataclasses import replace

from evals.measuring.prices import dollars
from evals.measuring.prompt import count
from evals.measuring.run import Cost, Run
from evals.measuring.tokenizer import Tokenizer
from evals.performing import judge, run_of
from evals.playing.player import NotShown, Player
from evals.routes import Route
from evals.stage import Stage
from evals.tasks.task import Task
from tests.providers.json_values import compact
from tests.providers.loopback import Loopback, Request, loopback
from tests.providers.replies import Call, Failure, Reply, Say, Search

MODELS = ('anthropic:claude-sonnet-4-6', 'responses:gpt-5.4')
"""The models whose wires and prices the scripted runs use."""


async def run_scripted(
    task: Task, route: Route, stage: Stage, tokenizer: Tokenizer, model_name: str = MODELS[0]
) -> Run:
    written: list[int] = []

    def model(request: Request) -> Reply | Failure:
        try:
            replied = Player(task)(request)
        except NotShown as error:
            written.append(0)
            return Failure(422, str(error))
        written.append(_written(replied, tokenizer))
        return replied

    with loopback(model, may_refuse=True) as provider:
        judged = await judge(task, route, stage, provider.named(model_name))
    run = run_of(task, route, model_name, judged, _cost(provider, model_name, written, tokenizer))
    return replace(run, most_requests=task.requests.get(route.name))


def _cost(provider: Loopback, model_name: str, written: Sequence[int], tokenizer: Tokenizer) -> Cost:
    """Count the tokens of a run's requests. Only input that the run itself sent before counts as cached."""
    requests = provider.requests[: len(written)]
    before = [None, *requests[:-1]]
    prompts = [count(request, earlier, tokenizer) for request, earlier in zip(requests, before, strict=True)]
    return Cost(
        input_tokens=sum(prompt.input for prompt in prompts),
        cached_tokens=sum(prompt.cached for prompt in prompts),
        output_tokens=sum(written),
        dollars=sum(
            dollars(model_name, input_tokens=prompt.input, cached=prompt.cached, output=output)
            for prompt, output in zip(prompts, written, strict=True)
        ),
    )


def _written(reply: Reply, tokenizer: Tokenizer) -> int:
    """Count the tokens of a reply, with its calls as JSON."""
    return sum(tokenizer.count(_as_text(part)) for part in reply.parts)


def _as_text(part: Say | Call | Search) -> str:
    match part:
        case Say(text):
            return text
        case Call(name, arguments):
            return compact({'name': name, 'arguments': dict(arguments)})
        case Search(query):
            return compact({'query': query})
