"""Predicts the calls of a script's statements before any of them has run.

Only statements at the top level count, because code in a branch, a loop or a function may never run, or run with other
values. A call is predicted if its arguments are literals, variables bound to literals, or results of predicted calls.
Prediction ends at the first statement that may act, sleep, or run unknown code, because data read after it may have
changed. A statement that may change a list or a dict makes all lists, dicts and results unknown, because names can
share them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import Literal, TypeAlias

from toolscript_sandbox.language.scopes import bound_by
from toolscript_sandbox.language.syntax import CHANGING, children, module_of, walk, words

from .terms import ITEM, Joined, Key, SpeculativeResult, Term, Unknown, calls_of, part_of

NameKind: TypeAlias = Literal['starts', 'reads', 'acts', 'unseen']
"""The kind of a name: a function that only reads and may start speculatively; one that only reads; one that may
act; or a variable that an earlier script left."""


@dataclass(frozen=True, eq=False)
class SpeculativeCall:
    """A predicted call of the script, or several: one for each item of a result."""

    number: int
    """The number of the call, from 0 in the order of the text."""
    function: str
    args: tuple[Term, ...]
    kwargs: Mapping[str, Term]
    over: SpeculativeResult | None = None
    """The result with one call per item; None for a single call."""

    @property
    def needs(self) -> frozenset[int]:
        """The numbers of the calls whose results its arguments contain."""
        return frozenset(calls_of(*self.args, *self.kwargs.values(), self.over))


class Speculator:
    """Predicts the calls of one script."""

    def __init__(self, kind_of: Callable[[str], NameKind | None], max_calls: int) -> None:
        """`kind_of` returns the kind of a name outside of the script; at most `max_calls` calls are predicted."""
        self._kind_of = kind_of
        self._max_calls = max_calls
        self._count = 0
        self._new = list[SpeculativeCall]()
        self._values = dict[str, Term]()
        self._results = dict[ast.AST, Term]()
        """The results of the expressions that contain predicted calls."""
        self._own = set[str]()
        """Names that the script binds itself."""
        self._functions = set[str]()
        """The names in `_own` that may be functions."""
        self._statements = Statements()
        self.over: bool = False
        """Whether nothing more can be predicted."""

    @property
    def end(self) -> int:
        """The end of the text read so far."""
        return self._statements.end

    def written(self, text: str) -> list[SpeculativeCall]:
        """Return the calls of the statements that were finished since the previous text."""
        self.over = self.over or len(text) > _LONGEST or self._statements.has_given_up
        statements = [] if self.over else self._statements.of(text)
        return [call for statement in statements for call in self.read(statement)]

    def read(self, statement: ast.stmt) -> list[SpeculativeCall]:
        """Return the calls that the next statement makes."""
        try:
            self.over = self.over or not self._only_reads(statement)
            if not self.over:
                self._statement(statement)
        except RecursionError:
            self.over = True
        new, self._new = self._new, []
        return new

    # -- side effects

    def _only_reads(self, statement: ast.stmt) -> bool:
        nodes = walk(statement)
        for node in nodes:
            bound = {*bound_by(node)}
            self._own |= bound
            self._functions |= bound if isinstance(node, _DEFINING) else set()
        return all(self._is_harmless(node) for node in nodes)

    def _is_harmless(self, node: ast.AST) -> bool:
        match node:
            case ast.Name(id=name):
                kind = self._kind_of(name)
                return name in self._own if kind == 'unseen' else kind != 'acts' and name not in _REACHING_ANYTHING
            case ast.Attribute(attr='sleep') | ast.alias(name='sleep' | '*'):
                return False
            case _:
                return True

    def _may_change(self, node: ast.AST) -> bool:
        """Return whether the node may change a list or a dict, directly or through a function of the script."""
        match node:
            case ast.Call(func=ast.Attribute(attr=name)):
                return name in CHANGING or name in self._functions
            case ast.Call(func=ast.Name(id=name)):
                return name in self._own
            case ast.Name(id=name):
                return name in self._functions
            case ast.Subscript(ctx=context) | ast.Attribute(ctx=context):
                return not isinstance(context, ast.Load)
            case _:
                return isinstance(node, (ast.AugAssign, ast.Lambda))

    # -- statements

    def _statement(self, statement: ast.stmt) -> None:
        nodes = walk(statement)
        if any(map(self._may_change, nodes)):
            for name in [name for name, term in self._values.items() if isinstance(term, _SHARED)]:
                del self._values[name]
        match statement:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                targets = {*walk(target)}
                self._unbind([node for node in nodes if node not in targets])
                self._foresee(value)
                term: Term | Unknown = Unknown()
                with suppress(Unknown):
                    term = self._value(value)
                self._unbind(targets)
                self._bind(target, term)
            case ast.Expr(value=value):
                self._unbind(nodes)
                self._foresee(value)
            case _:
                self._unbind(nodes)

    def _bind(self, target: ast.expr, term: Term | Unknown) -> None:
        match target:
            case ast.Name(id=name) if not isinstance(term, Unknown):
                self._values[name] = term
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if not isinstance(term, Unknown):
                known = not isinstance(term, list) or len(term) == len(parts)
                for number, part in enumerate(parts if known else []):
                    if isinstance(part, ast.Starred):
                        break
                    with suppress(Unknown):
                        self._bind(part, part_of(term, number))
            case _:
                pass

    def _unbind(self, nodes: Iterable[ast.AST]) -> None:
        for name in [name for node in nodes for name in bound_by(node)]:
            self._values.pop(name, None)

    # -- expressions

    def _foresee(self, node: ast.AST) -> None:
        """Predict the calls in an expression, in the order in which they are made."""
        for child in _surely_evaluated(node):
            self._foresee(child)
        with suppress(Unknown):
            match node:
                case ast.Await(value=ast.Call() as call):
                    is_gather = 'gather' in (getattr(call.func, 'attr', ''), getattr(call.func, 'id', ''))
                    self._results[node] = self._gathered(call) if is_gather else self._called(call)
                case ast.ListComp(elt=ast.Await(value=ast.Call())):
                    self._results[node] = self._repeated(node)
                case _:
                    pass

    def _value(self, node: ast.AST) -> Term:
        """Return the value of an expression. Raises `Unknown`."""
        match node:
            case ast.Constant(value=None | bool() | int() | str() as value):
                return value
            case ast.Constant(value=float() as value) if isfinite(value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return -value
            case ast.Name(id=name) if name in self._values:
                return self._values[name]
            case ast.List(elts=parts):
                return [self._value(part) for part in parts]
            case ast.Dict(keys=keys, values=values):
                names = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
                if len(names) < len(keys):
                    raise Unknown
                return dict(zip(names, map(self._value, values), strict=True))
            case ast.JoinedStr(values=parts):
                return Joined(tuple(self._value(part) for part in parts))
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self._value(value)
            case ast.Subscript(value=value, slice=key):
                return part_of(self._value(value), self._key(key))
            case _ if node in self._results:
                return self._results[node]
            case _:
                raise Unknown

    def _key(self, node: ast.expr) -> Key:
        if isinstance(node, ast.Slice) and node.step is None:
            bounds = [None if bound is None else self._value(bound) for bound in (node.lower, node.upper)]
            known = [bound for bound in bounds if bound is None or type(bound) is int]
            key = slice(*known) if len(known) == len(bounds) else None
        else:
            key = self._value(node)
        if not isinstance(key, str | int | slice) or isinstance(key, bool):
            raise Unknown
        return key

    def _called(self, call: ast.Call, over: SpeculativeResult | None = None) -> Term:
        """Predict a call and return its result. Raises `Unknown` if it may not start or an argument is unknown."""
        name = call.func.id if isinstance(call.func, ast.Name) else ''
        args = tuple(self._value(argument) for argument in call.args)
        kwargs = {word.arg: self._value(word.value) for word in call.keywords if word.arg is not None}
        may_start = self._kind_of(name) == 'starts' and name not in self._own
        if not may_start or len(kwargs) < len(call.keywords) or self._count >= self._max_calls:
            raise Unknown
        self._new.append(SpeculativeCall(self._count, name, args, kwargs, over))
        self._count += 1
        return SpeculativeResult(self._count - 1)

    def _gathered(self, call: ast.Call) -> Term:
        """Return the list that `gather` returns."""
        terms, are_known = list[Term](), True
        for argument in call.args:
            try:
                match argument:
                    case ast.Starred(value=ast.ListComp(elt=ast.Call()) | ast.GeneratorExp(elt=ast.Call()) as calls):
                        terms += self._repeated(calls)
                    case ast.Call():
                        terms.append(self._called(argument))
                    case _:
                        are_known = False
            except Unknown:
                are_known = False
        if not are_known:
            raise Unknown
        return terms

    def _repeated(self, node: ast.ListComp | ast.GeneratorExp) -> list[Term]:
        """Predict the calls of a comprehension and return its list. Raises `Unknown` if it is not known."""
        call = node.elt.value if isinstance(node.elt, ast.Await) else node.elt
        assert isinstance(call, ast.Call)
        match node.generators:
            case [ast.comprehension(target=ast.Name(id=variable), iter=source, ifs=[], is_async=0)]:
                items, before = self._items(source), self._values
            case _:
                raise Unknown
        try:
            if isinstance(items, SpeculativeResult):
                self._values = {**before, variable: SpeculativeResult(ITEM)}
                self._called(call, items)
            elif isinstance(items, list) and len(items) <= self._max_calls - self._count:
                terms = list[Term]()
                for item in items:
                    self._values = {**before, variable: item}
                    terms.append(self._called(call))
                return terms
            raise Unknown
        finally:
            self._values = before

    def _items(self, node: ast.expr) -> Term:
        """Return what a comprehension iterates over."""
        match node:
            case ast.Tuple(elts=parts):
                return [self._value(part) for part in parts]
            case ast.Call(func=ast.Name(id='range'), args=arguments, keywords=[]) if 'range' not in self._own:
                bounds = [bound for bound in map(self._value, arguments) if type(bound) is int]
                if len(bounds) == len(arguments) in (1, 2) and abs(bounds[0]) + abs(bounds[-1]) <= _FAR:
                    return [*range(*bounds)]
                raise Unknown
            case _:
                return self._value(node)


def _surely_evaluated(node: ast.AST) -> list[ast.AST]:
    """Return the parts of an expression that are always evaluated with it, in the order of the text."""
    match node:
        case ast.IfExp(test=first) | ast.BoolOp(values=[first, *_]) | ast.Compare(left=first):
            return [first]
        case _:
            return [] if isinstance(node, _APART) else children(node)


class Statements:
    """Reads a growing text, and returns each statement once it is finished."""

    def __init__(self) -> None:
        self.end: int = 0
        """The end of the text read so far."""
        self._work = 0

    @property
    def has_given_up(self) -> bool:
        """Whether reading on is not worth the work, because a statement has very many lines."""
        return self._work > _MAX_WORK

    def of(self, text: str) -> list[ast.stmt]:
        """Return the next statements that no further text can change.

        A statement that may have more lines inside it (`if`, `def` and the like) is finished once another one follows.

        Args:
            text: The previous text, with more at its end.
        """
        lines = text[self.end : text.rfind('\n') + 1].split('\n')[:-1]
        if '\r' in text or not lines or not _is_flush(lines[-1]):
            # A blank or indented line never finishes a statement, so it can wait for the next line.
            return []
        # Even if the last statement continues, those before it are finished.
        flush = [number for number, line in enumerate(lines) if number and _is_flush(line)]
        for count in (len(lines), *reversed(flush[-_TRIES:])):
            self._work += sum(map(len, lines[:count]))
            body = None if self.has_given_up else _parsed(lines[:count])
            if body is not None:
                body, count = _closed(body, count)
                self.end += sum(len(line) + 1 for line in lines[:count])
                return body
        return []


def _closed(body: list[ast.stmt], count: int) -> tuple[list[ast.stmt], int]:
    """Return the statements of this many lines except a last one that may continue, and the lines they take."""
    if body and (hasattr(body[-1], 'body') or isinstance(body[-1], ast.Match)):
        last = body.pop()
        decorators: list[ast.expr] = getattr(last, 'decorator_list', [])
        count = min(node.lineno for node in (last, *decorators)) - 1
    return body, count


def _is_flush(line: str) -> bool:
    return bool(line) and not line[0].isspace()


def _parsed(lines: list[str]) -> list[ast.stmt] | None:
    try:
        return module_of('\n'.join([*lines, ''])).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_APART = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SHARED = (list, dict, SpeculativeResult)
_REACHING_ANYTHING = words('__import__ breakpoint compile eval exec globals input locals open vars')
_FAR = 10_000
_LONGEST = 20_000
_TRIES = 3
_MAX_WORK = 500_000
"""The maximum number of characters parsed, which takes a few tenths of a second."""
