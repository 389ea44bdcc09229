"""Class statements, and the methods in them: what Monty runs instead.

A class statement keeps its name and body, except for what Monty does not support: bases become a decorator (`derived`
of the polyfill), decorators of methods become calls after the method, and a function creates a nested class.
"""

import ast
from collections.abc import Iterable
from zlib import crc32

from toolscript_sandbox.language.refusals import Refusal, refusal

from .class_facts import ClassFacts, FunctionNode, marks_of, properties_of
from .class_table import Class, annotated, assigned, made_tuple, private_name
from .methods import kinds_with
from .transform import Context, Transform
from .tree import constant, is_call_of, is_changed, meaning, named, placed, quoted, quoted_expression, set_changed


class ClassStatements(Transform):
    """Changes class statements; a subclass changes what is done with classes."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._session = ClassFacts(context)
        self._refused: list[Refusal] = []
        self._class: Class | None = None
        """The class that is being visited."""
        self._self = ''
        """The first parameter of the method."""
        self._before: list[ast.stmt] = []
        """Statements that must run before the class statement."""

    def _refuse(self, node: ast.expr | ast.stmt, message: str) -> None:
        self._refused.append(refusal(node, message))

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | list[ast.stmt]:
        before, self._before = self._before, []
        new = self._statement(node)
        new, self._before = [*self._before, *new], before
        return new[0] if len(new) == 1 else new

    def _statement(self, node: ast.ClassDef) -> list[ast.stmt]:
        found = self._session.table[node]
        outer = (self._class, self._self)
        marks = [self._asks(node, mark) or self.expression(mark) for mark in node.decorator_list]
        mark = self._mark(node, found)
        self._class = found
        body = self._body(node)
        self._class, self._self = outer
        if found.family == 'typed dict':
            return quoted('NAME = dict', node, NAME=node.name)
        if found.family == 'tuple':
            given = [part.value for part in body if isinstance(part, ast.AnnAssign) and part.value is not None]
            parts = {'NAME': node.name, 'TEXT': constant(node.name, node), 'FIELDS': _text(annotated(body), node)}
            made = quoted('NAME = _classes__namedtuple(TEXT, FIELDS, defaults=[GIVEN])', node, **parts, GIVEN=given)
            if (call := made_tuple(node)) is not None:
                call.args[0] = constant(node.name, node)
                made = quoted('NAME = CALL', node, NAME=node.name, CALL=self.expression(call))
            if members := found.members:
                parts = {'HOLDER': self._fresh('members'), 'NAMES': _text(sorted(members), node)}
                rest = [part for part in body if not isinstance(part, ast.AnnAssign)]
                template = 'class HOLDER:\n BODY\n_classes__with_members(NAME, HOLDER, NAMES)'
                made += quoted(template, node, NAME=node.name, BODY=rest, **parts)
            return made
        is_same = mark is None and len(body) == len(node.body) and not any(map(is_changed, [*marks, *body]))
        if node.bases or node.keywords or not is_same:
            set_changed(node)
        node.bases, node.keywords, node.decorator_list, node.body = [], [], [*marks, *([mark] if mark else [])], body
        return [node]

    def _asks(self, node: ast.ClassDef, mark: ast.expr) -> ast.expr | None:
        """Return what `runtime_checkable` becomes: its members, each with the builtin types that have it."""
        if meaning(mark) != 'typing.runtime_checkable':
            return None
        found = self._session.table[node]
        if found.bases:
            self._refuse(node, 'A protocol with bases cannot be checked here. Write all methods into it.')
        asked = {name: kinds_with(name) for name in sorted({*found.names, *annotated(node.body)} - {*dir(object)})}
        return quoted_expression('_classes__checkable(ASKED)', node, ASKED=ast.parse(repr(asked), mode='eval').body)

    def _mark(self, node: ast.ClassDef, found: Class) -> ast.expr | None:
        """Return the decorator that adds to the class what Monty's class statement lacks."""
        bases = placed(ast.Tuple([self.expression(base) for base in found.bases], ast.Load()), node)
        if found.family == 'enum':
            functions = {part.name for part in node.body if isinstance(part, FunctionNode)} | properties_of(found)
            members = [name for name in assigned(node.body) if name not in functions and not _is_reserved(name)]
            names, others = _text(members, node), _text(sorted(found.names - {*members}), node)
            parts = {'KIND': constant(found.kind, node), 'MEMBERS': names, 'FUNCTIONS': others, 'BASES': bases}
            return quoted_expression('_enum__members(KIND, MEMBERS, FUNCTIONS, BASES)', node, **parts)
        if found.family == 'tuple':
            return None
        parts: dict[str, ast.expr] = {'BASES': bases, 'NAMES': _text(sorted(found.names), node)}
        calls = any(is_call_of(part, 'builtins.super') for part in ast.walk(node))
        if not (self._session.inherits or calls or bases.elts or found.is_abstract or _has_marks(node)):
            return None
        parts['UNLISTED'] = _text(sorted(self._session.unlisted), node)
        parts['ABSTRACT'] = constant(found.is_abstract, node)
        parts['KEY'] = constant(self._key(node) if calls else None, node)
        return quoted_expression('_classes__derived(BASES, NAMES, UNLISTED, ABSTRACT, KEY)', node, **parts)

    def _key(self, node: ast.ClassDef) -> str:
        """Return the key with which `super()` finds its class: the same text defines the same class."""
        return f'{node.name}:{node.lineno}:{crc32(self._analysis.text.encode("utf-8", "replace")):x}'

    def _owner(self, made: ast.ClassDef, at: ast.AST) -> ast.expr:
        """Return the class for `super()`: its key, or its name if each call of a function makes another class."""
        scope = self._analysis.scopes.around(made)
        names = {node.arg for node in self._analysis.all(ast.arg)} | scope.elsewhere.keys()
        is_one = scope.bound.get(made.name) == [made] and made.name not in names and not made.decorator_list
        if is_one and isinstance(scope.node, FunctionNode) and made in scope.node.body:
            return named(made.name, at)
        return constant(self._key(made), at)

    def _body(self, node: ast.ClassDef) -> list[ast.stmt]:
        new = list[ast.stmt]()
        for part in [single for statement in node.body for single in _one_each_time(statement)]:
            match part:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    new += self._method(part)
                case ast.ClassDef():
                    new += self._nested(part)
                case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign() | ast.Expr(value=ast.Constant()) | ast.Pass():
                    new.append(self.below(part))
                case _:
                    text = 'Only methods, classes and variables, one each time, can be in the body of a class here.'
                    self._refuse(part, f'{text} Compute the rest before it, or set {node.name}.name = value after it.')
        found = self._session.table[node]
        if '__doc__' in self._analysis.words and found.family != 'plain' and ast.get_docstring(node):
            self._refuse(node, _UNDOCUMENTED.format(node.name))
        if found.iterates and '__iter__' not in found.names:
            new += quoted('__iter__ = _classes__itself', node)
        elif (
            found.family == 'plain' and not found.bases and {'__getitem__', '__iter__'} & found.names == {'__getitem__'}
        ):
            new += quoted('__iter__ = _classes__by_index', node)
        if not new:
            new += quoted('pass', node)
        return new

    def _nested(self, node: ast.ClassDef) -> list[ast.stmt]:
        """Return a nested class, which a function before the outer class creates."""
        around = self._class.names if self._class is not None else frozenset[str]()
        # Bases that are defined in the outer class are arguments of the function.
        inside = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id in around]
        before, self._before = self._before, []
        body, self._before = self.body([node]), before
        maker, given = self._fresh('class'), ', '.join(inside)
        self._before += quoted(
            f'def MAKER({given}):\n BODY\n return NAME', node, MAKER=maker, NAME=node.name, BODY=body
        )
        return quoted(f'NAME = MAKER({given})', node, NAME=node.name, MAKER=maker)

    def _method(self, node: FunctionNode) -> list[ast.stmt]:
        if '__doc__' in self._analysis.words and ast.get_docstring(node):
            self._refuse(node, _UNDOCUMENTED.format(node.name))
        marks, node.decorator_list = node.decorator_list, []
        parameters = [*node.args.posonlyargs, *node.args.args]
        outer, self._self = self._self, parameters[0].arg if parameters else ''
        original, node.name = node.name, self._mangled(node.name)
        node = self.below(node)
        self._self = outer
        if not marks:
            return [node if node.name == original else set_changed(node)]
        name, function = node.name, node.name
        if any(isinstance(mark, ast.Attribute) and mark.attr in _PARTS for mark in marks):
            function = node.name = self._fresh('function')
        new: list[ast.stmt] = [set_changed(node)]
        for mark in reversed(marks):
            dotted = meaning(mark.func if isinstance(mark, ast.Call) else mark)
            if dotted not in _DROPPED:
                template = 'NAME = _classes__method(MARK(F))' if dotted in CACHES else 'NAME = MARK(F)'
                new += quoted(template, node, NAME=name, MARK=self.expression(mark), F=function)
                function = name
        return new

    def _mangled(self, name: str) -> str:
        return name if self._class is None else private_name(self._class.node, name)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        new = self._mangled(node.arg)
        self.below(node)
        if new != node.arg:
            node.arg = new
            set_changed(node)
        return node


