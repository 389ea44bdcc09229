"""Renders a run: a message history as text or as an HTML page.

```python
print(render_text(result.all_messages()))
Path('run.html').write_text(render_html(result.all_messages(), title='Tuesday'))
```

Both also accept the JSON of `result.all_messages_json()`, wherever it was stored. A history contains the tools that the
model was shown only if `RecordTools()` was among the agent's capabilities.
"""

from .as_html import STYLE, render_fragment, render_html
from .as_text import render_text
from .reader import History, RecordTools, transcript_of
from .transcript import Bounds, Transcript

__all__ = [
    'STYLE',
    'Bounds',
    'History',
    'RecordTools',
    'Transcript',
    'render_fragment',
    'render_html',
    'render_text',
    'transcript_of',
]
