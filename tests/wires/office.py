"""A small office: tools to be searched for, and simulated models that search for them."""

import pytest
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

from tests.providers.loopback import Request, SimulatedModel
from tests.providers.replies import Call, Failure, Reply, Search, reply
from toolscript import AllowedCallers

SEARCH = 'pai_tool_search_tool'
MODELS = ['anthropic:claude-haiku-4-5', 'anthropic:claude-opus-5', 'responses:gpt-5.4', 'chat:gpt-5.4']
"""A model of each wire, and of each way in which Anthropic is shown found tools."""
EVERY_MODEL = pytest.mark.parametrize('name', MODELS)
EVERY_WIRE = pytest.mark.parametrize('name', [MODELS[0], *MODELS[2:]])


def office(callers: AllowedCallers = 'direct') -> AbstractToolset[object]:
    """Return one tool that is always loaded, and two that are deferred."""
    toolset = FunctionToolset[object](id='office')

    def now() -> str:
        """The time."""
        return 'noon'

    def send_mail(to: str, text: str) -> str:
        """Send an e-mail message."""
        return f'sent {text} to {to}'

    def refund_payment(payment_id: str) -> str:
        """Give money back."""
        return f'{payment_id} refunded'

    toolset.add_function(now)
    toolset.add_function(send_mail, defer_loading=True)
    toolset.add_function(refund_payment, defer_loading=True)
    return toolset.with_metadata(allowed_callers=callers)


def in_turn(*replies: Reply) -> SimulatedModel:
    """Return a model that gives one reply after the other, regardless of the requests."""
    waiting = list(replies)
    return lambda _request: waiting.pop(0)


def mailer(request: Request) -> Reply | Failure:
    """A model that sends a mail as soon as possible, and searches for the tool once, with any search."""
    if any(line.role == 'result' and line.text.startswith('sent') for line in request.reading.lines):
        return reply('Mail is on its way.')
    if 'send_mail' in request.reading.callable_names:
        return reply(MAIL)
    if any(line.role == 'call' for line in request.reading.lines):
        return reply('I cannot find it.')
    return reply(Search('mail'), MAIL) if request.reading.search else reply(Call(SEARCH, {'query': 'mail'}))


MAIL = Call('send_mail', {'to': 'Ada', 'text': 'hello'})


def declared(request: Request) -> list[str]:
    """Return the tools that a request declares, deferred ones with a star."""
    return [tool.name + '*' * tool.deferred for tool in request.reading.tools]
