"""Functions, classes and tools, and the effects of calling them."""

import ast
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .graph import Object
from .names import Function, VariableScope
from .overview import Hidden, Overview
from .values import MODEL, ValueFlows

MAX_READ = 400
"""The maximum number of syntax nodes that may be read again, for calls with their own reading of a function."""
MAX_WITHIN = 4
"""The maximum nesting depth of functions in such readings."""


@dataclass(frozen=True, eq=False)
class Source:
    """A call in a script that produces a value, or a variable that was set before the scripts ran."""

    bit: int
    """The set that contains only this source."""
    name: str
    """The name of the called function, or of the variable."""


@dataclass(frozen=True, eq=False)
class Site(Source):
    """A place in a script where a tool is called."""

    script: int
    """The index of the script among those that were read."""
    line: int
    end: int
    """The last line of the call."""
    call: ast.Call
    in_function: bool
    arguments: dict[str, int] = field(default_factory=dict)
    """The nodes of the arguments: by name, by position from `'0'`, and under `'*'` what may be in any argument. Of an
    analysis that is complete, the sources that reach these nodes."""

    @cached_property
    def text(self) -> str:
        """The source text of the call."""
        return ast.unparse(self.call)


@dataclass(eq=False)
class FunctionDefinition:
    function: Function
    scope: VariableScope
    """The scope in which it is defined."""
    is_method: bool
    defaults: dict[str, int]
    """The nodes of the default values, by parameter."""

    yields: bool
    """Whether it, or a function in it, has a `yield`."""

    def __post_init__(self) -> None:
        self.name = getattr(self.function, 'name', '')
        self.is_decorated = bool(getattr(self.function, 'decorator_list', ()))


@dataclass(eq=False)
class FunctionReading:
    """One analysis of a function's body: either shared by all calls, or for a single call."""

    definition: FunctionDefinition
    within: tuple[FunctionDefinition, ...]
    """The chain of functions that call it, ending with itself."""
    scope: VariableScope
    positional: list[int]
    by_name: dict[str, int]
    rest: int
    """The node of the contents of `*args` and `**kwargs`."""
    result: int
    pc: int
    generator: Object | None
    is_read: bool = False
    """Whether the body was analysed, which happens at the first call."""


class Arguments(NamedTuple):
    positional: list[int]
    named: dict[str, int]
    spread: int | None
    """The node of what `*` and `**` pass."""

    @property
    def all(self) -> list[int]:
        return [*self.named.values(), *self.beyond(0)]

    def beyond(self, place: int) -> list[int]:
        """Return the arguments from a position on, and what may be there."""
        return [*self.positional[place:], *([] if self.spread is None else [self.spread])]


