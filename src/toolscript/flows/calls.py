"""Calls: the results of builtins, methods and other functions."""

import ast

from . import library as known
from .callables import Arguments
from .overview import Hidden, is_hidden
from .places import PlaceFlows
from .values import MODEL


class CallFlows(PlaceFlows):
    _unused: ast.expr | None = None
    """An expression whose value is discarded."""

    def _call(self, call: ast.Call) -> int:
        before, self._call_text = self._call_text, call
        arguments = self._arguments(call)
        self._call_text = call
        result = self._called(call, arguments)
        self._call_text = before
        if any(word.arg in known.ERROR_NAMES for word in call.keywords):
            result = self.graph.join(result, self._raised, self.anything)
        return result

    def _arguments(self, call: ast.Call) -> Arguments:
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
        return Arguments(positional, named, self.graph.join(*spread) if spread else None)

    def _called(self, call: ast.Call, arguments: Arguments) -> int:
        function, values = call.func, arguments.all
        match function:
            case ast.Name(id=name) if (
                name not in self._overview.bound and name in known.BUILTINS and not self._tools(name)
            ):
                return self._builtin(name, call, arguments)
            case ast.Name(id=name) if name not in self._overview.bound and self._tools(name):
                return self._reached(name, call, arguments)
            case _:
                pass
        if self._overview.dotted(function) == 'asyncio.gather':
            return self._held(self.graph.join(*values, self.graph.node(MODEL)))
        if self._only_reads(function):
            return self._reading(values)
        if not isinstance(function, ast.Attribute):
            return self._dispatch(self._value(function), call, arguments)
        base = self._value(function.value)
        result = self._dispatch(self._attribute(base, function.attr), call, arguments, owner=base)
        if function.attr == 'get' and call.args and isinstance(call.args[0], ast.Constant) and not call.keywords:
            return self.graph.join(result, self._item(base, call.args[0]), *arguments.positional[1:])
        if function.attr in self._overview.own_methods:
            base = self._not_own(base)
        return self.graph.join(result, self._method(function.attr, base, arguments, call))

    def _only_reads(self, function: ast.expr) -> bool:
        """Returns whether this is a function of a module whose functions change nothing."""
        module, _, name = self._overview.dotted(function).rpartition('.')
        return module in known.READING_MODULES and name not in known.CHANGING_FUNCTIONS | known.ERROR_NAMES

    def _not_own(self, base: int) -> int:
        """Return the value without objects of the script's classes."""
        graph, node = self.graph, self.graph.node()
        graph.edge(base, node, objects=False)
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
            found = self._attribute(arguments.positional[0], str(named.value))
            return self.graph.join(found, *arguments.positional[2:])
        if name in known.SCALAR_FUNCTIONS:
            return self._scalar(values)
        if name in known.READING_FUNCTIONS:
            return self._reading(values)
        return self._anything([*values, self.graph.node(0, self._world)] if name in ('open', 'input') else values)

    def _method(self, name: str, base: int, arguments: Arguments, call: ast.Call) -> int:
        """Return the result of a method, except for methods of the script's own classes."""
        values = [base, *arguments.all]
        if name in known.SCALAR_METHODS:
            return self._scalar(values)
        if name in known.READING_METHODS:
            return self._reading(values)
        if name in known.STORING_METHODS:
            if arguments.all:
                given = self.graph.join(*arguments.all)
                holder = self._changed(base, given)
                self._store(holder, given if name in known.ADDING_METHODS else self.graph.closure(given))
            node = self.text if call is self._unused else self._parts_of(values)
            if name == 'sort':
                # The order depends on the results of the key function.
                ordered = self._operation(values)
                self._calls_back(ordered)
                self._store(base, ordered)
            return node
        return self._anything(values)

    def _changed(self, base: int, given: int) -> int:
        """Return what a method modifies: its object, or an argument if called through a class, as in `list.append`."""
        graph, holder = self.graph, self.graph.join(base, self.graph.node())
        strangers = {self._world.number, self._outer.number, self._changers.number}
        graph.watch(base, lambda one: graph.edge(given, holder) if one in strangers or one in self._classes else None)
        return holder

    def _dispatch(self, function: int, call: ast.Call, arguments: Arguments, *, owner: int | None = None) -> int:
        """Call a value. `owner` is the object that has it as a method, if it is part of another value."""
        graph, pc, caller, result = self.graph, self._pc, self._code, self.graph.node(MODEL)
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ''
        graph.edge(function, result, objects=False)
        unknown = list[int]()
        """The node of functions that are not defined by the script."""

        def found(number: int) -> None:
            if owner is None and not self._is_own(number):
                if not unknown:
                    unknown.append(graph.node())
                    before, self._pc, self._call_text = (self._pc, self._call_text), pc, call
                    graph.edge(self._anything([*unknown, *arguments.all]), result)
                    self._pc, self._call_text = before
                graph.add(unknown[0], 0, 1 << number)
            if number not in self._codes:
                self._call_object(number, call, arguments, result, pc, caller)
                return
            is_method = self._codes[number].definition.is_method
            # A method that is used as a value was bound when it was read.
            code = self._codes[number] if is_method and owner is None else self._code_for(number, call, caller)
            if owner is None or not (is_method or self._classes):
                self._enter(code, arguments, result, pc)
                return
            for parameter in code.positional[:1]:
                graph.edge(owner, parameter)
            if name in self._overview.plain_methods:
                # Accessed through an instance, it is bound already.
                graph.watch(
                    owner,
                    lambda one: self._enter(code, arguments, result, pc, (1,) if one in self._class_of else (0, 1)),
                )
            else:
                # Assigning a function to a class makes it a method.
                self._enter(code, arguments, result, pc, (0, 1))

        graph.watch(function, found)
        return result
