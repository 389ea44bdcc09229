"""Arguments of host functions that a script writes out, compared with what the functions take.

A type checker compares types, and its types of dicts and lists are guesses: `{'kind': 'x'}` kept in a variable is a
`dict[str, str]`, which may or may not be the record that a function wants. Taking its word for it refused programs that
were right; not taking it let nine broken calls of a hundred pass. What is written out is therefore judged by its value,
in the host, and costs one walk over the script. The checker's word counts for the rest.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from keyword import iskeyword

from toolscript_sandbox.contract.functions import Function
from toolscript_sandbox.text.syntax import all_of, tree_of, walk

from .checker import Diagnostic
from .evaluation import Evaluation, kind_of
from .fitting import Fitting, Misfit
from .literal_values import Entries, Items, TooMuch, Value, plain
from .stub_shapes import ListOf, Parameters, Shape, parameters_of
from .uses import Uses

RULE = 'wrong-argument'
Span = tuple[int, int, int, int]


@dataclass(frozen=True)
class Judged:
    """What became of the arguments of a script."""

    findings: tuple[Diagnostic, ...]
    settled: tuple[Span, ...]
    """Where arguments stand of which no more need be said: line, column, last line and column, in characters."""


@dataclass(frozen=True)
class _Given:
    word: str
    shape: Shape
    value: Value
    node: ast.expr | ast.keyword
    """The argument as it stands in the call."""
    is_item: bool = False
    """Whether it is one of `*args`."""


def judged(
    code: str,
    tree: ast.Module,
    functions: Mapping[str, Function],
    outer: Collection[str],
    history: Sequence[str] = (),
) -> Judged:
    """All arguments that are written out, in calls of `functions`; and sums of text and numbers.

    Args:
        code: The script.
        tree: The same.
        functions: Host functions, by name.
        outer: Variables of earlier scripts.
        history: Earlier scripts.
    """
    return _Judge(code, tree, functions, outer, history).judged() if functions else Judged((), ())


@dataclass
class _Judge:
    code: str
    tree: ast.Module
    functions: Mapping[str, Function]
    outer: Collection[str]
    history: Sequence[str]
    findings: list[Diagnostic] = field(default_factory=list[Diagnostic])
    settled: list[Span] = field(default_factory=list[Span])

    def __post_init__(self) -> None:
        self._lines = self.code.split('\n')
        self._steps = iter(range(_STEPS))
        self._uses = Uses(self.tree, lambda name: self._is_host(name) or (name in _LOOKING and self._is_builtin(name)))
        methods = frozenset[str]().union(_functions_in(self.code), *map(_functions_in, self.history))
        self._evaluation = Evaluation(self._uses, self.outer, self._is_builtin, methods)

    def judged(self) -> Judged:
        for node in walk(self.tree):
            match node:
                case ast.Call(func=ast.Name(id=name)) if self._is_host(name):
                    self._judge(node, self.functions[name])
                case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
                    self._compare_sides(node, _SIGNS[type(op)], left, right)
                case _:
                    pass
        # Both ask back here: together they would stay, with the snippet's tree, until the garbage collector comes.
        del self._uses, self._evaluation
        return Judged(tuple(self.findings), tuple(self.settled))

    def _compare_sides(self, node: ast.BinOp, sign: str, left: ast.expr, right: ast.expr) -> None:
        """Text and a number have no sum, even if the checker knows nothing of the row that the text was read from."""
        kinds = [kind_of(self._evaluation.value(side)) for side in (left, right)]
        if kinds in (['str', 'int'], ['str', 'float'], ['int', 'str'], ['float', 'str']):
            message = f'Operator `{sign}` is not supported between objects of type `{kinds[0]}` and `{kinds[1]}`'
            self.findings.append(Diagnostic('unsupported-operator', message, *self._span(node)))

    def _is_host(self, name: str) -> bool:
        return name in self.functions and name not in self._uses.bindings

    def _is_builtin(self, name: str) -> bool:
        bound = name in self._uses.bindings or name in self.outer or name in self.functions
        return not bound and hasattr(builtins, name)

    def _judge(self, call: ast.Call, function: Function) -> None:
        takes = parameters_of(function.stub)
        if takes is None:
            return
        # The checker takes each item of what is unpacked for any of the parameters.
        self.settled += [self._span(one) for one in call.args if isinstance(one, ast.Starred)]
        self.settled += [self._span(one) for one in call.keywords if one.arg is None]
        for given in self._given(call, takes):
            self._compare(call, given, function, takes)
        self._compare_words(call, takes)

    def _compare_words(self, call: ast.Call, takes: Parameters) -> None:
        """What a dict that is unpacked into the call brings or lacks; the checker sees the other keywords."""
        unpacked = [word for word in call.keywords if word.arg is None]
        values = [self._evaluation.value(word.value) for word in unpacked]
        words = [word for value in values if isinstance(value, Entries) for word in value.entries]
        strange = [word for word in words if word not in takes.shapes]
        unknown = [word for word in strange if _is_python(word)] if takes.closed else []
        if unknown:
            self._tell(unpacked[0], f'has no parameter `{unknown[0]}`', call)
        whole = all(isinstance(value, Entries) and value.whole for value in values)
        if not unpacked or strange or not whole or any(isinstance(one, ast.Starred) for one in call.args):
            return
        given = {*takes.positional[: len(call.args)], *words, *(word.arg for word in call.keywords)}
        missing = sorted(takes.required - given)
        if missing:
            self._tell(unpacked[0], f'is missing {", ".join(f"`{word}`" for word in missing)}', call)

    def _tell(self, node: ast.keyword, problem: str, call: ast.Call) -> None:
        name = call.func.id if isinstance(call.func, ast.Name) else ''
        self.findings.append(Diagnostic(RULE, f'The call of `{name}` {problem}', *self._span(node)))

    def _given(self, call: ast.Call, takes: Parameters) -> Iterator[_Given]:
        yield from self._by_place(call, takes)
        for keyword in call.keywords:
            value = self._evaluation.value(keyword.value)
            if keyword.arg is not None:
                yield from self._by_word(keyword.arg, value, keyword, takes)
            elif isinstance(value, Entries):
                for word, inner in value.entries.items():
                    yield from self._by_word(word, inner, keyword, takes)

    def _by_place(self, call: ast.Call, takes: Parameters) -> Iterator[_Given]:
        at = 0
        for argument in call.args:
            node = argument.value if isinstance(argument, ast.Starred) else argument
            value = self._evaluation.value(node)
            if isinstance(argument, ast.Starred) and not (isinstance(value, Items) and value.whole):
                return
            values = value.items if isinstance(argument, ast.Starred) and isinstance(value, Items) else (value,)
            for one in values:
                if at < len(takes.positional):
                    word = takes.positional[at]
                    yield _Given(word, takes.shapes[word], one, node)
                elif takes.variadic is not None:
                    yield _Given(takes.variadic, takes.shapes[takes.variadic], one, node, is_item=True)
                at += 1

    def _by_word(self, word: str, value: Value, node: ast.keyword, takes: Parameters) -> Iterator[_Given]:
        if word == takes.variadic:
            yield _Given(word, ListOf(takes.shapes[word]), value, node)
        elif word in takes.shapes:
            yield _Given(word, takes.shapes[word], value, node)
        elif takes.extra is not None:
            yield _Given(word, takes.extra, value, node)

    def _compare(self, call: ast.Call, given: _Given, function: Function, takes: Parameters) -> None:
        try:
            value, is_whole = plain(given.value), True
        except (ValueError, TooMuch):
            value, is_whole = None, False
        lax = function.objection is not None and not is_whole
        misfit = Fitting(takes.records, self._steps, converts=lax).misfit(given.value, given.shape)
        if is_whole and function.objection is not None:
            objection = function.objection(given.word, [value] if given.is_item else value)
            # The stub's words come first: they say what is wanted in the terms of Python.
            misfit = None if objection == '' else misfit or (Misfit('', objection) if objection else None)
        if misfit is not None:
            self.findings.append(self._finding(call, given, misfit, function))
        if misfit is not None or is_whole:
            self.settled.append(self._span(given.node))

    def _finding(self, call: ast.Call, given: _Given, misfit: Misfit, function: Function) -> Diagnostic:
        place = self._span(given.node.value if isinstance(given.node, ast.keyword) else given.node)
        if misfit.node is not None and hasattr(misfit.node, 'lineno') and inside(self._span(misfit.node), place):
            place = self._span(misfit.node)
        name = call.func.id if isinstance(call.func, ast.Name) else function.name
        message = f'Argument `{given.word}{misfit.path}` of function `{name}` is incorrect: {misfit.message}'
        return Diagnostic(RULE, message, *place)

    def _span(self, node: ast.expr | ast.keyword) -> Span:
        end = node.end_lineno or node.lineno
        return node.lineno, self._column(node.lineno, node.col_offset), end, self._column(end, node.end_col_offset or 0)

    def _column(self, line: int, column_bytes: int) -> int:
        text = self._lines[line - 1]
        return column_bytes if text.isascii() else len(text.encode()[:column_bytes].decode(errors='ignore'))


def inside(inner: Span, outer: Span) -> bool:
    """Whether one span lies in the other, or is the same."""
    return outer[:2] <= inner[:2] and inner[2:] <= outer[2:]


@lru_cache(maxsize=256)
def _functions_in(code: str) -> frozenset[str]:
    """The functions and methods that a script defines; remembered, as each later one of its session asks."""
    tree = tree_of(code)
    return frozenset(node.name for kind in _FUNCTIONS for node in all_of(tree, kind))


def _is_python(word: str) -> bool:
    """Whether a parameter of that name in a tool's schema is called so in Python too."""
    return word.isascii() and word.isidentifier() and not iskeyword(word) and not word.startswith('__')


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SIGNS: Mapping[type[ast.operator], str] = {ast.Add: '+', ast.Sub: '-'}
_STEPS = 500_000
_LOOKING = frozenset(['len', 'print', 'str', 'repr', 'sum', 'bool', 'isinstance', 'type', 'any', 'all'])