class CallableFlows(ValueFlows):
    _code: FunctionReading | None = None
    """The function that is being analysed."""
    _call_text: ast.Call | None = None
    """The call that is being analysed."""

    def __init__(self, overview: Overview, tools: Callable[[str], bool], *, strict: bool) -> None:
        super().__init__(overview, tools, strict=strict)
        self.sites: dict[tuple[int, str], Site] = {}
        """By the `id` of the call's syntax node and the name of the tool."""
        self.variables: dict[str, int] = {}
        """The sources of variables that unknown scripts set, by name."""
        self._globals = self._scope = VariableScope()
        self._tool_of: dict[int, str] = {}
        """Names of tools, by the number of the tool's object."""
        self._tool_nodes: dict[str, int] = {}
        self._codes: dict[int, FunctionReading] = {}
        """The shared readings, by the number of the function's object."""
        self._own_codes: dict[tuple[int, int, FunctionReading | None], FunctionReading] = {}
        """Readings for one call, by the number of the function's object, the `id` of the call and its caller."""
        self._unread: list[FunctionReading] = []
        """The shared readings of functions that are called, but not analysed yet."""
        self._left = MAX_READ
        self._classes: dict[int, int] = {}
        """The nodes of the base classes, by the number of the class."""
        self._fields: dict[int, list[str]] = {}
        """The fields of instances in positional order, if known, by the number of a class without `__init__`."""
        self._class_of: dict[int, int] = {}
        """The node of the class, by the number of the instance."""
        self._instances: dict[tuple[int, int, FunctionReading | None], Object] = {}
        self._bound_methods: dict[int, int] = {}
        """The number of the object, by the number of a method that is used as a value."""
        self._method_of: dict[int, int] = {}

    @abstractmethod
    def _read_code(self, code: FunctionReading) -> None:
        """Analyse the statements of a function."""

    def _code_of(self, definition: FunctionDefinition, within: tuple[FunctionDefinition, ...] = ()) -> FunctionReading:
        """Create a new reading of a function."""
        graph, function = self.graph, definition.function
        args = function.args
        extra = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
        given = {arg.arg: graph.node() for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, *extra)}
        scope = VariableScope(definition.scope, 'function', {name: graph.node() for name in given})
        self._bind_names(scope, function)
        for name, node in given.items():
            graph.edge(node, scope.variables[name])
            if name in definition.defaults:
                graph.edge(definition.defaults[name], node)
            if name not in self._overview.bound_elsewhere:
                scope.now[name] = node
        rest = graph.node()
        for arg in extra:
            graph.edge(self._held(rest), given[arg.arg])
        code = FunctionReading(
            definition,
            (*within, definition),
            scope,
            [given[arg.arg] for arg in (*args.posonlyargs, *args.args)],
            {arg.arg: given[arg.arg] for arg in (*args.args, *args.kwonlyargs)},
            rest,
            graph.node(),
            graph.node(),
            graph.object(opaque=True) if definition.yields else None,
        )
        if code.generator is not None:
            graph.add(code.result, 0, 1 << code.generator.number)
            graph.edge(code.result, code.generator.unknown)
        if self._strict:
            graph.edge(self._abrupt, code.pc)
        return code

    def _bind_names(self, scope: VariableScope, owner: ast.Module | Function | ast.ClassDef) -> None:
        bound = self._overview.binds[owner] | self._overview.binds_in_expressions[owner]
        scope.outer = self._overview.nonlocals[owner]
        for name in self._overview.globals[owner]:
            scope.variables[name] = self._globals.variables[name]
        for name in sorted(bound - scope.outer - scope.variables.keys()):
            scope.variables[name] = self.graph.node()

    def _code_for(self, number: int, call: ast.Call | None, caller: FunctionReading | None) -> FunctionReading:
        """Return a reading of the function for this call; its own if possible, so that calls do not mix arguments."""
        definition, within = self._codes[number].definition, () if caller is None else caller.within
        key = number, id(call), caller
        if call is None or definition.is_decorated or definition in within or len(within) > MAX_WITHIN:
            return self._codes[number]
        if key not in self._own_codes:
            self._left -= self._overview.size(definition.function)
            if self._left < 0:
                return self._codes[number]
            self._own_codes[key] = self._code_of(definition, within)
        return self._own_codes[key]

    def _enter(
        self, code: FunctionReading, arguments: Arguments, result: int, pc: int, shifts: Sequence[int] | None = None
    ) -> None:
        """Call a function of the script. `shifts` are the numbers of parameters that may be bound already."""
        graph, loose = self.graph, arguments.spread
        if not code.is_read:
            code.is_read = True
            if len(code.within) > 1:
                self._read_code(code)
            else:
                self._unread.append(code)
        if self._strict:
            graph.shallow(pc, code.pc)
        graph.edge(code.result, result)
        for place, value in enumerate(arguments.positional):
            # A method may already be bound to its object.
            for shift in shifts or ((0, 1) if code.definition.is_method else (0,)):
                shifted = place + shift
                graph.edge(value, code.positional[shifted] if shifted < len(code.positional) else code.rest)
        for name, value in arguments.named.items():
            graph.edge(value, code.by_name.get(name, code.rest))
        if loose is not None:
            for parameter in {*code.positional, *code.by_name.values(), code.rest}:
                graph.edge(loose, parameter)

    def _instance(
        self, kind: int, call: ast.Call | None, arguments: Arguments, pc: int, caller: FunctionReading | None = None
    ) -> int:
        graph, key = self.graph, (kind, id(call), caller)
        if key not in self._instances:
            one = self._instances[key] = graph.object('instance')
            self._class_of[one.number] = graph.node(0, graph.objects[kind])
        one = self._instances[key]
        made = graph.node(MODEL, one)
        given = Arguments([made, *arguments.positional], arguments.named, arguments.spread)
        self._initialise(kind, lambda method: self._code_for(method, call, caller), given, pc)
        if kind in self._fields:
            fields = self._fields[kind]
            for field_name, value in zip(fields, arguments.positional, strict=False):
                graph.edge(value, graph.cell(one, field_name))
            for name, value in arguments.named.items():
                graph.edge(value, graph.cell(one, name))
            for value in arguments.beyond(len(fields)):
                graph.edge(value, one.unknown)
                # An exception has them in its `args`.
                graph.edge(self._held(value), one.unknown)
        return made

    def _initialise(self, kind: int, code_for: Callable[[int], FunctionReading], arguments: Arguments, pc: int) -> None:
        """Call the initialiser of a class, or else those of its bases."""
        graph = self.graph

        def of_class(kind: int) -> None:
            if kind in self._classes:
                graph.watch(graph.cell(graph.objects[kind], '__init__'), called)
                graph.watch(graph.cell(graph.objects[kind], '__post_init__'), called_after)
                if kind in self._fields:
                    graph.watch(self._classes[kind], of_class)

        def called(method: int) -> None:
            if method in self._codes:
                self._enter(code_for(method), arguments, graph.node(), pc, (0,))

        def called_after(method: int) -> None:
            if method in self._codes:
                code, made = self._codes[method], arguments.positional[0]
                given = graph.join(*arguments.all) if code.positional[1:] else None
                self._enter(code, Arguments([made], {}, given), graph.node(), pc, (0,))

        of_class(kind)

    def _reached(self, tool: str, call: ast.Call | None, arguments: Arguments) -> int:
        if call is None:
            raise Hidden(tool)
        graph, key = self.graph, (id(call), tool)
        if key not in self.sites:
            script, is_inside = self._overview.place(call)
            end, bit = call.end_lineno or call.lineno, self._source()
            self.sites[key] = Site(bit, tool, script, call.lineno, end, call, is_inside)
        site = self.sites[key]
        places = {str(place): node for place, node in enumerate(arguments.positional)}
        spread = {} if arguments.spread is None else {'*': arguments.spread}
        given = {**places, **arguments.named, **spread}
        one = graph.object(opaque=True)
        graph.add(one.unknown, site.bit | MODEL, 0)
        for place, value in given.items():
            graph.deep(value, site.arguments.setdefault(place, graph.node()))
            # The result of a tool depends on its arguments.
            graph.deep(value, one.unknown)
        result = graph.node(0, one)
        graph.shallow(one.any, result)
        return result

    def _call_object(
        self,
        number: int,
        call: ast.Call | None,
        arguments: Arguments,
        result: int,
        pc: int,
        caller: FunctionReading | None = None,
    ) -> None:
        """Call an object if it is a function or class of the script, or a tool."""
        if number in self._codes:
            self._enter(self._codes[number], arguments, result, pc)
        elif number in self._classes:
            self.graph.edge(self._instance(number, call, arguments, pc, caller), result)
        elif number in self._tool_of:
            self.graph.edge(self._reached(self._tool_of[number], call, arguments), result)

    def _reading(self, values: Sequence[int]) -> int:
        """Return the result of a function that may call functions among its arguments but changes nothing."""
        node = self._parts_of(values)
        self._calls_back(node)
        return node

    def _anything(self, values: Sequence[int]) -> int:
        """Return the result of a function that may do anything with its arguments."""
        graph, node = self.graph, self._parts_of(values)
        # Values stored in it later are found through the objects.
        graph.watch(node, lambda number: graph.edge(graph.objects[number].any, node))
        if self._strict:
            graph.shallow(self._pc, node)
        self._mix(node)
        self._calls_back(node)
        return node

    def _mix(self, node: int) -> None:
        """Assume that each object of a value may be stored in any other."""
        graph, stateless = self.graph, (self._outer.number, self._changers.number)
        graph.watch(node, lambda one: None if one in stateless else graph.edge(node, graph.objects[one].unknown))

    def _calls_back(self, node: int) -> None:
        """Assume that functions among these values are called with any of them, and return any of them."""
        graph, pc, call = self.graph, self._pc, self._call_text
        changing = {self._world.number, self._changers.number}

        def found(number: int) -> None:
            self._call_object(number, call, Arguments([], {}, node), node, pc)
            if number in self._class_of:
                graph.watch(self._class_of[number], lambda kind: graph.edge(graph.objects[kind].any, node))
            owner = self._bound_methods.get(number)
            if number in changing or owner in changing or owner == self._outer.number:
                # Used as a value, `list.append` changes its first argument.
                self._mix(node)
            elif owner is not None:
                graph.edge(node, graph.objects[owner].unknown)

        graph.watch(node, found, active=True)
