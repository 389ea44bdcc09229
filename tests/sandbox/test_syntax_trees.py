"""Trees come out whole, whatever else the process is parsing meanwhile."""

import ast
import gc
from collections.abc import Generator
from contextlib import contextmanager

from toolscript_sandbox.language.syntax import expression_of, module_of

TEXT = '\n'.join(f'x{number} = f({number}, [a, b])' for number in range(300))


@contextmanager
def collections_that_parse() -> Generator[None]:
    """The garbage collector runs often, and each time lets in code that parses, as another thread would."""

    def parse(phase: str, info: object) -> None:
        if phase == 'stop':
            deeper(30)

    def deeper(frames: int) -> None:
        if frames:
            deeper(frames - 1)
        else:
            ast.parse('x = 1')

    threshold = gc.get_threshold()
    gc.callbacks.append(parse)
    gc.set_threshold(10)
    try:
        yield
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(parse)


def test_other_code_may_parse_in_between() -> None:
    with collections_that_parse():
        statements, expression = module_of(TEXT), expression_of(TEXT.partition('\n')[0].partition('= ')[2])

    assert ast.unparse(statements) == TEXT
    assert ast.unparse(expression) == 'f(0, [a, b])'
    assert gc.isenabled()
