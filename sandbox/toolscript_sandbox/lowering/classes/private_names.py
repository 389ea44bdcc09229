"""Private names (`self.__balance`): Python writes the name of the class before them, and Monty does not.

So it is done here: what stands in a class is not found from outside, and two classes of one line keep theirs apart.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import Edit, Source
from toolscript_sandbox.text.syntax import all_of, children


def with_private_names(program: Program) -> Program:
    """The snippet with the names that Python gives to private members."""
    found = any(map(_is_private, _WORDS.findall(program.source.text)))
    if not found or not all_of(program.tree, ast.ClassDef):
        return program
    r = Rewriter(program)
    edits = list(_edits(program.tree, '', r))
    return program.edited(edits)


def mangled(name: str, cls: str) -> str:
    """What a name inside of a class is called in Python."""
    return f'_{cls.lstrip("_")}{name}' if _is_private(name) and cls.strip('_') else name


def _is_private(name: str) -> bool:
    return name.startswith('__') and not name.endswith('__') and '.' not in name


def _edits(node: ast.AST, cls: str, r: Rewriter) -> Iterator[Edit]:
    """The edits below a node that stands in a class of this name."""
    waiting = [(node, cls)]
    while waiting:
        node, cls = waiting.pop()
        if cls:
            yield from _named(node, cls, r.source)
        if isinstance(node, ast.JoinedStr) and cls and not r.is_placed(node):
            _refuse_private(node)
            continue
        inner = node.name if isinstance(node, ast.ClassDef) else cls
        waiting += [(child, inner) for child in children(node)]


def _named(node: ast.AST, cls: str, source: Source) -> Iterator[Edit]:
    match node:
        case ast.Attribute(attr=name) if _is_private(name):
            end = source.end(node)
            yield Edit(end - len(name), end, mangled(name, cls))
        case ast.Name(id=name) if _is_private(name):
            yield source.replace(node, mangled(name, cls))
        case ast.arg(arg=name) if _is_private(name):
            start = source.offset(node.lineno, node.col_offset)
            yield Edit(start, start + len(name), mangled(name, cls))
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) if _is_private(
            name
        ):
            start = source.text.index(name, source.start(node))
            yield Edit(start, start + len(name), mangled(name, cls))
        case ast.keyword(arg=str(name)) if _is_private(name):
            raise Refused([refusal(node.value, f'Begin {name} with one underscore.')])
        case _:
            return


_WORDS = re.compile(r'\b__\w+')


def _refuse_private(string: ast.JoinedStr) -> None:
    for part in ast.walk(string):
        if isinstance(part, ast.Attribute) and _is_private(part.attr):
            raise Refused([refusal(string, f'Keep {part.attr} in a variable, and write that here.')])
