"""Whether an answer is right, however it is worded."""

import json
import re

from evals.tasks.task import same

_FENCED = re.compile(r'```(?:json)?\s*(.*?)```', re.DOTALL)


def is_right(answer: str, wanted: object) -> bool:
    """Returns whether the answer is the expected JSON value or ends in it."""
    return any(same(value, wanted) for value in _values(answer))


def _values(answer: str) -> list[object]:
    """Return the JSON values that the answer may mean: all of it, a fenced block, its last line, the text itself."""
    lines = answer.strip().splitlines() or ['']
    candidates = [answer, *_FENCED.findall(answer), lines[-1]]
    return [*(value for text in candidates if (value := _parsed(text)) is not None), answer.strip().strip('"')]


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
