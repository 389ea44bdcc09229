"""The lines of the model's text that make calls."""

from __future__ import annotations

import ast
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from pydantic_monty import AsyncFunctionSnapshot

from toolscript_sandbox.language.snippet import Snippet
from toolscript_sandbox.language.syntax import expression_of


class CallLines:
    """Those of one script."""

    def __init__(self, snippet: Snippet, code: str) -> None:
        """`code` is what runs."""
        self._snippet = snippet
        self._code = code.encode()
        self._known = dict[tuple[int, int], int | None]()

    def of(self, snapshot: AsyncFunctionSnapshot) -> int | None:
        """The line of the call; None if a function of an earlier script makes it."""
        place = snapshot.position.start, snapshot.position.end
        if place not in self._known:
            # Positions in a function of an earlier snippet are those of that one, whose number is not known.
            made_here = _is_call(self._code[place[0] : place[1]])
            self._known[place] = self._snippet.line(bisect_right(self._starts, place[0]) + 1) if made_here else None
        return self._known[place]

    @cached_property
    def _starts(self) -> list[int]:
        """Where the lines of what runs begin, in bytes, from the second on."""
        return [*accumulate(len(line) + 1 for line in self._code.split(b'\n'))]


def _is_call(text: bytes) -> bool:
    try:
        return isinstance(expression_of(text.decode()), ast.Call)
    except (SyntaxError, ValueError):
        return False
