"""Turns scripts into a graph of flows: each statement and expression becomes nodes and edges.

Each class extends the one it needs: `ValueFlows`, `CallableFlows`, `PlaceFlows`, `ExpressionFlows`, `ScriptReader`.
A variable or a part of an object has one node for its whole lifetime. So late-bound closures, aliases, loops and the
order in which functions run need no special care; a run excludes the calls that it has not made yet. Anything without a
rule here goes through `_anything`: the result may be any input, any input may be stored in any other, and functions
among them may be called.
"""

import ast
from collections.abc import Callable, Collection, Iterable, Sequence

from . import library as known
from .callables import Arguments
from .expressions import ExpressionFlows
from .names import VariableScope
from .overview import Hidden, Overview
from .values import ANYTHING, MODEL


class ScriptReader(ExpressionFlows):
    """Analyses the scripts of one session, which share their variables."""

    def __init__(
        self,
        trees: Sequence[ast.Module],
        tools: Callable[[str], bool],
        *,
        strict: bool,
        earlier: Collection[str] | None,
    ) -> None:
        super().__init__(Overview(trees), tools, strict=strict)
        scope, self._has_earlier = self._scope, earlier is not None
        for tree in trees:
            self._bind_names(scope, tree)
        for name in scope.variables:
            # Until the scripts bind them, names of builtins refer to these.
            if name in known.BUILTINS or name in (earlier or ()):
                before = self.graph.node(MODEL, self._outer) if name in known.BUILTINS else self._unknown(name)
                self.graph.edge(before, scope.variables[name])
                if self._is_in_order(name):
                    scope.now[name] = before
        for tree in trees:
            self.shown.append(self.graph.join(self._printed, self.graph.node()))
            # A script may fail at any point, and the next one sees what it has bound by then.
            if tree is trees[-1]:
                self._module(tree)
            else:
                with self._out_of_order(tree):
                    self._module(tree)
        self.graph.propagate()
        while self._unread:
            self._read_code(self._unread.pop())
            self.graph.propagate()

    def _module(self, tree: ast.Module) -> None:
        shown = self.shown[-1]
        self._body(tree.body[:-1])
        for last in tree.body[-1:]:
            if isinstance(last, ast.Expr):
                self._flow(self._value(last.value), shown)
                return
            self._statement(last)
            match last:
                case ast.Assign(targets=[ast.Name(id=name), *_]):
                    self._flow(self._load(name), shown)
                case ast.AugAssign(target=ast.Name(id=name)) | ast.AnnAssign(target=ast.Name(id=name)):
                    self._flow(self._load(name), shown)
                case _:
                    # Other statements may be rewritten to return something.
                    is_plain = all(isinstance(statement, _DEFINITIONS) for statement in tree.body)
                    self.graph.add(shown, 0 if is_plain else ANYTHING, 0)

    def _body(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(value=value):
                self._unused = value
                self._value(value)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Delete():
                self._assignment(statement)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._bind(statement.name, self._decorated(self._function(statement), statement.decorator_list))
            case ast.ClassDef():
                self._class(statement)
            case ast.Import() | ast.ImportFrom():
                self._import(statement)
            case ast.Raise() | ast.Assert() | ast.Return() | ast.Break() | ast.Continue():
                self._exit(statement)
            case ast.If() | ast.While() | ast.For() | ast.AsyncFor():
                self._branch(statement)
            case ast.With() | ast.AsyncWith():
                with self._out_of_order(statement):
                    self._with(statement)
            case ast.Try() | ast.TryStar():
                self._try(statement)
            case ast.Match(subject=subject, cases=cases):
                value = self._value(subject)
                with self._out_of_order(statement) as merged:
                    self._match(value, cases, merged)
            case ast.Pass() | ast.Global() | ast.Nonlocal():
                pass
            case _:
                raise Hidden(type(statement).__name__)

    def _assignment(self, statement: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete) -> None:
        match statement:
            case ast.Assign(targets=targets, value=value):
                is_unpacked = all(isinstance(target, ast.Tuple) for target in targets)
                whole = self._unpacked(value) if is_unpacked else self._value(value)
                for target in targets:
                    self._assign(target, whole)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assign(target, self._value(value))
            case ast.AugAssign(target=target, value=value):
                before, more = self._value(target), self._value(value)
                # Containers are modified in place.
                self._store(before, self.graph.closure(more))
                self._assign(target, self._combined([before, more]))
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Subscript):
                        self._store(self._value(target.value), self._key(target.slice))
                    elif isinstance(target, ast.Attribute):
                        # A property may define what happens.
                        self._store_attribute(self._value(target.value), target.attr, self.text)

    def _exit(self, statement: ast.Raise | ast.Assert | ast.Return | ast.Break | ast.Continue) -> None:
        match statement:
            case ast.Raise(exc=error, cause=cause):
                for part in (error, cause):
                    if part is not None:
                        self._flow(self._anything([self._value(part)]), self._raised)
            case ast.Assert(test=test, msg=message):
                self.graph.shallow(self._value(test), self._abrupt)
                if message is not None:
                    self._flow(self._value(message), self._raised)
            case ast.Return(value=value):
                if value is not None:
                    returned = self._value(value)
                    self._flow(returned, self.shown[-1] if self._code is None else self._code.result)
                    if self._code is not None and self._code.generator is not None:
                        # `StopIteration` holds what a generator returns.
                        self.graph.edge(returned, self._errors.unknown)
            case ast.Break() | ast.Continue():
                pass
        if self._strict:
            self.graph.shallow(self._pc, self._abrupt)

    def _branch(self, statement: ast.If | ast.While | ast.For | ast.AsyncFor) -> None:
        if not isinstance(statement, ast.If):
            self._loop(statement)
            return
        scope, before = self._scope, dict(self._scope.now)
        with self._under(self._value(statement.test)):
            self._body(statement.body)
            scope.now, other = before, scope.now
            self._body(statement.orelse)
        for name, node in other.items():
            here = scope.now.setdefault(name, node)
            if here != node:
                scope.now[name] = self.graph.join(here, node)

    def _loop(self, statement: ast.While | ast.For | ast.AsyncFor) -> None:
        items = self.text if isinstance(statement, ast.While) else self._iterated(statement.iter)
        with self._out_of_order(statement):
            if isinstance(statement, ast.While):
                condition = self._value(statement.test)
            else:
                condition = items
                self._assign(statement.target, items)
            with self._under(condition):
                self._body([*statement.body, *statement.orelse])

    def _with(self, statement: ast.With | ast.AsyncWith) -> None:
        for item in statement.items:
            manager = self._value(item.context_expr)
            given = self._anything([manager])
            if item.optional_vars is not None:
                self._assign(item.optional_vars, given)
        self._body(statement.body)

    def _try(self, statement: ast.Try | ast.TryStar) -> None:
        with self._out_of_order(statement) as merged:
            self._body([*statement.body, *statement.orelse])
            for handler in statement.handlers:
                self._scope.now.update(merged)
                if handler.type is not None:
                    self._value(handler.type)
                if handler.name is not None:
                    self._bind(handler.name, self.graph.join(self._raised, self.anything))
                self._body(handler.body)
            self._scope.now.update(merged)
            self._body(statement.finalbody)

    def _match(self, subject: int, cases: Sequence[ast.match_case], merged: dict[str, int]) -> None:
        inside = self._reading([subject])
        for case in cases:
            for node in ast.walk(case.pattern):
                match node:
                    case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                        self._bind(name, self.graph.join(subject, inside))
                    case ast.expr():
                        self._value(node)
                    case _:
                        pass
        with self._under(subject):
            for case in cases:
                self._scope.now.update(merged)
                guard = self.graph.node() if case.guard is None else self._value(case.guard)
                with self._under(guard):
                    self._body(case.body)

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        for one in statement.names:
            if one.name == '*':
                raise Hidden('import *')
            name = one.asname or one.name.partition('.')[0]
            module = one.name if isinstance(statement, ast.Import) else statement.module or ''
            if module in known.READING_MODULES:
                meant = self._outer
            else:
                meant = self._changers if module.partition('.')[0] in known.STATELESS_MODULES else self._world
            self._bind(name, self.graph.node(MODEL, meant))
            if module == 'sys':
                self._flow(self._scalar([self._world.any]), self._printed)

    def _class(self, statement: ast.ClassDef) -> None:
        graph, one = self.graph, self.graph.object('class')
        bases = graph.join(*(self._value(base) for base in statement.bases)) if statement.bases else graph.node()
        scope = VariableScope(self._scope, 'class')
        self._bind_names(scope, statement)
        # Variables of the body become attributes of the class.
        for name in scope.variables:
            graph.edge(scope.variables[name], graph.cell(one, name))
        self._classes[one.number] = bases
        if '__init__' not in scope.variables:
            self._fields[one.number] = self._fields_of(statement)
        before, self._scope = self._scope, scope
        self._body(statement.body)
        self._scope = before
        if any(self._overview.dotted(base).startswith('enum.') for base in statement.bases):
            members = self._instance(one.number, None, Arguments([], {}, one.any), self._pc)
            graph.edge(members, one.unknown)
        self._bind(statement.name, self._decorated(graph.node(MODEL, one), statement.decorator_list))

    def _decorated(self, value: int, decorators: Sequence[ast.expr]) -> int:
        for decorator in reversed(decorators):
            function = decorator.func if isinstance(decorator, ast.Call) else decorator
            match function:
                case ast.Attribute(value=ast.Name(id=name), attr='setter' | 'deleter' | 'getter'):
                    is_plain = self._scope.kind == 'class' and name in self._scope.variables
                case _:
                    is_plain = self._overview.dotted(function) in known.PLAIN_DECORATORS
            if not is_plain:
                value = self._anything([self._value(decorator), value])
        return value

    def _fields_of(self, statement: ast.ClassDef) -> list[str]:
        """Return the positional fields of a dataclass, if its definition is simple enough."""
        decorators = [self._overview.dotted(node) for node in statement.decorator_list]
        fields = [part for part in statement.body if isinstance(part, ast.AnnAssign)]
        text = ''.join(map(ast.unparse, fields))
        is_plain = decorators == ['dataclasses.dataclass'] and not statement.bases
        if not is_plain or 'ClassVar' in text or 'init' in text or 'KW_ONLY' in text:
            return []
        return list(dict.fromkeys(ast.unparse(part.target) for part in fields))


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
