"""The function `work` of the page on durability, whose process is killed during, before or after a write.

Each life is a fork of this process. A case is a number: the process dies before its flush or rename of that number.
"""

import json
import os
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.docs import run_blocks
from tests.toolscript.lives import survives

RESULT = Path('result.json')
CODE = 'done = []\nfor n in range(4):\n    done.append(await note(n))\ndone'


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    last = messages[-1].parts[-1]
    if last.part_kind == 'tool-return':
        return ModelResponse([TextPart(json.dumps(last.content))])
    return ModelResponse([ToolCallPart('run_code', {'code': CODE})])


async def live(death: int) -> None:
    """Work to the end, or die before the n-th flush or rename."""
    die_before(death)
    names = run_blocks('docs/durable.md', first=1)
    agent: Agent[Any, str] = names['agent']

    def note(n: int) -> int:
        with Path(f'ledger-{n}').open('ab', buffering=0) as ledger:
            ledger.write(b'.')
        return n * n

    names['tools'].add_function(note)
    with agent.override(model=FunctionModel(model), instructions='Be brief.'):
        RESULT.write_text(await names['work']('go'))  # noqa: ASYNC240


def die_before(number: int) -> None:
    """Die before the n-th flush or rename."""
    left = number

    def mortal(function: Callable[..., Any]) -> Callable[..., Any]:
        def dies(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **options)

        return dies

    os.fsync, os.replace = mortal(os.fsync), mortal(os.replace)


def case(folder: Path, number: int) -> dict[str, Any]:
    """Return the result of the case."""
    folder.mkdir()
    os.chdir(folder)
    died = not survives(live, number)
    assert survives(live, 0)
    counts = [path.stat().st_size if (path := Path(f'ledger-{n}')).exists() else 0 for n in range(4)]
    return {'died': died, 'counts': counts, 'result': json.loads(RESULT.read_text())}


def main(folder: Path, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Return the result of each case."""
    os.environ['TOOLSCRIPT_SNAPSHOT_KEY'] = 'the key of the docs'
    return [case(folder / str(number), number) for number in numbers]
