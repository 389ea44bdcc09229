"""Scripts as a graph of flows: each statement and expression becomes nodes and edges.

A variable, and a part of an object, has one node for all moments. So late-bound closures, aliases, loops and the order
in which functions run need no care; a run leaves out the calls that it has not made yet. What has no rule here goes
through `_anything`: all that is put in may come out, may be stored in all that is put in, and functions in it may be
called.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from . import library as known
from .graph import Graph, Object
from .names import Function, Scope, bound_names, imported_names, parameters

MODEL, ANYTHING, FILES = 1, 2, 4
"""The sources that each analysis has: the model's own text; what cannot be told, so any call before; files."""
FIRST = 3
"""The number of the first other source."""


class Hidden(Exception):
    """The script uses something whose effect its text does not show."""


@dataclass(eq=False)
class Site:
    """A place in a script where a tool is called."""

    tool: str
    script: int
    """The place of the script among those that were read."""
    line: int
    end: int
    """The last line of the call."""
    text: str
    """As the model wrote it."""
    bit: int
    """The source that its results are."""
    in_function: bool
    arguments: dict[str, int] = field(default_factory=dict[str, int])
    """The nodes of the arguments: by name, by place from `'0'`, and as `'*'` what may be any of them."""


@dataclass(eq=False)
class _Code:
    """A function of the script."""

    positional: list[int]
    by_name: dict[str, int]
    rest: int
    """The node of what `*args` and `**kwargs` hold."""
    result: int
    pc: int
    is_method: bool
    is_decorated: bool
    generator: Object | None


@dataclass(frozen=True)
class _Arguments:
    positional: list[int]
    named: dict[str, int]
    spread: int | None
    """What `*` and `**` give."""

    @property
    def all(self) -> list[int]:
        return [*self.positional, *self.named.values(), *([] if self.spread is None else [self.spread])]


