"""For tests of agents: a provider on 127.0.0.1 that speaks Anthropic's and OpenAI's wires, with a model that you write.

A `FunctionModel` takes the place of a model and of all that is between: the adapter that writes a request down, the
HTTP, the provider's rules. Here only the model is played:

```python
def model(request: Request) -> Reply:
    return reply(Call('orders_of', {'customer_id': 1})) if request.number == 1 else reply('Done.')

with loopback(model) as wires:
    await Agent(wires.anthropic('claude-opus-5'), toolsets=[...]).run('...')
assert wires.refusals == []
```

Needs the SDKs of both providers: `pip install 'toolscript[anthropic,openai]'`.
"""

from importlib.util import find_spec

if find_spec('anthropic') is None or find_spec('openai') is None:
    raise ImportError(
        "toolscript.testing.wires needs the SDKs of both providers: pip install 'toolscript[anthropic,openai]'."
    )

from .loopback import Loopback, Request, SimulatedModel, loopback
from .reading import Line, Reading, WireTool
from .replies import Call, Failure, PlanError, Reply, Say, Search, reply
from .sdk_types import Wire

__all__ = [
    'Call',
    'Failure',
    'Line',
    'Loopback',
    'PlanError',
    'Reading',
    'Reply',
    'Request',
    'Say',
    'Search',
    'SimulatedModel',
    'Wire',
    'WireTool',
    'loopback',
    'reply',
]
