"""Expressions, calls, and functions, whether defined by `lambda` or `def`."""

import ast
from abc import abstractmethod
from collections.abc import Iterable, Sequence

from . import library as known
from .callables import Arguments, FunctionDefinition, FunctionReading
from .names import Function, VariableScope
from .overview import Hidden, is_hidden
from .places import PlaceFlows
from .values import MODEL


class ExpressionFlows(PlaceFlows):
    _has_earlier = False
    """Whether scripts that are not analysed may have set variables."""
    _unused: ast.expr | None = None
    """An expression whose value is discarded."""

    @abstractmethod
    def _body(self, body: Iterable[ast.stmt]) -> None:
        """Analyse statements."""

    def _value(self, node: ast.expr) -> int:
        match node:
            case ast.Constant():
                return self.text
            case ast.Name(id=name):
                return self._load(name)
            case ast.Attribute(value=base, attr=name):
                is_value = name not in known.PURE_METHODS and not self._only_reads(self._overview.dotted(node))
                return self._attribute(self._value(base), name, is_value=is_value)
            case ast.Subscript(value=base, slice=index):
                return self._item(self._value(base), index)
            case ast.Call():
                return self._call(node)
            case ast.Await(value=inner) | ast.Starred(value=inner):
                return self._value(inner)
            case ast.NamedExpr(target=target, value=inner):
                value = self._value(inner)
                self._assign(target, value)
                return value
            case ast.BoolOp() | ast.IfExp():
                return self._choice(node)
            case ast.Lambda():
                return self._function(node)
            case ast.Yield() | ast.YieldFrom():
                return self._yield(node)
            case _:
                return self._made(node)

    def _choice(self, node: ast.BoolOp | ast.IfExp) -> int:
        if isinstance(node, ast.IfExp):
            condition = self._value(node.test)
            with self._under(condition):
                return self._conditional(self.graph.join(self._value(node.body), self._value(node.orelse)), condition)
        values = [self._value(node.values[0])]
        for one in node.values[1:]:
            with self._under(values[-1]):
                values.append(self._value(one))
        return self._conditional(self.graph.join(*values), values[0])

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> int:
        given = self.text if node.value is None else self._value(node.value)
        value = self._items(given) if isinstance(node, ast.YieldFrom) else given
        generator = None if self._code is None else self._code.generator
        if generator is None:
            raise Hidden('yield')
        self._flow(value, generator.unknown)
        sent = self.graph.node(0, generator)
        return self.graph.join(sent, self.graph.closure(given)) if isinstance(node, ast.YieldFrom) else sent

    def _made(self, node: ast.expr) -> int:
        match node:
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                is_tuple = isinstance(node, ast.Tuple) and not any(isinstance(part, ast.Starred) for part in parts)
                return self._tuple([*map(self._value, parts)]) if is_tuple else self._display(parts)
            case ast.Dict(keys=keys, values=values):
                return self._dict(keys, values)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._comprehension(node)
            case ast.JoinedStr(values=parts):
                return self._scalar([self._value(part) for part in parts])
            case ast.FormattedValue(value=inner, format_spec=spec):
                return self.graph.join(self._value(inner), *([] if spec is None else [self._value(spec)]))
            case ast.BinOp(left=left, right=right):
                return self._combined([self._value(left), self._value(right)])
            case ast.UnaryOp(operand=operand):
                return self._combined([self._value(operand)])
            case ast.Compare(left=left, comparators=others):
                return self._scalar([self._value(one) for one in (left, *others)])
            case ast.Slice(lower=lower, upper=upper, step=step):
                return self._scalar([self._value(one) for one in (lower, upper, step) if one is not None])
            case _:
                raise Hidden(type(node).__name__)

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
        scope = VariableScope(self._scope, 'generator' if isinstance(node, ast.GeneratorExp) else 'comprehension')
        for number, part in enumerate(node.generators):
            for name in sorted(self._overview.binds[part] - scope.variables.keys()):
                scope.variables[name] = self.graph.node()
            items = self._iterated(part.iter)
            if number == 0:
                self._scope = scope
            self._assign(part.target, items)
            for test in part.ifs:
                self._deepen(self._value(test))
            self._deepen(items)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        items = [self._value(part) for part in parts]
        if isinstance(node, ast.DictComp):
            # The position of an item depends on its key.
            items[0] = self.graph.closure(items[0])
        for item in items:
            self._flow(item, one.unknown)
        self._scope, self._pc = before
        return self.graph.node(MODEL, one)

    def _function(self, function: Function) -> int:
        graph, args = self.graph, function.args
        defaults: dict[str, int] = {}
        pairs = [
            *zip(reversed([*args.posonlyargs, *args.args]), reversed(args.defaults), strict=False),
            *zip(args.kwonlyargs, args.kw_defaults, strict=True),
        ]
        for arg, default in pairs:
            if default is not None:
                defaults[arg.arg] = graph.node()
                self._flow(self._value(default), defaults[arg.arg])
        one, is_method = graph.object('function'), self._scope.kind == 'class'
        definition = FunctionDefinition(
            function, self._scope, is_method, defaults, function in self._overview.generators
        )
        self._codes[one.number] = self._code_of(definition)
        return graph.node(MODEL, one)

    def _read_code(self, code: FunctionReading) -> None:
        before = self._scope, self._code, self._pc, self._call_text, self._unused
        self._scope, self._code, self._pc = code.scope, code, code.pc
        match code.definition.function:
            case ast.Lambda(body=value):
                self._flow(self._value(value), code.result)
            case function:
                self._body(function.body)
        self._scope, self._code, self._pc, self._call_text, self._unused = before

    def _call(self, call: ast.Call) -> int:
        before, self._call_text = self._call_text, call
        arguments = self._arguments(call)
        self._call_text = call
        result = self._called(call, arguments)
        self._call_text = before
        if not known.ERROR_NAMES.isdisjoint(arguments.named):
            result = self.graph.join(result, self._raised, self.anything)
        return result

    def _arguments(self, call: ast.Call) -> Arguments:
        positional: list[int] = []
        named: dict[str, int] = {}
        spread: list[int] = []
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
        return Arguments(positional, named, self.graph.join(*spread) if spread else None)

    def _called(self, call: ast.Call, arguments: Arguments) -> int:
        function = call.func
        if isinstance(function, ast.Name) and function.id not in self._overview.bound:
            if self._tools(function.id):
                return self._reached(function.id, call, arguments)
            if function.id in known.BUILTINS:
                return self._builtin(function.id, call, arguments)
        dotted = self._overview.dotted(function)
        if dotted == 'asyncio.gather':
            return self._held(self.graph.join(*arguments.all, self.graph.node(MODEL)))
        if dotted == 'json.dump' and len(arguments.positional) == 2:
            self._store(arguments.positional[1], self._reading(arguments.all))
            return self.text
        if self._only_reads(dotted):
            return self._read_by(dotted, call, arguments)
        if not isinstance(function, ast.Attribute):
            return self._dispatch(self._value(function), call, arguments)
        name, base, results = function.attr, self._value(function.value), list[int]()
        if name not in known.METHODS or self._overview.may_define(name):
            results.append(self._dispatch(self._attribute(base, name), call, arguments, owner=base))
        if name == 'get' and call.args and isinstance(call.args[0], ast.Constant) and not call.keywords:
            return self.graph.join(*results, self._item(base, call.args[0]), *arguments.positional[1:])
        if name in self._overview.own_methods:
            base = self._not_own(base)
        return self.graph.join(*results, self._method(name, base, arguments, call))

    def _only_reads(self, dotted: str) -> bool:
        """Return whether this is a function of a module whose functions change nothing."""
        module, _, name = dotted.rpartition('.')
        return module in known.READING_MODULES and name not in known.CHANGING_FUNCTIONS

    def _read_by(self, dotted: str, call: ast.Call, arguments: Arguments) -> int:
        module, _, name = dotted.rpartition('.')
        if module == 're' and name in known.METHODS:
            return self._method(name, self.text, arguments, call)
        is_scalar = module in known.SCALAR_MODULES and name != 'prod'
        return self._scalar(arguments.all) if is_scalar else self._reading(arguments.all)

    def _not_own(self, base: int) -> int:
        """Return the value without objects of the script's classes."""
        graph, node = self.graph, self.graph.node()
        graph.shallow(base, node)
        graph.watch(base, lambda number: None if number in self._class_of else graph.add(node, 0, 1 << number))
        return node

    def _builtin(self, name: str, call: ast.Call, arguments: Arguments) -> int:
        values = arguments.all
        if name == 'print' and not {word.arg for word in call.keywords} - {'sep', 'end', 'flush'}:
            # A function that prints may be called in a later script.
            self._flow(self._scalar(values), self.shown[-1] if self._code is None else self._printed)
            return self.text
        if name == 'super':
            if self._code is None or not (call.args or self._code.positional):
                raise Hidden(name)
            return arguments.positional[-1] if call.args else self._code.positional[0]
        if name == 'type':
            # The class of an object, which may be modified.
            kinds, given = self._reading(values), self.graph.join(*values)
            self.graph.watch(given, lambda one: self.graph.edge(self._class_of.get(one, given), kinds))
            return kinds
        if name == 'property':
            raise Hidden(name)
        if name == 'getattr':
            named = call.args[1] if len(call.args) > 1 else None
            if not isinstance(named, ast.Constant) or is_hidden(str(named.value)):
                raise Hidden(name)
            found = self._attribute(arguments.positional[0], str(named.value), is_value=True)
            return self.graph.join(found, *arguments.positional[2:])
        if name in known.SCALAR_FUNCTIONS:
            return self._scalar(values)
        if name in known.READING_FUNCTIONS:
            return self._reading(values)
        return self._anything([*values, self.graph.node(0, self._world)] if name in ('open', 'input') else values)

    def _method(self, name: str, base: int, arguments: Arguments, call: ast.Call) -> int:
        """Return the result of a method, except for methods of the script's own classes."""
        values = [base, *arguments.all]
        if name in known.SCALAR_METHODS or (name in known.TEXT_METHODS and not self._has_earlier):
            return self._scalar(values)
        if name in known.LISTING_METHODS and not self._has_earlier:
            return self._held(self._scalar(values))
        if name in known.READING_METHODS:
            return self._reading(values)
        if name in known.STORING_METHODS:
            if arguments.all:
                given = self.graph.join(*arguments.all)
                if name in ('pop', 'remove'):
                    self.graph.edge(given, self._errors.unknown)
                self._change(base, given, given if name in known.ADDING_METHODS else self.graph.closure(given))
            node = self.text if call is self._unused else self._parts_of(values)
            if name == 'sort':
                # The order depends on the results of the key function.
                ordered = self.graph.closed(values, MODEL)
                self._calls_back(ordered)
                self._store(base, ordered)
            return node
        return self._anything(values)

    def _change(self, base: int, given: int, value: int) -> None:
        """Store a value in what a method modifies: its object, or an argument if called as in `list.append`."""
        graph, arguments = self.graph, self.graph.node()
        self._store(base, value)
        self._store(arguments, value)
        strangers = {self._world.number, self._outer.number, self._changers.number}
        graph.watch(base, lambda one: graph.edge(given, arguments) if one in strangers | self._classes.keys() else None)

    def _dispatch(self, function: int, call: ast.Call, arguments: Arguments, *, owner: int | None = None) -> int:
        """Call a value. `owner` is the object that has it as a method, if it is part of another value."""
        graph, pc, caller, result = self.graph, self._pc, self._code, self.graph.node(MODEL)
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ''
        graph.shallow(function, result)
        unknown: list[int] = []
        """The node of functions that are not defined by the script."""
        is_own = owner is not None and self._overview.may_define(name) and name not in self._overview.plain_methods
        is_shifted = is_own and self._overview.has_partials

        def found(number: int) -> None:
            is_callable = graph.objects[number].kind in ('function', 'class', 'tool')
            if not is_callable and (owner is None or (is_own and number in self._bound_methods)):
                if not unknown:
                    unknown.append(graph.node())
                    before, self._pc, self._call_text = (self._pc, self._call_text), pc, call
                    graph.edge(self._anything([*unknown, *arguments.all]), result)
                    self._pc, self._call_text = before
                graph.add(unknown[0], 0, 1 << number)
            given, code = arguments, self._codes.get(number)
            if is_shifted and (code is None or code.definition.name != name):
                # It may be inside of a `partial` with other arguments before these.
                given = Arguments([], {}, graph.join(*arguments.all))
            if code is None:
                self._call_object(number, call, given, result, pc, caller)
                return
            is_method = code.definition.is_method
            # A method that is used as a value was bound when it was read.
            code = code if is_method and owner is None else self._code_for(number, call, caller)
            if owner is None or not (is_method or self._classes):
                self._enter(code, given, result, pc)
                return
            for parameter in code.positional[:1]:
                graph.edge(owner, parameter)
            if name in self._overview.plain_methods:
                # Accessed through an instance, it is bound already.
                graph.watch(
                    owner,
                    lambda one: self._enter(code, given, result, pc, (1,) if one in self._class_of else (0, 1)),
                )
            else:
                # Assigning a function to a class makes it a method.
                self._enter(code, given, result, pc, (0, 1))

        graph.watch(function, found, active=owner is not None)
        return result