class Reader:
    """Reads the scripts of one session, which share their variables."""

    def __init__(self, trees: Sequence[ast.Module], tools: Callable[[str], bool], *, strict: bool = False) -> None:
        self.graph = graph = Graph()
        self.sites = dict[tuple[int, str], Site]()
        """By the identity of the call's node, and the tool."""
        self.variables = dict[str, int]()
        """The sources that variables of unknown scripts are, by their names."""
        self._tools = tools
        self._strict = strict
        self._imports, self._defined, self._bound = imported_names(trees)
        self._bits = FIRST
        self.text = graph.node(MODEL)
        self.anything = graph.node(ANYTHING)
        self._world, self._earlier = graph.object(opaque=True), graph.object(opaque=True)
        graph.add(self._world.unknown, FILES, 0)
        self._raised = graph.node()
        self._codes = dict[int, _Code]()
        self._classes = dict[int, tuple[int, dict[str, list[Object]]]]()
        """By the number of a class, the node of its bases, and its functions by name."""
        self._methods = dict[str, list[Object]]()
        self._class_of = dict[int, int]()
        """By the number of an instance, the node of its class."""
        self._instances = dict[tuple[int, int], Object]()
        self._bound_methods = dict[int, int]()
        """By the number of a method that is used as a value, its object's."""
        self._method_of = dict[int, int]()
        self._tool_of = dict[int, str]()
        self._tool_nodes = dict[str, int]()
        self._nodes = [node for tree in trees for node in ast.walk(tree)]
        self._has_dunders = any(
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_dunder(node.name) for node in self._nodes
        )
        _refuse_hidden(self._nodes)
        self._results = dict[tuple[int, str], Object]()
        """By site, what its tool gives."""
        self._script_of = {id(call): place for number, tree in enumerate(trees) for call, place in _calls(tree, number)}
        self._decorated_names = {
            node.name
            for node in self._nodes
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.decorator_list
        }
        self._own_methods = _own_methods(self._nodes)
        self._printed = graph.node()
        self._scope = Scope()
        self._code: _Code | None = None
        self._pc = self._abrupt = graph.node()
        if strict and any(isinstance(node, ast.ExceptHandler | ast.With | ast.AsyncWith) for node in self._nodes):
            graph.add(self._abrupt, ANYTHING, 0)
        self.shown = list[int]()
        """By script, the node of what its result and its output show."""
        self._script = 0
        for tree in trees:
            self._bind_names(self._scope, tree.body)
        for number, tree in enumerate(trees):
            self._script = number
            self.shown.append(graph.join(self._printed, graph.node()))
            self._module(tree)
        graph.solve()

    # -- scopes and statements

    def _module(self, tree: ast.Module) -> None:
        shown = self.shown[-1]
        self._body(tree.body)
        for last in tree.body[-1:]:
            match last:
                case ast.Expr(value=value):
                    self._flow(self._value(value), shown)
                case ast.Assign(targets=[target, *_]) | ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                    if isinstance(target, ast.Name):
                        self._flow(self._load(target.id), shown)
                    else:
                        self.graph.add(shown, ANYTHING, 0)
                case _:
                    # Other statements may be rewritten to give something.
                    self.graph.add(shown, ANYTHING if any(map(_gives, tree.body)) else 0, 0)

    def _bind_names(self, scope: Scope, body: Sequence[ast.AST], also: Iterable[str] = ()) -> None:
        bound, outer = bound_names(body)
        scope.outer |= frozenset(outer)
        top = scope
        while top.parent is not None:
            top = top.parent
        for name in outer:
            if not scope.find(name):
                top.variables[name] = self.graph.node()
        for name in sorted({*bound, *also} - outer):
            if name not in scope.variables:
                scope.variables[name] = self.graph.node()

    def _body(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:  # noqa: C901
        match statement:
            case ast.Expr(value=value):
                self._unused = value
                self._value(value)
            case ast.Assign(targets=targets, value=value):
                self._assign_all(targets, value)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assign_all([target], value)
            case ast.AugAssign(target=target, value=value):
                before, more = self._value(_loaded(target)), self._value(value)
                # Containers are changed in place.
                self._store(before, self.graph.closure(more))
                self._assign(target, self._operation([before, more]))
            case ast.For() | ast.AsyncFor():
                self._for(statement)
            case ast.While(test=test, body=body, orelse=orelse):
                with self._under(self._value(test)):
                    self._body([*body, *orelse])
            case ast.If(test=test, body=body, orelse=orelse):
                with self._under(self._value(test)):
                    self._body([*body, *orelse])
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    manager = self._value(item.context_expr)
                    given = self._anything([manager, self._raised, self.anything] if self._has_dunders else [manager])
                    if item.optional_vars is not None:
                        self._assign(item.optional_vars, given)
                self._body(body)
            case ast.Try() | ast.TryStar():
                self._body(statement.body)
                for handler in statement.handlers:
                    if handler.type is not None:
                        self._value(handler.type)
                    if handler.name is not None:
                        self._bind(handler.name, self.graph.join(self._raised, self.anything))
                    self._body(handler.body)
                self._body([*statement.orelse, *statement.finalbody])
            case ast.Raise(exc=error, cause=cause):
                for part in (error, cause):
                    if part is not None:
                        self._flow(self._anything([self._value(part)]), self._raised)
                self._leaves_early()
            case ast.Assert(test=test, msg=message):
                self._flow(self._value(test), self._abrupt, objects=False)
                if message is not None:
                    self._flow(self._value(message), self._raised)
            case ast.Return(value=value):
                if value is not None:
                    self._flow(self._value(value), self.shown[-1] if self._code is None else self._code.result)
                self._leaves_early()
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._bind(statement.name, self._decorated(self._function(statement), statement.decorator_list))
            case ast.ClassDef():
                self._class(statement)
            case ast.Import() | ast.ImportFrom():
                self._import(statement)
            case ast.Match(subject=subject, cases=cases):
                self._match(self._value(subject), cases)
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Subscript):
                        self._store(self._value(target.value), self._value(target.slice))
            case ast.Break() | ast.Continue():
                self._leaves_early()
            case ast.Pass() | ast.Global() | ast.Nonlocal():
                pass
            case _:
                raise Hidden(type(statement).__name__)

    def _for(self, loop: ast.For | ast.AsyncFor) -> None:
        iterable = self._value(loop.iter)
        self._assign_items(loop.target, loop.iter, iterable)
        with self._under(iterable):
            self._body([*loop.body, *loop.orelse])

    def _assign_items(self, target: ast.expr, source: ast.expr, iterable: int) -> None:
        """Assign the items of an iterable to the target; by place where they are pairs that are made right here."""
        match target, source:
            case (
                ast.Tuple(elts=targets) | ast.List(elts=targets),
                ast.Call(func=ast.Name(id=('enumerate' | 'zip') as name), args=args, keywords=[]),
            ) if name not in self._bound and not any(isinstance(one, ast.Starred) for one in (*targets, *args)):
                if name == 'enumerate' and len(targets) == 2 and len(args) == 1:
                    self._assign(targets[0], self.text)
                    self._assign_items(targets[1], args[0], self._value(args[0]))
                    return
                if name == 'zip' and len(targets) == len(args):
                    for one, arg in zip(targets, args, strict=True):
                        self._assign_items(one, arg, self._value(arg))
                    return
            case _:
                pass
        self._assign(target, self._items(iterable))

    def _assign_all(self, targets: Sequence[ast.expr], value: ast.expr) -> None:
        parts = self._parts(value)
        if parts is None or len(targets) > 1:
            whole = self._value(value)
            for target in targets:
                self._assign(target, whole)
            return
        for target in targets:
            if (
                isinstance(target, ast.Tuple | ast.List)
                and len(parts) == len(target.elts)
                and not any(isinstance(one, ast.Starred) for one in (*parts, *target.elts))
            ):
                values = [self._value(part) for part in parts]
                for one, part in zip(target.elts, values, strict=True):
                    self._assign(one, part)
                continue
            self._assign(target, self._value(value))

    def _parts(self, value: ast.expr) -> list[ast.expr] | None:
        """The expressions of the items of a value that is written out."""
        match value:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return parts
            case ast.Await(value=ast.Call(func=function, args=args, keywords=[])) if (
                self._dotted(function) == 'asyncio.gather'
            ):
                return args
            case _:
                return None

    def _assign(self, target: ast.expr, value: int) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                items = self._items(value)
                for one in targets:
                    self._assign(
                        one.value if isinstance(one, ast.Starred) else one,
                        self._held(items) if isinstance(one, ast.Starred) else items,
                    )
            case ast.Attribute(value=base, attr=name):
                self._store_attribute(self._value(base), name, value)
            case ast.Subscript(value=base, slice=index):
                key = index.value if isinstance(index, ast.Constant) else None
                holder = self._value(base)
                self._operation([holder, self._value(index), value])
                if isinstance(key, str):
                    self._store(holder, value, key)
                else:
                    # Where something is depends on the key.
                    self._store(holder, self.graph.join(value, self.graph.closure(self._value(index))))
            case _:
                raise Hidden(type(target).__name__)

    def _bind(self, name: str, value: int) -> None:
        nodes = self._scope.find(name)
        if self._scope.is_class and name in self._scope.variables:
            nodes = [self._scope.variables[name]]
        if not nodes:
            raise Hidden(name)
        for node in nodes:
            self._flow(value, node)

    def _flow(self, value: int, node: int, *, objects: bool = True) -> None:
        """A value reaches a node, under the conditions that hold here."""
        self.graph.edge(value, node, objects=objects)
        if self._strict:
            self.graph.edge(self._pc, node, objects=False)

    @contextmanager
    def _under(self, condition: int) -> Any:
        """What is read inside depends on the condition."""
        before = self._pc
        if self._strict:
            self._pc = self.graph.node()
            self.graph.edge(before, self._pc, objects=False)
            self.graph.edge(self.graph.closure(condition), self._pc, objects=False)
        try:
            yield
        finally:
            self._pc = before

    def _leaves_early(self) -> None:
        if self._strict and self._pc != self._abrupt:
            self.graph.edge(self._pc, self._abrupt, objects=False)

    def _match(self, subject: int, cases: Sequence[ast.match_case]) -> None:
        inside = self._operation([subject])
        for case in cases:
            for node in ast.walk(case.pattern):
                match node:
                    case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                        self._bind(name, self.graph.join(subject, inside, self._held(inside)))
                    case ast.expr():
                        if not isinstance(node, ast.expr_context):
                            self._value(node)
                    case _:
                        pass
        with self._under(subject):
            for case in cases:
                if case.guard is not None:
                    with self._under(self._value(case.guard)):
                        self._body(case.body)
                else:
                    self._body(case.body)

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        for one in statement.names:
            if one.name == '*':
                raise Hidden('import *')
            name = one.asname or one.name.partition('.')[0]
            module = one.name if isinstance(statement, ast.Import) else statement.module or ''
            is_pure = module in known.READING_MODULES or module.partition('.')[0] in _NO_STATE
            self._bind(name, self.text if is_pure else self.graph.node(MODEL, self._world))
            if module == 'sys':
                self._flow(self.graph.closure(self._world.any), self._printed)

    def _function(self, function: Function) -> int:
        graph, args = self.graph, function.args
        is_method = self._scope.is_class
        one = graph.object('function')
        scope = Scope(self._scope)
        self._bind_names(
            scope, [function.body] if isinstance(function, ast.Lambda) else function.body, parameters(function)
        )
        positional = [scope.variables[arg.arg] for arg in (*args.posonlyargs, *args.args)]
        by_name = {arg.arg: scope.variables[arg.arg] for arg in (*args.args, *args.kwonlyargs)}
        rest = graph.node()
        for arg in (args.vararg, args.kwarg):
            if arg is not None:
                held = graph.object()
                graph.edge(rest, held.unknown)
                graph.add(scope.variables[arg.arg], 0, 1 << held.number)
                graph.edge(rest, scope.variables[arg.arg], objects=False)
        for node, default in zip(reversed(positional), reversed(args.defaults), strict=False):
            self._flow(self._value(default), node)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            if default is not None:
                self._flow(self._value(default), scope.variables[arg.arg])
        yields = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))
        code = _Code(
            positional,
            by_name,
            rest,
            graph.node(),
            graph.node(),
            is_method,
            bool(getattr(function, 'decorator_list', ())),
            graph.object(opaque=True) if yields else None,
        )
        if code.generator is not None:
            graph.add(code.result, 0, 1 << code.generator.number)
            graph.edge(code.result, code.generator.unknown)
        if self._strict:
            graph.edge(self._abrupt, code.pc)
        self._codes[one.number] = code
        if is_method and not isinstance(function, ast.Lambda):
            self._methods.setdefault(function.name, []).append(one)
        before = self._scope, self._code, self._pc
        self._scope, self._code, self._pc = scope, code, code.pc
        if isinstance(function, ast.Lambda):
            self._flow(self._value(function.body), code.result)
        else:
            self._body(function.body)
        self._scope, self._code, self._pc = before
        return graph.node(MODEL, one)

    def _decorated(self, value: int, decorators: Sequence[ast.expr]) -> int:
        for decorator in reversed(decorators):
            name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
            is_plain = name in known.PLAIN_DECORATORS and name.partition('.')[0] not in self._defined
            if not is_plain and not name.endswith(('.setter', '.deleter', '.getter')):
                given = self._value(decorator)
                value = self._anything([given, value])
        return value

    def _class(self, statement: ast.ClassDef) -> None:
        graph = self.graph
        if any(word.arg == 'metaclass' and ast.unparse(word.value) != 'ABCMeta' for word in statement.keywords):
            raise Hidden('metaclass')
        one = graph.object('class')
        bases = graph.join(*(self._value(base) for base in statement.bases)) if statement.bases else graph.node()
        scope = Scope(self._scope, is_class=True)
        self._bind_names(scope, statement.body)
        # Variables of the body are the attributes of the class.
        for name in scope.variables:
            graph.edge(scope.variables[name], graph.cell(one, name))
        methods = dict[str, list[Object]]()
        self._classes[one.number] = bases, methods
        before, self._scope, self._methods = (self._scope, self._methods), scope, methods
        self._body(statement.body)
        self._scope, self._methods = before
        self._bind(statement.name, self._decorated(graph.node(MODEL, one), statement.decorator_list))

    # -- expressions

    def _value(self, node: ast.expr) -> int:  # noqa: C901
        graph = self.graph
        match node:
            case ast.Constant():
                return self.text
            case ast.Name(id=name):
                return self._load(name)
            case ast.Call():
                return self._call(node)
            case ast.Await(value=inner):
                return self._value(inner)
            case ast.Attribute(value=base, attr=name):
                return self._attribute(self._value(base), name, is_value=name not in _READING)
            case ast.Subscript(value=base, slice=index):
                return self._item(self._value(base), index)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                return self._display(parts)
            case ast.Dict(keys=keys, values=values):
                return self._dict(keys, values)
            case ast.JoinedStr(values=parts):
                return self._scalar([self._value(part) for part in parts])
            case ast.FormattedValue(value=inner, format_spec=spec):
                return graph.join(self._value(inner), *([] if spec is None else [self._value(spec)]))
            case ast.BinOp(left=left, right=right):
                return self._operation([self._value(left), self._value(right)])
            case ast.UnaryOp(operand=operand):
                return self._operation([self._value(operand)])
            case ast.Compare(left=left, comparators=others):
                return self._scalar([self._value(one) for one in (left, *others)])
            case ast.BoolOp(values=[first, *others]):
                values = [self._value(first)]
                for one in others:
                    with self._under(values[-1]):
                        values.append(self._value(one))
                return self._conditional(graph.join(*values), values[0])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition = self._value(test)
                with self._under(condition):
                    return self._conditional(graph.join(self._value(body), self._value(orelse)), condition)
            case ast.NamedExpr(target=target, value=inner):
                value = self._value(inner)
                self._assign(target, value)
                return value
            case ast.Lambda():
                return self._function(node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._comprehension(node)
            case ast.Starred(value=inner):
                return self._value(inner)
            case ast.Slice(lower=lower, upper=upper, step=step):
                return self._scalar([self._value(one) for one in (lower, upper, step) if one is not None])
            case ast.Yield(value=inner):
                return self._yield(self.text if inner is None else self._value(inner))
            case ast.YieldFrom(value=inner):
                value = self._value(inner)
                return graph.join(self._yield(self._items(value)), graph.closure(value))
            case _:
                raise Hidden(type(node).__name__)

    def _load(self, name: str) -> int:
        nodes = self._scope.find(name)
        if self._tools(name):
            nodes = [*nodes, self._tool(name)]
        elif not nodes and name not in known.BUILTINS:
            if name not in self.variables:
                self.variables[name] = 1 << self._bits
                self._bits += 1
            # Variables of scripts that are not known may be one object.
            return self.graph.node(self.variables[name], self._earlier)
        elif name == 'print' and not nodes:
            self.graph.add(self._printed, ANYTHING, 0)
        return self.graph.join(*nodes) if nodes else self.text

    def _tool(self, name: str) -> int:
        if name not in self._tool_nodes:
            one = self.graph.object('tool')
            self._tool_of[one.number] = name
            self._tool_nodes[name] = self.graph.node(MODEL, one)
        return self._tool_nodes[name]

    def _conditional(self, value: int, condition: int) -> int:
        if not self._strict:
            return value
        node = self.graph.join(value, self.graph.node())
        self.graph.edge(self.graph.closure(condition), node, objects=False)
        return node

    def _held(self, items: int) -> int:
        """A container of the items."""
        one = self.graph.object()
        self.graph.edge(items, one.unknown)
        node = self.graph.node(0, one)
        self.graph.edge(items, node, objects=False)
        return node

    def _display(self, parts: Sequence[ast.expr]) -> int:
        items = [
            self._items(self._value(part)) if isinstance(part, ast.Starred) else self._value(part) for part in parts
        ]
        one = self.graph.object()
        for item in items:
            self._flow(item, one.unknown)
        return self.graph.node(MODEL, one)

    def _dict(self, keys: Sequence[ast.expr | None], values: Sequence[ast.expr]) -> int:
        one = self.graph.object('dict')
        for key, value in zip(keys, values, strict=True):
            if key is None:
                self._flow(self.graph.closure(self._value(value)), one.unknown)
            elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                self._flow(self._value(value), self.graph.cell(one, repr(key.value)))
            else:
                self._flow(self.graph.closure(self._value(key)), one.unknown)
                self._flow(self._value(value), one.unknown)
        return self.graph.node(MODEL, one)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> int:
        before, one = (self._scope, self._pc), self.graph.object()
        scope = Scope(self._scope)
        for number, part in enumerate(node.generators):
            for inner in ast.walk(part.target):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store) and inner.id not in scope.variables:
                    scope.variables[inner.id] = self.graph.node()
            iterable = self._value(part.iter)
            if number == 0:
                self._scope = scope
            self._assign_items(part.target, part.iter, iterable)
            conditions = [iterable]
            for test in part.ifs:
                conditions.append(self._value(test))
                self._deepen(conditions[-1])
            self._deepen(iterable)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        items = [self._value(part) for part in parts]
        if isinstance(node, ast.DictComp):
            # Where something is depends on the key.
            items[0] = self.graph.closure(items[0])
        for item in items:
            self._flow(item, one.unknown)
        self._scope, self._pc = before
        return self.graph.node(MODEL, one)

    def _deepen(self, condition: int) -> None:
        if self._strict:
            pc = self.graph.node()
            self.graph.edge(self._pc, pc, objects=False)
            self.graph.edge(self.graph.closure(condition), pc, objects=False)
            self._pc = pc

    def _yield(self, value: int) -> int:
        generator = None if self._code is None else self._code.generator
        if generator is None:
            raise Hidden('yield')
        self._flow(value, generator.unknown)
        return self.graph.node(0, generator)

    # -- operations

    def _scalar(self, values: Sequence[int]) -> int:
        """Something without parts, made of values."""
        node = self.graph.node(MODEL)
        for value in values:
            self.graph.edge(self.graph.closure(value), node, objects=False)
        self._dunders(values, node)
        return node

    def _operation(self, values: Sequence[int]) -> int:
        """Something made of values, which may have parts of them."""
        node = self.graph.closed([*values, self.text])
        self._dunders(values, node)
        return node

    def _reading(self, values: Sequence[int]) -> int:
        """What a function gives that makes something of its arguments, calls functions among them, changes nothing."""
        graph = self.graph
        node = graph.node()
        one = graph.object(opaque=True)
        graph.edge(self._operation(values), node)
        graph.edge(node, one.unknown)
        graph.add(node, 0, 1 << one.number)
        self._calls_back(node)
        return node

    def _anything(self, values: Sequence[int]) -> int:
        """What a function gives that may do anything with its arguments."""
        graph = self.graph
        node = graph.closed([*values, self.text])
        # What is stored in it later is found through the objects.
        graph.watch(node, lambda number: graph.edge(graph.objects[number].any, node))
        if self._strict:
            graph.edge(self._pc, node, objects=False)
        graph.watch(node, lambda number: graph.edge(node, graph.objects[number].unknown))
        self._dunders(values, node)
        self._calls_back(node)
        return node

    def _calls_back(self, node: int) -> None:
        """Functions among these values may be called, with any of them, and what they give is one of them."""
        graph, pc, called = self.graph, self._pc, self._call_text

        def found(number: int) -> None:
            if number in self._codes:
                self._enter(self._codes[number], _Arguments([], {}, node), node, pc)
            elif number in self._classes:
                graph.edge(self._instance(number, called[0] if called else None, _Arguments([], {}, node), pc), node)
            elif number in self._tool_of:
                graph.edge(self._reached(number, called, {'*': node}), node)
            elif number in self._class_of:
                graph.watch(self._class_of[number], lambda kind: graph.edge(graph.objects[kind].any, node))
            elif number in self._bound_methods:
                graph.edge(node, graph.objects[self._bound_methods[number]].unknown)

        graph.watch(node, found)

    def _dunders(self, values: Sequence[int], result: int) -> None:
        """An operation may call the special methods of its operands' classes."""
        if not self._has_dunders:
            return
        graph, pc = self.graph, self._pc
        operands = graph.closure(graph.join(*values, self.text))

        def methods_of(kind: int) -> None:
            if kind not in self._classes:
                return
            bases, methods = self._classes[kind]
            for name, objects in methods.items():
                for one in objects if _is_dunder(name) else ():
                    self._enter(self._codes[one.number], _Arguments([], {}, operands), result, pc)
            graph.watch(bases, methods_of)

        def found(number: int) -> None:
            if number in self._class_of:
                graph.watch(self._class_of[number], methods_of)
            elif number in self._classes:
                methods_of(number)

        for value in values:
            graph.watch(value, found)

    def _items(self, value: int) -> int:
        """What iterating gives."""
        graph, node = self.graph, self.graph.node()
        graph.edge(value, node, objects=False)
        graph.watch(value, lambda number: graph.edge(graph.objects[number].any, node))
        if self._has_dunders:
            self._dunders([value], node)
            # An iterator of the script's own gives what its methods give.
            return graph.closure(node)
        return node

    def _item(self, base: int, index: ast.expr) -> int:
        graph, key = self.graph, self._value(index)
        if isinstance(index, ast.Slice):
            return self._operation([base, key])
        node = graph.node()
        graph.edge(base, node, objects=False)
        graph.edge(graph.closure(key), node, objects=False)
        name = repr(index.value) if isinstance(index, ast.Constant) and isinstance(index.value, str) else None
        if isinstance(index, ast.Constant) and isinstance(index.value, int | str):
            graph.watch(base, lambda number: self._read(graph.objects[number], name, node))
        else:
            # A slice may be in a variable: what it gives is a container of the same items.
            graph.edge(base, node)
            graph.watch(base, lambda number: graph.edge(graph.objects[number].any, node))
        self._dunders([base, key], node)
        return node

    def _read(self, one: Object, key: str | None, node: int) -> None:
        if key is None or one.kind != 'dict':
            self.graph.edge(one.any, node)
        else:
            self.graph.edge(self.graph.cell(one, key), node)
            self.graph.edge(one.unknown, node)

    def _store(self, base: int, value: int, key: str | None = None) -> None:
        """Store a value in the objects of another, under a key where that is known."""
        graph, pc = self.graph, self._pc

        def found(number: int) -> None:
            one = graph.objects[number]
            cell = one.unknown if key is None or one.kind != 'dict' else graph.cell(one, repr(key))
            graph.edge(value, cell)
            if self._strict:
                graph.edge(pc, cell, objects=False)

        graph.watch(base, found)

    # -- attributes

    def _attribute(self, base: int, name: str, *, is_value: bool = False) -> int:
        graph, node, pc = self.graph, self.graph.node(), self._pc
        graph.edge(base, node, objects=False)

        def found(number: int) -> None:
            one = graph.objects[number]
            if number in self._class_of:
                graph.edge(graph.cell(one, name), node)
                graph.edge(one.unknown, node)
                owner = graph.node(0, one)
                graph.watch(self._class_of[number], lambda kind: self._class_attribute(kind, name, node, owner, pc))
            elif number in self._classes:
                self._class_attribute(number, name, node, None, pc)
            elif one.kind == 'function':
                graph.edge(one.any, node)
            else:
                graph.edge(one.any, node)
                graph.add(node, 0, 1 << number)
                if is_value:
                    graph.add(node, 0, 1 << self._bound_method(number))

        graph.watch(base, found)
        if name in known.ERROR_NAMES:
            graph.edge(self._raised, node)
            graph.edge(self.anything, node)
        return node

    def _class_attribute(self, kind: int, name: str, node: int, owner: int | None, pc: int) -> None:
        """What a class has under a name reaches the node; `owner` is the object that is asked for it."""
        graph = self.graph
        if kind not in self._classes:
            graph.edge(graph.objects[kind].any, node)
            return
        bases, methods = self._classes[kind]
        graph.edge(graph.cell(graph.objects[kind], name), node)
        graph.edge(graph.objects[kind].unknown, node)
        if owner is not None:
            for code in (self._codes[method.number] for method in methods.get(name, ())):
                for parameter in code.positional[:1]:
                    graph.edge(owner, parameter)
                if code.is_decorated:
                    self._enter(code, _Arguments([owner], {}, None), node, pc)
            if name not in methods:
                # `name = property(...)`
                made, loose = graph.cell(graph.objects[kind], name), _Arguments([], {}, owner)
                self._each_code(made, lambda code: self._enter(code, loose, node, pc))
        graph.watch(bases, lambda base: self._class_attribute(base, name, node, owner, pc))

    def _bound_method(self, number: int) -> int:
        """A method of an object that is used as a value: what gets it can call it."""
        if number in self._bound_methods:
            return number
        if number not in self._method_of:
            method = self.graph.object()
            self.graph.add(method.unknown, 0, 1 << number)
            self._bound_methods[method.number], self._method_of[number] = number, method.number
        return self._method_of[number]

    def _each_code(self, node: int, enter: Callable[[_Code], None]) -> None:
        """Do something with each function that is in these values."""

        def found(number: int) -> None:
            if number in self._codes:
                enter(self._codes[number])

        self.graph.watch(self.graph.closure(node), found)

    def _store_attribute(self, base: int, name: str, value: int) -> None:
        graph, pc = self.graph, self._pc

        def of_class(kind: int, instance: int) -> None:
            if kind in self._classes:
                bases, methods = self._classes[kind]
                for method in methods.get(name, ()):
                    owner = graph.node(0, graph.objects[instance])
                    self._enter(self._codes[method.number], _Arguments([owner, value], {}, None), graph.node(), pc)
                both = graph.join(value, graph.node(0, graph.objects[instance]))
                if name not in methods:
                    cell = graph.cell(graph.objects[kind], name)
                    self._each_code(cell, lambda code: self._enter(code, _Arguments([], {}, both), graph.node(), pc))
                graph.watch(bases, lambda base: of_class(base, instance))

        def found(number: int) -> None:
            one = graph.objects[number]
            cell = graph.cell(one, name) if number in self._class_of or number in self._classes else one.unknown
            graph.edge(value, cell)
            if self._strict:
                graph.edge(pc, cell, objects=False)
            if number in self._class_of:
                graph.watch(self._class_of[number], lambda kind: of_class(kind, number))

        graph.watch(base, found)

    # -- calls

    _unused: ast.expr | None = None
    """An expression whose value is not used."""
    _call_text: tuple[ast.Call, ...] = ()
    """The call that is being read."""

    def _call(self, call: ast.Call) -> int:
        before, self._call_text = self._call_text, (call,)
        arguments = self._arguments(call)
        self._call_text = (call,)
        result = self._called(call, arguments)
        self._call_text = before
        if any(word.arg in known.ERROR_NAMES for word in call.keywords):
            result = self.graph.join(result, self._raised, self.anything)
        return result

    def _arguments(self, call: ast.Call) -> _Arguments:
        positional, named, spread = list[int](), dict[str, int](), list[int]()
        for one in call.args:
            if isinstance(one, ast.Starred):
                spread.append(self._items(self._value(one.value)))
            elif spread:
                spread.append(self._value(one))
            else:
                positional.append(self._value(one))
        for word in call.keywords:
            if word.arg is None:
                spread.append(self.graph.closure(self._value(word.value)))
            else:
                named[word.arg] = self._value(word.value)
        return _Arguments(positional, named, self.graph.join(*spread) if spread else None)

    def _called(self, call: ast.Call, arguments: _Arguments) -> int:
        function, values = call.func, arguments.all
        match function:
            case ast.Name(id=name) if name not in self._bound and name in known.BUILTINS and not self._tools(name):
                return self._builtin(name, call, arguments)
            case ast.Name(id=name) if name in self._defined or (name not in self._bound and self._tools(name)):
                return self._dispatch(self._load(name), call, arguments, is_known=self._is_plain(name))
            case _:
                pass
        dotted = self._dotted(function)
        module, _, last = dotted.rpartition('.')
        if module in known.READING_MODULES and last not in known.CHANGING_FUNCTIONS | known.ERROR_NAMES:
            return self._reading(values)
        if not isinstance(function, ast.Attribute):
            return self._dispatch(self._value(function), call, arguments, is_known=False)
        base = self._value(function.value)
        result = self._dispatch(self._attribute(base, function.attr), call, arguments, is_known=True)
        if function.attr == 'get' and call.args and isinstance(call.args[0], ast.Constant) and not call.keywords:
            return self.graph.join(result, self._item(base, call.args[0]), *arguments.positional[1:])
        if function.attr in self._own_methods:
            base = self._not_own(base)
        return self.graph.join(result, self._method(function.attr, base, arguments, call))

    def _not_own(self, base: int) -> int:
        """The value, without objects of the script's classes."""
        graph, node = self.graph, self.graph.node()
        graph.edge(base, node, objects=False)
        graph.watch(base, lambda number: None if number in self._class_of else graph.add(node, 0, 1 << number))
        return node

    def _is_plain(self, name: str) -> bool:
        return name not in self._decorated_names and (bool(self._scope.find(name)) or self._tools(name))

    def _builtin(self, name: str, call: ast.Call, arguments: _Arguments) -> int:
        values = arguments.all
        if name == 'print' and not {word.arg for word in call.keywords} - {'sep', 'end', 'flush'}:
            # A function may print in a later script.
            self._flow(self._scalar(values), self.shown[-1] if self._code is None else self._printed)
            return self.text
        if name == 'super':
            first = self._code.positional[:1] if self._code is not None else []
            return first[0] if first else self.anything
        if name == 'getattr' and len(call.args) > 1 and isinstance(call.args[1], ast.Constant):
            found = self._attribute(arguments.positional[0], str(call.args[1].value))
            return self.graph.join(found, *arguments.positional[2:])
        if name == 'getattr':
            raise Hidden(name)
        if name in known.SCALAR_FUNCTIONS:
            return self._scalar(values)
        if name in known.READING_FUNCTIONS:
            return self._reading(values)
        return self._anything([*values, self.graph.node(0, self._world)] if name in ('open', 'input') else values)

    def _method(self, name: str, base: int, arguments: _Arguments, call: ast.Call) -> int:
        """What a method of a value gives that is no object of the script's own classes."""
        values = [base, *arguments.all]
        if name in known.SCALAR_METHODS:
            return self._scalar(values)
        if name in known.READING_METHODS:
            return self._reading(values)
        if name in known.STORING_METHODS:
            if arguments.all:
                self._store(base, self.graph.closure(self.graph.join(*arguments.all)))
            node = self.text if call is self._unused and not self._has_dunders else self._operation(values)
            if name == 'sort':
                # The order depends on what the key gives.
                ordered = self._operation(values)
                self._calls_back(ordered)
                self._store(base, ordered)
            return node
        return self._anything(values)

    def _dispatch(self, function: int, call: ast.Call, arguments: _Arguments, *, is_known: bool) -> int:
        """Call what the value is; where that is not only functions of the script, it may be anything else too."""
        graph, pc, result = self.graph, self._pc, self.graph.node(MODEL)
        graph.edge(function, result, objects=False)

        def found(number: int) -> None:
            if number in self._codes:
                self._enter(self._codes[number], arguments, result, pc)
            elif number in self._classes:
                graph.edge(self._instance(number, call, arguments, pc), result)
            elif number in self._tool_of:
                places = {str(place): node for place, node in enumerate(arguments.positional)}
                spread = {} if arguments.spread is None else {'*': arguments.spread}
                graph.edge(self._reached(number, (call,), {**places, **arguments.named, **spread}), result)

        graph.watch(function, found)
        self._dunders([function, *arguments.all], result)
        if not is_known:
            graph.edge(self._anything([function, *arguments.all]), result)
        return result

    def _enter(self, code: _Code, arguments: _Arguments, result: int, pc: int) -> None:
        """Call a function of the script."""
        graph, loose = self.graph, arguments.spread
        if self._strict:
            graph.edge(pc, code.pc, objects=False)
        graph.edge(code.result, result)
        for place, value in enumerate(arguments.positional):
            # A method may have got its object before.
            for shifted in (place, place + 1) if code.is_method else (place,):
                graph.edge(value, code.positional[shifted] if shifted < len(code.positional) else code.rest)
        for name, value in arguments.named.items():
            graph.edge(value, code.by_name.get(name, code.rest))
        if loose is not None:
            for parameter in {*code.positional, *code.by_name.values(), code.rest}:
                graph.edge(loose, parameter)

    def _instance(self, kind: int, call: ast.Call | None, arguments: _Arguments, pc: int) -> int:
        """Make an object of a class of the script."""
        graph, key = self.graph, (kind, id(call))
        if key not in self._instances:
            one = self._instances[key] = graph.object('instance')
            self._class_of[one.number] = graph.node(0, graph.objects[kind])
        one = self._instances[key]
        made = graph.node(MODEL, one)
        has_init = False
        for name in ('__init__', '__post_init__'):
            for method in self._classes[kind][1].get(name, ()):
                has_init = has_init or name == '__init__'
                given = arguments if name == '__init__' else _Arguments([], {}, None)
                self._enter(self._codes[method.number], _behind(given, made), graph.node(), pc)
        if not has_init:
            self._init_of_bases(self._classes[kind][0], arguments, made, pc)
            for place in arguments.positional:
                graph.edge(place, one.unknown)
            for name, value in arguments.named.items():
                graph.edge(value, graph.cell(one, name))
            if arguments.spread is not None:
                graph.edge(arguments.spread, one.unknown)
        return made

    def _init_of_bases(self, bases: int, arguments: _Arguments, made: int, pc: int) -> None:
        def found(kind: int) -> None:
            if kind in self._classes:
                for name in ('__init__', '__post_init__'):
                    for method in self._classes[kind][1].get(name, ()):
                        given = arguments if name == '__init__' else _Arguments([], {}, None)
                        self._enter(self._codes[method.number], _behind(given, made), self.graph.node(), pc)
                self.graph.watch(self._classes[kind][0], found)

        self.graph.watch(bases, found)

    def _reached(self, tool: int, call: tuple[ast.Call, ...], arguments: dict[str, int]) -> int:
        """A tool is called."""
        graph, name = self.graph, self._tool_of[tool]
        if not call:
            raise Hidden(name)
        node = call[0]
        key = id(node), name
        site = self.sites.get(key)
        if site is None:
            text = ast.unparse(node)
            line, end = node.lineno, node.end_lineno or node.lineno
            bit, self._bits = 1 << self._bits, self._bits + 1
            script, is_inside = self._script_of[id(node)]
            site = self.sites[key] = Site(name, script, line, end, text, bit, is_inside)
            one = self._results[key] = graph.object(opaque=True)
            graph.add(one.unknown, bit | MODEL, 0)
        one = self._results[key]
        for place, value in arguments.items():
            known_place = site.arguments.setdefault(place, graph.node())
            graph.edge(value, known_place)
            # What a tool gives depends on what it got.
            graph.edge(graph.closure(value), one.unknown, objects=False)
        result = graph.node(0, one)
        graph.edge(one.any, result, objects=False)
        return result

    def _dotted(self, node: ast.expr) -> str:
        """The name of what an import gave, with its module; empty where it may be something else."""
        match node:
            case ast.Name(id=name):
                return self._imports.get(name, '')
            case ast.Attribute(value=base, attr=name):
                dotted = self._dotted(base)
                return f'{dotted}.{name}' if dotted else ''
            case _:
                return ''


