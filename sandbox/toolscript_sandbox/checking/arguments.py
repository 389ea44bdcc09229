"""Validates literal arguments of host functions with the functions' own validators.

A type checker compares types, and its types of dicts and lists are guesses: `{'kind': 'x'}` in a variable is a
`dict[str, str]`, which may or may not be the record that a function takes. A validator knows. All other arguments are
left to the checker.
"""

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import Any, NamedTuple

from toolscript_sandbox.contract.functions import Function
from toolscript_sandbox.language.scopes import assigned_once, bindings_of, loads_of
from toolscript_sandbox.language.syntax import all_of

from .checker import Found
from .cost import ProcessorTime
from .stubs import Parameters, parameters_of


class Literal(NamedTuple):
    """A JSON value."""

    value: str | int | float | bool | list[object] | dict[str, object] | None
    size: int
    """How many values it contains, including itself."""


class CheckedArguments:
    """The validators' findings about the arguments of a script."""

    def __init__(
        self, tree: ast.Module, functions: Mapping[str, Function], outer: Collection[str], time: ProcessorTime
    ) -> None:
        """Validate the arguments of all host calls. `outer` are variables of earlier scripts. Raises `Unchecked`."""
        self.problems = list[Found]()
        self.settled = set[ast.AST]()
        """Arguments whose checker findings are ignored: validated literals, and unpacked arguments, because the checker
        takes each item of `*x` and `**x` for any of the parameters."""
        self._time = time
        self._budget = _MAX_VALUES
        bound = bindings_of(tree).keys()
        hosts = functions.keys() - bound
        self._literals = Literals(tree, outer)
        for call in all_of(tree, ast.Call) if hosts else ():
            if isinstance(call.func, ast.Name) and call.func.id in hosts:
                self._validate(call, functions[call.func.id])
        self.problems.sort(key=lambda problem: (problem[2].lineno, problem[2].col_offset))

    def _validate(self, call: ast.Call, function: Function) -> None:
        takes = parameters_of(function.stub)
        if takes is None:
            return
        self.settled.update(one for one in call.args if isinstance(one, ast.Starred))
        self.settled.update(one for one in call.keywords if one.arg is None)
        for word, node, value in self._given(call, takes):
            self._time.check()
            is_parameter = takes.extra or word in takes.names
            problem = function.validate(word, value) if function.validate is not None and is_parameter else None
            if problem is not None:
                self.settled.add(node)
            if problem:
                self._report(f'Argument `{word}` of function `{function.name}` is incorrect: {problem}', node)
        self._compare_words(call, function.name, takes)

    def _given(self, call: ast.Call, takes: Parameters) -> Iterator[tuple[str, ast.expr | ast.keyword, Any]]:
        """Yield the literals among the arguments: parameter, node and value. Items of `*args` come as a list."""
        for at, node in enumerate(call.args):
            if isinstance(node, ast.Starred):
                break
            literal = self._literal(node)
            if at < len(takes.positional) and literal is not None:
                yield takes.positional[at], node, literal.value
            elif at >= len(takes.positional) and takes.variadic is not None and literal is not None:
                yield takes.variadic, node, [literal.value]
        for word in call.keywords:
            literal = self._literal(word.value)
            if literal is not None and word.arg is not None:
                yield word.arg, word, literal.value
            elif literal is not None and isinstance(literal.value, dict):
                yield from ((key, word, value) for key, value in literal.value.items())

    def _literal(self, node: ast.expr) -> Literal | None:
        literal = self._literals.of(node)
        self._budget -= 0 if literal is None else literal.size
        return literal if self._budget > 0 else None

    def _compare_words(self, call: ast.Call, name: str, takes: Parameters) -> None:
        """Report unknown and missing keys of unpacked dicts; the checker sees the other keywords."""
        unpacked = [word for word in call.keywords if word.arg is None]
        literals = [self._literal(word.value) for word in unpacked]
        words = [key for one in literals if one is not None and isinstance(one.value, dict) for key in one.value]
        strange = [word for word in words if word not in takes.names]
        unknown = [word for word in strange if _is_python(word)] if takes.closed else []
        if unknown:
            self._report(f'The call of `{name}` has no parameter `{unknown[0]}`', unpacked[0])
        if not unpacked or strange or None in literals or any(isinstance(one, ast.Starred) for one in call.args):
            return
        given = {*takes.positional[: len(call.args)], *words, *(word.arg for word in call.keywords)}
        missing = sorted(takes.required - given)
        if missing:
            self._report(f'The call of `{name}` is missing {", ".join(f"`{word}`" for word in missing)}', unpacked[0])

    def _report(self, message: str, node: ast.expr | ast.keyword) -> None:
        self.problems.append(('wrong-argument', message, node.value if isinstance(node, ast.keyword) else node))


