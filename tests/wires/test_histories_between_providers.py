"""Histories that move from one provider to another keep their discoveries."""

import pytest
from pydantic_ai import Agent
from pydantic_ai.capabilities import ToolSearch
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.toolsets import AbstractToolset

from tests.providers.loopback import Request, loopback
from tests.providers.replies import Call, Reply, Search, reply
from tests.wires.office import MAIL, MODELS, SEARCH, mailer, office
from toolscript import CodeModeToolset, SearchableToolset

pytestmark = pytest.mark.pydantic_ai


def direct() -> AbstractToolset[object]:
    return SearchableToolset(office())


def code_only() -> AbstractToolset[object]:
    return CodeModeToolset(SearchableToolset(office('code')))


async def resume(model: Model, toolset: AbstractToolset[object], history: list[ModelMessage]) -> list[ModelMessage]:
    """Run another agent, as in another process, on the JSON of a history."""
    stored = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(history))
    agent = Agent(model, toolsets=[toolset], instructions='Be brief.')
    return (await agent.run('Write to Ada.', message_history=stored)).all_messages()


def a_mailer_that_needs_no_search(request: Request) -> Reply:
    """A model that gives up unless it knows the tool."""
    if request.reading.lines[-1].role == 'result':
        return reply('Sent again.')
    return reply(MAIL) if 'send_mail' in request.reading.callable_names else reply('What is mail?')


def scripted(seen: list[list[str]]) -> FunctionModel:
    """A scripted model that records its offered tools."""

    def answer(_messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append([tool.name for tool in info.function_tools])
        return ModelResponse([TextPart('Noted.')])

    return FunctionModel(answer)


def last_text(messages: list[ModelMessage]) -> str:
    part = messages[-1].parts[-1]
    return part.content if isinstance(part, TextPart) else ''


@pytest.mark.parametrize('second', MODELS)
@pytest.mark.parametrize('first', MODELS)
async def test_discoveries_of_one_provider_are_known_to_another(first: str, second: str) -> None:
    with loopback(mailer) as wires:
        history = await resume(wires.named(first), direct(), [])
        wires.model = a_mailer_that_needs_no_search
        history = await resume(wires.named(second), direct(), history)
    assert last_text(history) == 'Sent again.'


@pytest.mark.parametrize('second', MODELS)
async def test_discoveries_of_a_script_are_known_to_a_provider_that_searches(second: str) -> None:
    def find(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        if len(messages) > 1:
            return ModelResponse([TextPart('Found.')])
        return ModelResponse([ToolCallPart('run_code', {'code': "await search_tools('mail')"})])

    def both() -> AbstractToolset[object]:
        return CodeModeToolset(SearchableToolset(office('both')))

    with loopback(a_mailer_that_needs_no_search) as wires:
        history = await resume(FunctionModel(find), both(), [])
        history = await resume(wires.named(second), both(), history)
    assert last_text(history) == 'Sent again.'


@pytest.mark.parametrize('second', MODELS)
async def test_discovered_code_tools_are_known_in_code_of_another_provider(second: str) -> None:
    with loopback(lambda request: _search_then_stop(request)) as wires:
        history = await resume(wires.named('anthropic:claude-opus-5'), code_only(), [])
        wires.model = lambda request: reply('Known.' if 'async def send_mail' in str(request.body) else 'Lost.')
        history = await resume(wires.named(second), code_only(), history)
    assert last_text(history) == 'Known.'


def _search_then_stop(request: Request) -> Reply:
    known = any(line.role == 'result' for line in request.reading.lines)
    return reply('Found.') if known else reply(Call(SEARCH, {'query': 'mail'}))


@pytest.mark.parametrize('name', ['anthropic:claude-opus-5', 'responses:gpt-5.4'])
async def test_discoveries_of_a_client_side_search_are_known_to_us(name: str) -> None:
    def plan(request: Request) -> Reply:
        if 'send_mail' in request.reading.callable_names:
            return reply('Found.')
        return reply(Search('mail') if request.wire == 'responses' else Call('search_tools', {'queries': ['mail']}))

    with loopback(plan) as wires:
        upstream = Agent(
            wires.named(name), toolsets=[office()], capabilities=[ToolSearch(strategy='keywords')], deps_type=object
        )
        history = (await upstream.run('Look for mail.', deps=None)).all_messages()
        wires.model = a_mailer_that_needs_no_search
        for second in MODELS:
            assert last_text(await resume(wires.named(second), direct(), history)) == 'Sent again.'
