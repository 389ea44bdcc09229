"""`f'{price * 2 = }'` says what it was written as: the text is put beside the value before anything changes it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.placed import is_placed
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of


def with_named_values(program: Program) -> Program:
    """The program with `{x=}` as `x={x!r}`."""
    source = program.source
    if '{' not in source.text or not _NAMED.search(source.text):
        return program
    strings = [node for node in all_of(program.tree, ast.JoinedStr) if is_placed(node, source)]
    return program.edited(edit for node in strings for edit in _of_string(node, source))


def _of_string(node: ast.JoinedStr, source: Source) -> Iterator[Edit]:
    quote = source.segment(node).lstrip('fFrR')[:1]
    for part in node.values:
        if not isinstance(part, ast.FormattedValue):
            continue
        equals = _EQUALS.match(source.text, source.end(part.value))
        opening = source.text.rfind('{', source.start(node), source.start(part.value))
        if equals is None or source.text[opening + 1 : source.start(part.value)].strip(' ('):
            continue
        said = source.text[opening + 1 : equals.end()]
        if not {'\\', '\n', quote}.isdisjoint(said):
            continue
        shown = '!r' if source.text[equals.end()] == '}' else ''
        yield Edit(opening, opening, said.replace('{', '{{').replace('}', '}}'))
        yield Edit(equals.start('sign'), equals.end(), shown)


_NAMED = re.compile(r'=[ \t]*[}!:]')
_EQUALS = re.compile(r'[ \t)]*(?P<sign>=[ \t]*)(?=[}!:])')