def _own_methods(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names of methods of classes; none where a class may have got methods of a class that is not the script's."""
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    names = {one.name for one in classes}
    if any(not isinstance(base, ast.Name) or base.id not in names for one in classes for base in one.bases):
        return frozenset()
    bodies = [node for one in classes for node in one.body]
    return frozenset(node.name for node in bodies if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _calls(tree: ast.Module, script: int) -> Iterator[tuple[ast.Call, tuple[int, bool]]]:
    """The calls of a script, with its number, and whether they are in a function."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, inside = waiting.pop()
        if isinstance(node, ast.Call):
            yield node, (script, inside)
        inside = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += [(child, inside) for child in ast.iter_child_nodes(node)]


def _behind(arguments: _Arguments, first: int) -> _Arguments:
    """The arguments, behind another one."""
    return _Arguments([first, *arguments.positional], arguments.named, arguments.spread)


def _loaded(target: ast.expr) -> ast.expr:
    """The target of an augmented assignment, as an expression that reads it."""
    match target:
        case ast.Name(id=name):
            return ast.copy_location(ast.Name(name, ast.Load()), target)
        case _:
            return target


def _refuse_hidden(nodes: Iterable[ast.AST]) -> None:
    for node in nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) | ast.FunctionDef(name=name):
                if name in known.HIDDEN_NAMES:
                    raise Hidden(name)
            case _:
                pass


_READING = known.READING_METHODS | known.SCALAR_METHODS


def _is_dunder(name: str) -> bool:
    return name.startswith('__') and name.endswith('__') and name not in ('__init__', '__post_init__')


def _gives(statement: ast.stmt) -> bool:
    return not isinstance(
        statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
    )


_NO_STATE = ('functools', 'bisect', 'heapq', 'contextlib', 'abc', 'collections')
