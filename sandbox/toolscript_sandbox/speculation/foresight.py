"""The calls that the statements of a script are going to make, as far as they can be told before any of them has run.

Only statements at the top level are looked into, for what is in a branch, a loop or a function may never happen, or
happen otherwise. A call is foreseen whose arguments are written out, or come from variables that are, or from results
of calls that were foreseen. At the first statement that may act, sleep, or run what nobody here has seen, it is over:
what is read behind it may be another value by then.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Literal, TypeAlias

from toolscript_sandbox.language.scopes import bound_by
from toolscript_sandbox.language.syntax import children, walk

from .finished import Statements
from .terms import ITEM, UNSEEN, Joined, Key, Result, Term, Unseen, calls_of, objects_of, part_of

NameKind: TypeAlias = Literal['starts', 'reads', 'acts', 'unseen']
"""What a name stands for: a function that only reads, and may start before its turn; one that only reads; one that may
act; or a variable that an earlier script left."""


@dataclass(frozen=True, eq=False)
class SpeculativeCall:
    """A call that the script will make, or several: one for each item of a result."""

    number: int
    """From 0, in the order of the text."""
    function: str
    args: tuple[Term, ...]
    kwargs: Mapping[str, Term]
    over: Result | None = None
    """The result for each of whose items there is a call; None for a single one."""

    @property
    def needs(self) -> frozenset[int]:
        """The calls whose results its arguments are made of."""
        terms = (*self.args, *self.kwargs.values(), *([] if self.over is None else [self.over]))
        return frozenset[int]().union(*map(calls_of, terms))


class Speculator:
    """What is known of one script so far."""

    def __init__(self, kind_of: Callable[[str], NameKind | None], most: int) -> None:
        """`kind_of` says of names what they stand for outside of the script; at most so many calls are foreseen."""
        self._kind_of = kind_of
        self._most = most
        self._count = 0
        self._new = list[SpeculativeCall]()
        self._values = dict[str, Term]()
        self._own = set[str]()
        self._shared = set[str]()
        self._statements = Statements()
        self.over: bool = False
        """Whether nothing more can be foreseen."""

    @property
    def end(self) -> int:
        """Up to where the text has been read."""
        return self._statements.end

    def written(self, text: str) -> list[SpeculativeCall]:
        """The calls of the statements that have been finished in the text since it was last shown here."""
        self.over = self.over or len(text) > _LONGEST or self._statements.is_tired
        statements = [] if self.over else self._statements.of(text)
        return [call for statement in statements for call in self.read(statement)]

    def read(self, statement: ast.stmt) -> list[SpeculativeCall]:
        """The calls that the next statement makes."""
        try:
            self.over = self.over or not self._only_reads(statement)
            if not self.over:
                self._statement(statement)
        except RecursionError:
            self.over = True
        new, self._new = self._new, []
        return new

    # -- whether it may act

    def _only_reads(self, statement: ast.stmt) -> bool:
        nodes = walk(statement)
        self._own.update(name for node in nodes for name in _bound_by(node))
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

    # -- statements

    def _statement(self, statement: ast.stmt) -> None:
        bound = {name for node in walk(statement) for name in _bound_by(node)}
        match statement:
            case ast.Expr(value=value):
                self._value(value)
                self._unbind(bound)
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                term = self._value(value)
                self._unbind(bound)
                self._bind(target, term)
            case _:
                self._forget(_mentioned(statement))
                self._unbind(bound)
        for node in walk(statement):
            if isinstance(node, _BODIES):
                # Anyone who calls it may change these.
                self._shared |= _mentioned(node)
                self._forget(_mentioned(node))

    def _bind(self, target: ast.expr, term: Term | Unseen) -> None:
        match target:
            case ast.Name(id=name):
                if not isinstance(term, Unseen) and name not in self._shared:
                    self._values[name] = term
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for number, part in enumerate(parts):
                    self._bind(part, UNSEEN if isinstance(term, Unseen) else _part_of(parts, term, number))
            case _:
                self._forget(_mentioned(target))

    def _unbind(self, names: Iterable[str]) -> None:
        for name in names:
            self._values.pop(name, None)

    def _forget(self, names: Iterable[str]) -> None:
        """Forget variables whose values may have been changed."""
        for name in names:
            if name in self._values:
                self._changed(self._values.pop(name))

    def _changed(self, term: Term) -> None:
        """Forget the variables that share something with what may have been changed."""
        objects = objects_of(term)
        for name in [name for name, other in self._values.items() if not objects.isdisjoint(objects_of(other))]:
            del self._values[name]

    # -- expressions

    def _value(self, node: ast.AST) -> Term | Unseen:
        """What an expression comes to, if it can be told; the calls in it are foreseen on the way."""
        match node:
            case ast.Constant(value=None | bool() | int() | float() | str() as value):
                return value if not isinstance(value, float) or isfinite(value) else UNSEEN
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return UNSEEN if isinstance(value, bool) else -value
            case ast.Name(id=name):
                return self._values.get(name, UNSEEN)
            case ast.List(elts=parts):
                return self._listed(parts)
            case ast.Dict(keys=keys, values=values):
                return self._mapped(keys, values)
            case ast.JoinedStr(values=parts):
                return self._joined(parts)
            case ast.Subscript(value=value, slice=key):
                return self._part(value, key)
            case ast.Await(value=ast.Call() as call):
                return self._awaited(call)
            case ast.ListComp():
                return self._repeated(node, awaited=True)
            case _:
                self._look_into(node)
                return UNSEEN

    def _look_into(self, node: ast.AST) -> None:
        """Foresee the calls in an expression of which nothing else is known, not even what it changes."""
        for child in _surely_evaluated(node):
            term = self._value(child)
            if not isinstance(term, Unseen) and not self._leaves_alone(node):
                self._changed(term)
        self._forget(name for child in _perhaps_evaluated(node) for name in _mentioned(child))

    def _leaves_alone(self, node: ast.AST) -> bool:
        """Whether an expression changes nothing, and gives nothing by which something could be changed."""
        match node:
            case ast.Call(func=ast.Name(id=name)):
                return name in _LEAVING_ALONE and name not in self._own
            case _:
                return isinstance(node, ast.JoinedStr | ast.FormattedValue | ast.Compare | ast.UnaryOp)

    def _listed(self, parts: list[ast.expr]) -> Term | Unseen:
        return _if_seen([self._value(part) for part in parts])

    def _mapped(self, keys: list[ast.expr | None], values: list[ast.expr]) -> Term | Unseen:
        terms = _if_seen([self._value(value) for value in values])
        names = [key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        return dict(zip(names, terms, strict=True)) if isinstance(terms, list) and len(names) == len(keys) else UNSEEN

    def _joined(self, parts: list[ast.expr]) -> Term | Unseen:
        inner = [part.value if isinstance(part, ast.FormattedValue) and _is_plain(part) else part for part in parts]
        terms = _if_seen([self._value(part) for part in inner])
        return Joined(tuple(terms)) if isinstance(terms, list) else UNSEEN

    def _part(self, value: ast.expr, key: ast.expr) -> Term | Unseen:
        whole, place = self._value(value), self._key(key)
        return UNSEEN if isinstance(whole, Unseen) or place is None else part_of(whole, place)

    def _key(self, node: ast.expr) -> Key | None:
        match node:
            case ast.Slice(lower=lower, upper=upper, step=None):
                bounds = [None if bound is None else self._value(bound) for bound in (lower, upper)]
                known = [bound for bound in bounds if bound is None or type(bound) is int]
                return slice(*known) if len(known) == len(bounds) else None
            case _:
                value = self._value(node)
                return value if isinstance(value, str | int) and not isinstance(value, bool) else None

    def _awaited(self, call: ast.Call) -> Term | Unseen:
        match call.func:
            case ast.Attribute(value=ast.Name(id='asyncio'), attr='gather') | ast.Name(id='gather'):
                return self._gathered(call)
            case ast.Name() if self._may_start(call.func.id):
                return self._called(call)
            case _:
                self._look_into(call)
                return UNSEEN

    def _gathered(self, call: ast.Call) -> Term | Unseen:
        """The list that `gather` gives."""
        terms: list[Term | Unseen] = []
        for argument in call.args:
            match argument:
                case ast.Call(func=ast.Name(id=name)) if self._may_start(name):
                    terms.append(self._called(argument))
                case ast.Starred(value=ast.ListComp() | ast.GeneratorExp() as calls):
                    several = self._repeated(calls, awaited=False)
                    terms += several if isinstance(several, list) else [UNSEEN]
                case _:
                    self._look_into(argument)
                    terms.append(UNSEEN)
        return _if_seen(terms)

    def _may_start(self, name: str) -> bool:
        return self._kind_of(name) == 'starts' and name not in self._own

    def _called(self, call: ast.Call, over: Result | None = None) -> Term | Unseen:
        """The result of a call, which is foreseen if all its arguments are known."""
        assert isinstance(call.func, ast.Name)
        args = _if_seen([self._value(argument) for argument in call.args])
        words = _if_seen([self._value(keyword.value) for keyword in call.keywords])
        names = [keyword.arg for keyword in call.keywords if keyword.arg is not None]
        if (
            isinstance(args, Unseen)
            or isinstance(words, Unseen)
            or len(names) < len(words)
            or self._count >= self._most
        ):
            return UNSEEN
        self._new.append(
            SpeculativeCall(self._count, call.func.id, tuple(args), dict(zip(names, words, strict=True)), over)
        )
        self._count += 1
        return Result(self._count - 1)

    def _repeated(self, node: ast.ListComp | ast.GeneratorExp, *, awaited: bool) -> Term | Unseen:
        """The list that a comprehension of calls gives, awaited there or by anyone who has it."""
        match node.elt, node.generators:
            case (
                ast.Await(value=ast.Call(func=ast.Name(id=name)) as call) | (ast.Call(func=ast.Name(id=name)) as call),
                [ast.comprehension(target=ast.Name(id=variable), iter=items, ifs=[], is_async=0)],
            ) if isinstance(node.elt, ast.Await) == awaited and self._may_start(name) and variable != name:
                return self._for_each(self._items(items), variable, call)
            case _:
                self._look_into(node)
                return UNSEEN

    def _for_each(self, items: Term | Unseen, variable: str, call: ast.Call) -> Term | Unseen:
        before = self._values.get(variable, UNSEEN)
        try:
            match items:
                case list() if len(items) <= self._most - self._count:
                    terms: list[Term] = []
                    for one in items:
                        if isinstance(term := self._with(variable, one, call), Unseen):
                            return UNSEEN
                        terms.append(term)
                    return terms
                case Result():
                    self._with(variable, Result(ITEM), call, over=items)
                case _:
                    self._forget(_mentioned(call))
            return UNSEEN
        finally:
            self._values.pop(variable, None)
            if not isinstance(before, Unseen):
                self._values[variable] = before

    def _with(self, variable: str, term: Term, call: ast.Call, over: Result | None = None) -> Term | Unseen:
        self._values[variable] = term
        return self._called(call, over)

    def _items(self, node: ast.expr) -> Term | Unseen:
        """What a comprehension goes through."""
        match node:
            case ast.Tuple(elts=parts):
                return self._listed(parts)
            case ast.Call(func=ast.Name(id='range'), args=arguments, keywords=[]) if 'range' not in self._own:
                return self._range([self._value(argument) for argument in arguments])
            case _:
                return self._value(node)

    def _range(self, bounds: list[Term | Unseen]) -> Term | Unseen:
        numbers = [bound for bound in bounds if type(bound) is int]
        if len(numbers) != len(bounds) or len(numbers) not in (1, 2) or abs(numbers[-1]) + abs(numbers[0]) > _FAR:
            return UNSEEN
        return [*range(*numbers)]


def _if_seen(terms: list[Term | Unseen]) -> list[Term] | Unseen:
    seen = [term for term in terms if not isinstance(term, Unseen)]
    return seen if len(seen) == len(terms) else UNSEEN


def _part_of(targets: list[ast.expr], term: Term, number: int) -> Term | Unseen:
    """What one of several targets gets of a value."""
    if any(isinstance(target, ast.Starred) for target in targets):
        return UNSEEN
    return UNSEEN if isinstance(term, list) and len(term) != len(targets) else part_of(term, number)


def _bound_by(node: ast.AST) -> Iterator[str]:
    yield from bound_by(node)
    if isinstance(node, ast.arg):
        yield node.arg


def _is_plain(part: ast.FormattedValue) -> bool:
    """Whether a part of an f-string is shown as it is."""
    return part.conversion == -1 and part.format_spec is None


def _mentioned(node: ast.AST) -> set[str]:
    return {inner.id for inner in walk(node) if isinstance(inner, ast.Name)}


def _surely_evaluated(node: ast.AST) -> list[ast.AST]:
    """The parts of an expression that are evaluated whenever it is, in the order of the text."""
    match node:
        case ast.IfExp(test=first) | ast.BoolOp(values=[first, *_]) | ast.Compare(left=first):
            return [first]
        case _:
            return [] if isinstance(node, _BODIES + _COMPREHENSIONS) else children(node)


def _perhaps_evaluated(node: ast.AST) -> list[ast.AST]:
    surely = _surely_evaluated(node)
    return [child for child in children(node) if child not in surely]


_BODIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_REACHING_ANYTHING = frozenset(
    ['__import__', 'breakpoint', 'compile', 'eval', 'exec', 'globals', 'input', 'locals', 'open', 'vars']
)
_LEAVING_ALONE = frozenset(['abs', 'bool', 'float', 'int', 'len', 'print', 'repr', 'round', 'str', 'type'])
_FAR = 10_000
_LONGEST = 20_000
