"""Functions whose annotations are only approximately true, as in real code."""

import json
from pathlib import Path
from typing import Any

from tests.corpus.table import functions
from toolscript_sandbox import Call

LOOSE = functions('loose_functions.txt')

_PAGES = {
    'None': {'items': [{'id': 1, 'v': 2.5}], 'next': 'p2', 'total': 2},
    'p2': {'items': [{'id': 2, 'v': 1}], 'next': None, 'total': 2},
}
_ANSWERS: dict[str, Any] = json.loads(Path(__file__).with_name('loose_answers.json').read_text())


async def answer_loosely(call: Call) -> Any:
    """Answer with values that match the annotations only in part."""
    first = call.args[0] if call.args else next(iter(call.kwargs.values()), None)
    if call.function == 'td':
        return first
    return _PAGES[str(first)] if call.function == 'nested' else _ANSWERS[call.function]
