"""Tools for testing agents: a model that plays scripts, and a check of which bytes of a request's prefix changed.

A provider caches a prompt from its start: first the tools, then the system text, then the messages. A step is cheap as
long as it only appends to what the previous step sent. Record what a model receives, and see what changed:

```python
model = RecordingModel('anthropic:claude-sonnet-4-6')
await Agent(model, toolsets=[...]).run('...')
assert prefix_changes(model.requests) == []
```
"""

from .prefixes import PrefixChange, RecordingModel, RequestPrefix, prefix_changes, wire_prefix
from .recorded_run import RecordCalls, RecordedCalls, RecordedRun
from .replaying import Difference, Replayed, replay, replayed
from .scripted import script_model

__all__ = [
    'Difference',
    'PrefixChange',
    'RecordCalls',
    'RecordedCalls',
    'RecordedRun',
    'RecordingModel',
    'Replayed',
    'RequestPrefix',
    'prefix_changes',
    'replay',
    'replayed',
    'script_model',
    'wire_prefix',
]
