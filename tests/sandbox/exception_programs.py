"""Programs about exceptions and the ways that control flow takes around them, made from a seed."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

_HEAD = """
class Own(Exception):
    pass

class Deep(Own):
    def __init__(self, text, code=7):
        super().__init__(text, code)
        self.code = code
    def __str__(self):
        return f'{self.args[0]}#{self.code}'

class Bad(ValueError):
    def __str__(self):
        return 'bad ' + super().__str__()

class Context:
    def __init__(self, quiet):
        self.quiet = quiet
    def __enter__(self):
        print('enter')
        return self
    def __exit__(self, kind, error, trace):
        print('exit', kind and kind.__name__, error)
        return self.quiet

def told(e):
    return type(e).__name__, str(e), repr(e), e.args

table = {1: 'a', 'k': 2, (1, 2): 3}
""".strip()

_RAISED = (
    "ValueError('v')",
    "ValueError('a', 1)",
    'ValueError',
    'KeyError(3)',
    "KeyError('k', 2)",
    'IndexError()',
    "Own('o')",
    'Own',
    'Own(1, [2])',
    "Deep('d')",
    "Deep('d', code=9)",
    "Bad('b')",
    'Bad(1, 2)',
    "OSError(2, 'gone')",
    'RuntimeError({1: 2})',
    "ConnectionError('c')",
    'EOFError()',
    'TypeError(None)',
    '5',
)
_CAUGHT = (
    'ValueError',
    'KeyError',
    '(KeyError, IndexError)',
    'LookupError',
    'Own',
    'Deep',
    '(Own, Bad)',
    'Exception',
    'OSError',
    'ConnectionError',
    '(TypeError, EOFError)',
    'ArithmeticError',
)
_FAILING = (
    'print(table[4])',
    "print(table['k'])",
    'print(table[n])',
    "print(table[(n, 'x')])",
    '1 / 0',
    "int('x')",
    '[][n]',
    'assert n > 5',
    "assert n < 0, ('less', n)",
    "print('also fine')",
    'table.pop(99)',
    '{1}.remove(8)',
    "print('fine')",
    'print(n)',
)


class _Program:
    """One program on its way."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def block(self, depth: int, loop: bool, function: bool, handled: str | None = None) -> Iterator[str]:
        for _ in range(self.random.randint(1, 2)):
            yield from self.statement(depth, loop, function, handled)

    def statement(self, depth: int, loop: bool, function: bool, handled: str | None) -> Iterator[str]:
        kinds = ['fails', 'raises', 'prints', 'guarded']
        kinds += ['tries'] * 4 + ['loops', 'with'] if depth > 0 else []
        kinds += ['leaves'] if loop or function else []
        kinds += ['again', 'told', 'from'] if handled is not None else []
        yield from getattr(self, f'_{self.random.choice(kinds)}')(depth, loop, function, handled)

    def _fails(self, *_: object) -> Iterator[str]:
        yield self.random.choice(_FAILING)

    def _raises(self, *_: object) -> Iterator[str]:
        yield f'raise {self.random.choice(_RAISED)}'

    def _guarded(self, *_: object) -> Iterator[str]:
        yield f'if n == {self.random.randint(0, 2)}: raise {self.random.choice(_RAISED)}'

    def _prints(self, *_: object) -> Iterator[str]:
        yield f"print('at {self.random.randint(0, 99)}')"

    def _leaves(self, _depth: int, loop: bool, function: bool, _handled: str | None) -> Iterator[str]:
        ways = ['break', 'continue'] if loop else []
        ways += [f'return {self.random.randint(0, 9)}'] if function else []
        yield f'if n == {self.random.randint(0, 2)}: {self.random.choice(ways)}'

    def _again(self, *_: object) -> Iterator[str]:
        yield 'raise'

    def _told(self, _depth: int, _loop: bool, _function: bool, handled: str | None) -> Iterator[str]:
        yield f'print(told({handled}), isinstance({handled}, {self.random.choice(_CAUGHT)}))'

    def _from(self, _depth: int, _loop: bool, _function: bool, handled: str | None) -> Iterator[str]:
        yield f'raise {self.random.choice(_RAISED[:-1])} from {self.random.choice([handled, "None"])}'

    def _loops(self, depth: int, _loop: bool, function: bool, handled: str | None) -> Iterator[str]:
        yield 'for n in range(3):'
        yield from _in(self.block(depth - 1, True, function, handled))
        if self.random.random() < 0.3:
            yield 'else:'
            yield "    print('through')"

    def _with(self, depth: int, loop: bool, function: bool, handled: str | None) -> Iterator[str]:
        yield f'with Context({self.random.random() < 0.4}):'
        yield from _in(self.block(depth - 1, loop, function, handled))

    def _tries(self, depth: int, loop: bool, function: bool, handled: str | None) -> Iterator[str]:
        yield 'try:'
        yield from _in(self.block(depth - 1, loop, function, handled))
        handlers = self.random.randint(0, 3)
        for _ in range(handlers):
            name = self.random.choice(['e', 'e', 'f', None])
            yield f'except {self.random.choice(_CAUGHT)}{f" as {name}" if name else ""}:'
            seen = [f'print(told({name}))'] if name else ["print('nameless')"]
            yield from _in([*seen, *self.block(depth - 1, loop, function, name)])
        if handlers and self.random.random() < 0.3:
            yield 'else:'
            yield from _in(self.block(depth - 1, loop, function))
        if not handlers or self.random.random() < 0.4:
            yield 'finally:'
            yield from _in(["print('finally')", *(self.block(0, False, False) if self.random.random() < 0.2 else [])])


def _in(lines: Iterator[str] | list[str]) -> Iterator[str]:
    return (f'    {line}' for line in lines)


def program(seed: int) -> str:
    """A program that prints what it goes through, and may end with an exception."""
    random = Random(seed)
    made = _Program(random)
    body = list(made.block(3, False, True))
    lines = [_HEAD, 'def f(n):', *_in(["print('begin', n)", *body]), 'for n in range(3):']
    lines += ['    try:', '        print(f(n))', '    except Exception as e:', '        print(told(e), e.__cause__)']
    lines += list(made.block(2, False, False)) if random.random() < 0.5 else []
    return '\n'.join(lines)