def _one_each_time(statement: ast.stmt) -> list[ast.stmt]:
    """Split `LOW, HIGH = 1, 2` into two statements if no value uses an assigned name."""
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            stored = {name.id for name in names if isinstance(name, ast.Name)}
            parts = [part for value in values for part in ast.walk(value)]
            used = {part.id for part in parts if isinstance(part, ast.Name)}
            is_spread = any(isinstance(part, ast.Starred) for part in (*names, *values))
            if stored.isdisjoint(used) and not is_spread:
                pairs = zip(names, values, strict=True)
                return [set_changed(placed(ast.Assign([name], value), statement)) for name, value in pairs]
        case _:
            pass
    return [statement]


def _text(names: Iterable[str], at: ast.AST) -> ast.Constant:
    return constant(' '.join(names), at)


def _is_reserved(name: str) -> bool:
    """Return whether a name in an enum is not a member: `__slots__`, `_ignore_`, `__private`."""
    return name.startswith('__') or (name.startswith('_') and name.endswith('_'))


def _has_marks(node: ast.ClassDef) -> bool:
    """Return whether the class has class methods or abstract methods."""
    marks = {mark for part in node.body if isinstance(part, FunctionNode) for mark in marks_of(part)}
    return not marks.isdisjoint(['builtins.classmethod', 'abc.abstractmethod'])


_UNDOCUMENTED = '{} has no __doc__ here. Keep the text in a variable.'
_PARTS = ('setter', 'getter', 'deleter')
_DROPPED = frozenset(['typing.final', 'typing.overload'])
CACHES = frozenset(['functools.lru_cache', 'functools.cache'])
