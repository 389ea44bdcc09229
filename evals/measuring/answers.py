"""Whether an answer is right, in whatever words it comes."""

import json
import re

from evals.tasks.task import same

_FENCED = re.compile(r'```(?:json)?\s*(.*?)```', re.DOTALL)


def is_right(answer: str, wanted: object) -> bool:
    """Whether the answer is, or ends in, the wanted JSON value."""
    return any(same(value, wanted) for value in _values(answer))


def _values(answer: str) -> list[object]:
    """The JSON values that the answer may mean: all of it, a fenced block, its last line, the text itself."""
    lines = answer.strip().splitlines() or ['']
    candidates = [answer, *_FENCED.findall(answer), lines[-1]]
    return [*(value for text in candidates if (value := _parsed(text)) is not None), answer.strip().strip('"')]


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None
