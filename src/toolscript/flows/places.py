"""Variables, attributes and items: reading them and assigning to them."""

import ast
from abc import abstractmethod
from collections.abc import Generator
from contextlib import contextmanager

from . import library as known
from .callables import Arguments, CallableFlows
from .overview import Hidden
from .values import ANYTHING, MODEL


class PlaceFlows(CallableFlows):
    @abstractmethod
    def _value(self, node: ast.expr) -> int:
        """Return the value of an expression."""

    def _load(self, name: str) -> int:
        now = self._scope.now.get(name)
        if now is not None and not self._tools(name):
            return now
        nodes = self._scope.find(name)
        if self._tools(name):
            nodes = [*nodes, self._tool(name)]
        elif not nodes and name not in known.BUILTINS:
            return self._unknown(name)
        elif name == 'print' and not nodes:
            self.graph.add(self._printed, ANYTHING, 0)
        elif name in ('property', 'super', 'type') and not nodes:
            raise Hidden(name)
        elif not nodes or (name in known.BUILTINS and self._scope.kind == 'class'):
            nodes = [*nodes, self.graph.node(MODEL, self._outer)]
        return self.graph.join(*nodes)

    def _unknown(self, name: str) -> int:
        """Return the value of a variable that an unknown script set. All of these may be one object."""
        if name not in self.variables:
            self.variables[name] = self._source()
        return self.graph.node(self.variables[name], self._earlier)

    def _tool(self, name: str) -> int:
        if name not in self._tool_nodes:
            one = self.graph.object('tool')
            self._tool_of[one.number] = name
            self._tool_nodes[name] = self.graph.node(MODEL, one)
        return self._tool_nodes[name]

    def _bind(self, name: str, value: int) -> None:
        scope = self._scope
        nodes = scope.find(name, at_any_time=True)
        if scope.kind == 'class' and name in scope.variables:
            nodes = [scope.variables[name]]
        if not nodes:
            raise Hidden(name)
        for node in nodes:
            self._flow(value, node)
        if self._is_in_order(name):
            scope.now[name] = value
            if self._strict:
                scope.now[name] = self.graph.node()
                self._flow(value, scope.now[name])
            if name in scope.merged:
                self.graph.edge(scope.now[name], scope.merged[name])

    def _is_in_order(self, name: str) -> bool:
        """Return whether only the statements of this scope bind the variable, one after the other."""
        scope = self._scope
        is_here = name in scope.variables and name not in scope.outer
        return is_here and scope.kind in ('module', 'function') and name not in self._overview.bound_elsewhere

    @contextmanager
    def _out_of_order(self, statement: ast.AST) -> Generator[dict[str, int]]:
        """Let a variable have any value that a statement binds to it, because parts of it run again or end early.

        Yields:
            The nodes of the variables at the beginning and at the end, by name.
        """
        scope, graph, before = self._scope, self.graph, self._scope.merged
        merged: dict[str, int] = {}
        for name in sorted(filter(self._is_in_order, self._overview.binds[statement])):
            merged[name] = graph.node()
            if name in scope.now:
                graph.edge(scope.now[name], merged[name])
            if name in before:
                graph.edge(merged[name], before[name])
        scope.merged = {**before, **merged}
        scope.now.update(merged)
        yield merged
        scope.merged = before
        scope.now.update(merged)

    def _item(self, base: int, index: ast.expr) -> int:
        graph, key = self.graph, self._key(index)
        if isinstance(index, ast.Slice):
            return self._combined([base, key])
        name = index.value if isinstance(index, ast.Constant) else None
        # `d[True]` is the same as `d[1]`.
        is_known = isinstance(name, int | str) and not isinstance(name, bool)
        item = self._items(base, repr(name) if is_known else None)
        graph.add(item, MODEL, 0)
        return item if key == self.text else graph.join(item, self._scalar([key]))

    def _key(self, index: ast.expr) -> int:
        key = self._value(index)
        if key != self.text and self._overview.catches:
            # `KeyError` holds the key.
            self.graph.edge(key, self._errors.unknown)
        return key

    def _attribute(self, base: int, name: str, *, is_value: bool = False) -> int:
        graph, node, pc = self.graph, self.graph.node(), self._pc
        graph.shallow(base, node)

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
                if name in known.PROPERTY_NAMES:
                    raise Hidden(name)
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
        """Let what a class has under a name reach the node. `owner` is the object whose attribute is read."""
        graph = self.graph
        if kind not in self._classes:
            graph.edge(graph.objects[kind].any, node)
            return

        def bound(number: int) -> None:
            if owner is not None and number in self._codes:
                code = self._codes[number]
                for parameter in code.positional[:1]:
                    graph.edge(owner, parameter)
                if code.definition.is_decorated:
                    # A property is called, and a class method is bound to the class.
                    self._enter(code, Arguments([owner], {}, None), node, pc, (0,))
                    for parameter in code.positional[:1]:
                        graph.add(parameter, 0, 1 << kind)

        cell = graph.cell(graph.objects[kind], name)
        graph.edge(cell, node)
        graph.edge(graph.objects[kind].unknown, node)
        graph.watch(cell, bound)
        graph.watch(self._classes[kind], lambda base: self._class_attribute(base, name, node, owner, pc))

    def _bound_method(self, number: int) -> int:
        """Return a method that is used as a value, bound to its object: code that gets it can call it."""
        if number in self._bound_methods:
            return number
        if number not in self._method_of:
            method = self.graph.object('foreign')
            self.graph.add(method.unknown, 0, 1 << number)
            self._bound_methods[method.number], self._method_of[number] = number, method.number
        return self._method_of[number]

    def _store_attribute(self, base: int, name: str, value: int) -> None:
        graph, pc = self.graph, self._pc

        def of_class(kind: int, instance: int) -> None:
            if kind in self._classes:
                graph.watch(graph.cell(graph.objects[kind], name), lambda number: set_property(number, instance))
                graph.watch(self._classes[kind], lambda base: of_class(base, instance))

        def set_property(number: int, instance: int) -> None:
            if number in self._codes and self._codes[number].definition.is_decorated:
                given = Arguments([graph.node(0, graph.objects[instance]), value], {}, None)
                self._enter(self._codes[number], given, graph.node(), pc, (0,))

        def found(number: int) -> None:
            one = graph.objects[number]
            cell = graph.cell(one, name) if number in self._class_of or number in self._classes else one.unknown
            self._flow(value, cell, pc=pc)
            if number in self._class_of:
                graph.watch(self._class_of[number], lambda kind: of_class(kind, number))

        graph.watch(base, found)

    def _assign(self, target: ast.expr, value: int) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                items = self._items(value)
                for place, one in enumerate(targets):
                    self._assign(one, items if _has_stars(*targets) else self._items(value, repr(place)))
            case ast.Starred(value=inner):
                self._assign(inner, self._held(value))
            case ast.Attribute(value=base, attr=name):
                self._store_attribute(self._value(base), name, value)
            case ast.Subscript(value=base, slice=index):
                key = index.value if isinstance(index, ast.Constant) else None
                holder = self._value(base)
                if isinstance(key, str):
                    self._store(holder, value, key)
                else:
                    stored = self._items(value) if isinstance(index, ast.Slice) else value
                    # The position of an item depends on its key.
                    self._store(holder, self.graph.join(stored, self.graph.closure(self._value(index))))
            case _:
                raise Hidden(type(target).__name__)

    def _iterated(self, source: ast.expr) -> int:
        """Return what a loop over an expression binds in each round."""
        if isinstance(source, ast.Call) and not source.keywords and not _has_stars(*source.args):
            name = self._overview.dotted(source.func)
            if name == 'zip':
                return self._tuple([self._iterated(arg) for arg in source.args])
            if name == 'enumerate' and len(source.args) == 1:
                return self._tuple([self.text, self._iterated(source.args[0])])
        return self._items(self._value(source))

    def _unpacked(self, value: ast.expr) -> int:
        """Return what is assigned to several targets. Results of `asyncio.gather` are in the order of its arguments."""
        call = value.value if isinstance(value, ast.Await) else None
        if not isinstance(call, ast.Call) or self._overview.dotted(call.func) != 'asyncio.gather':
            return self._value(value)
        is_plain = not call.keywords and not _has_stars(*call.args)
        return self._tuple([self._value(arg) for arg in call.args]) if is_plain else self._value(value)


def _has_stars(*nodes: ast.expr) -> bool:
    return any(isinstance(node, ast.Starred) for node in nodes)
