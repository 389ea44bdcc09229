"""The `work` of the page on durability, whose process is killed in the middle of a write, or around one.

Each life is a fork of this process. Usage: work_lab.py FOLDER, cases as JSON on standard input; prints a JSON line for each.
A case is a number: the process dies before its flush or renaming of that number.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.docs import run_blocks

CODE = 'done = []\nfor n in range(4):\n    done.append(await note(n))\ndone'


def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """Sends the script, then says what it gave."""
    last = messages[-1].parts[-1]
    if last.part_kind == 'tool-return':
        return ModelResponse([TextPart(json.dumps(last.content))])
    return ModelResponse([ToolCallPart('run_code', {'code': CODE})])


async def live() -> str:
    """Work to the end."""
    names = run_blocks('docs/durable.md', first=1)
    agent: Agent[Any, str] = names['agent']

    def note(n: int) -> int:
        """Leave a byte in the ledger."""
        with Path(f'ledger-{n}').open('ab', buffering=0) as ledger:
            ledger.write(b'.')
        return n * n

    names['tools'].add_function(note)
    with agent.override(model=FunctionModel(model), instructions='Be brief.'):
        return await names['work']('go')


def die_before(number: int) -> None:
    """Die before the n-th flush or renaming."""
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


def in_a_fork(number: int) -> int:
    """How the life ended."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            die_before(number)
            Path('result.json').write_text(asyncio.run(live()))
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


def main(folder: Path) -> None:
    """Play the cases."""
    for number in json.loads(sys.stdin.read()):
        place = folder / str(number)
        place.mkdir(parents=True)
        os.chdir(place)
        died = os.WIFSIGNALED(in_a_fork(number))
        assert in_a_fork(0) == 0
        counts = [path.stat().st_size if (path := Path(f'ledger-{n}')).exists() else 0 for n in range(4)]
        result = json.loads((place / 'result.json').read_text())
        print(json.dumps({'died': died, 'counts': counts, 'result': result}), flush=True)


if __name__ == '__main__':
    main(Path(sys.argv[1]))