def _is_python(word: str) -> bool:
    """Return whether a parameter of that name in a tool's schema has the same name in Python."""
    return word.isascii() and word.isidentifier() and not iskeyword(word) and not word.startswith('__')


class Literals:
    """The literals of one script. Each expression is evaluated once."""

    def __init__(self, tree: ast.Module, outer: Collection[str]) -> None:
        """`outer` are variables of earlier scripts."""
        self._tree = tree
        self._outer = outer
        self._found = dict[ast.expr, Literal | None]()
        self._variables = dict[str, Literal | None]()
        self._depth = 0

    def of(self, node: ast.expr) -> Literal | None:
        """Return the value of an expression; None if it is not a literal, or a huge one."""
        if node not in self._found:
            self._found[node] = None  # for expressions that refer to themselves
            self._depth += 1
            self._found[node] = self._read(node) if self._depth < _DEEPEST else None
            self._depth -= 1
        return self._found[node]

    def _read(self, node: ast.expr) -> Literal | None:
        match node:
            case ast.Constant(value=None | str() | int() | float() as value):
                # Python refuses to convert longer integers to decimal.
                return None if isinstance(value, int) and value.bit_length() > _BITS else Literal(value, 1)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                found = self.of(operand)
                number = None if found is None else found.value
                return Literal(-number, 1) if isinstance(number, (int, float)) else None
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
                items = self._all(parts)
                return None if items is None else _bounded([item.value for item in items], items)
            case ast.Dict(keys=keys, values=parts):
                names, items = self._all(keys), self._all(parts)
                if names is None or items is None:
                    return None
                pairs = zip(names, items, strict=True)
                # All keys are strings in JSON.
                return _bounded({str(name.value): item.value for name, item in pairs}, items)
            case ast.Name(id=name) if name not in self._outer:
                if name not in self._variables:
                    self._variables[name] = None
                    self._variables[name] = self._of_variable(name)
                return self._variables[name]
            case _:
                return None

    def _all(self, nodes: Sequence[ast.expr | None]) -> list[Literal] | None:
        found = [literal for node in nodes if node is not None and (literal := self.of(node)) is not None]
        return found if len(found) == len(nodes) else None

    def _of_variable(self, name: str) -> Literal | None:
        value = assigned_once(self._tree, name)
        found = None if value is None else self.of(value)
        # A container that is read in several places may be changed in one of them.
        may_change = found and isinstance(found.value, (list, dict)) and len(loads_of(self._tree).get(name, [])) > 1
        return None if may_change else found


def _bounded(value: list[object] | dict[str, object], parts: Collection[Literal]) -> Literal | None:
    size = 1 + sum(part.size for part in parts)
    return Literal(value, size) if size <= _MAX_LITERAL_VALUES else None


_MAX_VALUES = 500_000
"""How many values are validated at most, so that a large one that is passed often does not delay other runs."""
_BITS = 10_000
_DEEPEST = 100
_MAX_LITERAL_VALUES = 100_000
