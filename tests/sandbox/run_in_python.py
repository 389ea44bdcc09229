"""Runs programs in this Python, each in isolation: JSON texts in, JSON results out. Started by `case_files`."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import io
import json
import sys
import traceback
import types
import warnings
from typing import Any

from case_tools import CaseTools

NAME = '<case>'


def _result(program: str) -> dict[str, Any]:
    printed, tools = io.StringIO(), CaseTools()
    module = types.ModuleType('__main__')
    vars(module).update(tools.namespace())
    sys.modules['__main__'] = module
    error = line = None
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        try:
            asyncio.run(_ran(program, vars(module)))
        except BaseException as raised:
            error = [type(raised).__name__, str(raised)]
            frames = [frame.lineno for frame in traceback.extract_tb(raised.__traceback__) if frame.filename == NAME]
            line = frames[-1] if frames else getattr(raised, 'lineno', None)
    return {'stdout': printed.getvalue(), 'error': error, 'line': line, 'calls': tools.log}


async def _ran(program: str, names: dict[str, Any]) -> None:
    code = compile(program, NAME, 'exec', flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    going = eval(code, names)
    if inspect.iscoroutine(going):
        await going


if __name__ == '__main__':
    warnings.simplefilter('ignore')
    json.dump([_result(program) for program in json.load(sys.stdin)], sys.stdout)
