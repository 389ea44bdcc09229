"""Classes: bases, `super`, properties, static, class and abstract methods, enums, dataclasses, named tuples.

A class statement keeps its name and body, except for what Monty does not support: bases become a decorator (`derived`
of the polyfill), decorators of methods become calls after the method, and a function creates a nested class.
Attributes are resolved at run time: reading or setting one goes through the polyfill if a class of the session has a
property of that name, or if attributes of that name are deleted (fact `'property NAME'`). In scripts that list the
attributes of objects, setting any attribute goes through the polyfill, which records its name (fact `'attributes'`).
"""

import ast
import re
from collections.abc import Iterable, Iterator
from zlib import crc32

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import MODULES
from toolscript_sandbox.language.refusals import Refusal, Refused, refusal
from toolscript_sandbox.language.syntax import words
from toolscript_sandbox.language.waiting import waiting_of

from .assignments import IN_PLACE
from .class_table import NOTED, Class, ClassTable, annotated, assigned, lists_attributes, made_tuple, private_name
from .methods import TYPES, kinds_with
from .provided_names import is_polyfilled
from .result import EARLY
from .transform import Context, Transform
from .tree import (
    as_target,
    constant,
    is_call_of,
    is_changed,
    is_named,
    meaning,
    named,
    placed,
    quoted,
    quoted_expression,
    repeatable,
    set_changed,
)

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class _Session:
    """Facts about the classes of the script and of earlier ones."""

    def __init__(self, context: Context) -> None:
        analysis = context.analysis
        self.table = ClassTable(analysis).found
        classes = self.table.values()
        self.kinds = {one.node.name: one for one in classes}
        plain = [one for one in classes if one.family == 'plain']
        orders = any(one.family == 'enum' and one.kind != 'Enum' for one in classes)
        options = {
            word.arg
            for node in analysis.all(ast.Call)
            if meaning(node.func) in ('dataclasses.dataclass', 'dataclasses.field')
            for word in node.keywords
        }
        holding = {
            'subclass': any(one.bases for one in plain) or 'typing.runtime_checkable' in analysis.meant,
            'enums': any(one.family == 'enum' for one in classes),
            'text enums': any(one.kind in ('str', 'StrEnum') for one in classes),
            'number enums': any(one.kind in ('int', 'IntEnum') for one in classes),
            'dataclasses': bool(options - {'default', 'default_factory', 'frozen', 'eq'}) or _starts_waiting(analysis),
            'method __lt__': orders or 'order' in options or 'functools.total_ordering' in analysis.meant,
            'method __bool__': orders,
            'method keys': not _MAPPINGS.isdisjoint(analysis.words),
            'attributes': lists_attributes(analysis),
        }
        noted = {fact for fact, holds in holding.items() if holds}
        noted |= {f'property {name}' for one in classes for name in _properties(one) | one.members}
        noted |= {f'property {name}' for name in _function_attributes(analysis)}
        noted |= {f'property {name}' for name in _deleted(analysis)}
        noted |= {'property __doc__'} & {f'property {name}' for name in analysis.words}
        noted |= {f'method {name}' for one in classes for name in one.names if name in _METHODS}
        noted |= {f'{one.family} {one.node.name}' for one in classes if one.family in NOTED}
        noted |= {f'text method {name}' for one in classes if one.family == 'enum' for name in one.names & _OF_TEXTS}
        noted |= {f'tuple field {name}' for name in _tuple_fields(analysis, classes)}
        noted |= {f'base {base.id}' for one in plain for base in one.bases if isinstance(base, ast.Name)}
        noted |= {f'own {part.name}' for one in plain for part in one.node.body if isinstance(part, _Function)}
        context.facts |= noted
        self.inherits, self.has_enums = context.has('subclass'), context.has('enums')
        self.has_text_enums = context.has('text enums')
        self.has_mappings = context.has('method keys')
        self.lists_attributes = context.has('attributes')
        self.formats = self.has_enums or context.has('method __format__')
        facts = [fact.split() for fact in (*noted, *analysis.session.facts)]
        self.properties = {fact[1] for fact in facts if fact[0] == 'property'}
        self.methods = {fact[1] for fact in facts if fact[0] == 'own'}
        self.members = {
            name for one in classes for name in (one.names | {*annotated(one.node.body)}) - _properties(one)
        }
        self.bases = {fact[1] for fact in facts if fact[0] == 'base'}
        self.unlisted = [fact[1] for fact in facts if fact[0] == 'member']
        context.facts |= set() if self.inherits else {f'member {name}' for one in plain for name in one.names}
        # Names of classes are not Monty's then.
        stored = [node.attr for node in analysis.all(ast.Attribute) if isinstance(node.ctx, ast.Store)]
        self.renames = (
            '__name__' in stored
            or 'builtins.object' in analysis.meant
            or any(is_polyfilled(one) and one.rpartition('.')[2][:1].isupper() for one in analysis.meant)
        )

    def functions(self) -> dict[str, str]:
        """The polyfills of builtins and similar functions that support these classes."""
        found = dict(_ALWAYS)
        asks = self.inherits or self.has_enums or bool(self.properties)
        if asks or any(one.is_abstract for one in self.kinds.values()):
            found |= {'builtins.isinstance': '_classes__is_a', 'builtins.issubclass': '_classes__is_below'}
        if self.properties or self.inherits:
            found['builtins.getattr'] = '_classes__get'
        if self.properties or self.inherits or self.lists_attributes:
            found['builtins.setattr'] = '_classes__store'
        if self.has_enums:
            found['builtins.len'] = '_comparisons__length'
        if self.formats:
            found['builtins.format'] = '_classes__formatted'
        return found


class Classes(Transform):
    feature = 'classes that inherit, properties, enumerations, dataclasses with options'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return (
            ast.ClassDef in analysis.kinds
            or 'enum' in analysis.words
            or not _ASKING.isdisjoint(analysis.words)
            or lists_attributes(analysis)
            or any(fact.startswith(_OWN_FACTS) for fact in analysis.session.facts)
            or (not _NAMING.isdisjoint(analysis.words) and not analysis.meant.isdisjoint(_CACHES))
            or any(_asks_class(call) for call in analysis.all(ast.Call))
            or any(True for _ in _function_attributes(analysis))
            or any(True for _ in _deleted(analysis))
        )

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._session = session = _Session(context)
        self._refused: list[Refusal] = []
        self._class: Class | None = None
        """The class that is being visited."""
        self._self = ''
        """The first parameter of the method."""
        self._before: list[ast.stmt] = []
        """Statements that must run before the class statement."""
        self._called = set[ast.expr]()
        """Methods that are called at once."""
        self._functions = session.functions()
        if session.inherits or context.has('dataclasses'):
            self._functions |= {f'dataclasses.{name}': f'_dataclasses__{name}' for name in ('dataclass', 'field')}

    def applied(self, tree: ast.Module) -> ast.Module:
        tree = self.below(tree)
        last = tree.body[-1] if tree.body else None
        has_classes = ast.ClassDef in self._analysis.kinds or self._session.has_enums
        if has_classes and isinstance(last, ast.Expr) and isinstance(last.value, ast.Name):
            last.value = self._passed(last.value)
            set_changed(last)
            set_changed(tree)
        if self._refused:
            raise Refused(sorted(self._refused, key=lambda one: (one.line, one.column)))
        return tree

    def _refuse(self, node: ast.expr | ast.stmt, message: str) -> None:
        self._refused.append(refusal(node, message))

    # Class statements

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
            functions = {part.name for part in node.body if isinstance(part, _Function)} | _properties(found)
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
        if is_one and isinstance(scope.node, _Function) and made in scope.node.body:
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
                    self._refuse(part, f'{text} Set the others after it: {node.name}.name = value.')
        found = self._session.table[node]
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

    # Methods

    def _method(self, node: _Function) -> list[ast.stmt]:
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
                template = 'NAME = _classes__method(MARK(F))' if dotted in _CACHES else 'NAME = MARK(F)'
                new += quoted(template, node, NAME=name, MARK=self.expression(mark), F=function)
                function = name
        return new

    # Private names

    def _mangled(self, name: str) -> str:
        return name if self._class is None else private_name(self._class.node, name)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        new = self._mangled(node.arg)
        self.below(node)
        if new != node.arg:
            node.arg = new
            set_changed(node)
        return node

    # Names and attributes

    def visit_Name(self, node: ast.Name) -> ast.expr:
        dotted = meaning(node)
        if dotted in self._functions and isinstance(node.ctx, ast.Load):
            return named(self._functions[dotted], node)
        if dotted == 'builtins.super':
            self._refuse(node, 'super() can only be used with a name here: super().name, or super().name(...).')
        elif dotted == 'builtins.delattr':
            self._refuse(node, 'delattr is called with the name as text here: delattr(x, "name"). Or use a dict.')
        new = self._mangled(node.id)
        return node if new == node.id else placed(ast.Name(new, node.ctx), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        dotted = meaning(node)
        if dotted in self._functions and isinstance(node.ctx, ast.Load):
            return named(self._functions[dotted], node)
        if dotted is not None:
            return node
        if (
            node.attr in _OF_CACHES
            and isinstance(node.value, ast.Attribute)
            and node.value.attr in self._session.methods
        ):
            self._refuse(node, f'Methods have no {node.attr} here. Keep the values in a dict of the object.')
        name = self._mangled(node.attr)
        is_read = isinstance(node.ctx, ast.Load)
        if is_read and isinstance(node.value, ast.Call) and is_call_of(node.value, 'builtins.super'):
            return self._above(node, node.value, name)
        node = self.below(node)
        if name != node.attr:
            node.attr = name
            set_changed(node)
        if isinstance(node.ctx, ast.Store) and self._stores(node):
            target = quoted_expression('_classes__Slot(X)[NAME]', node, X=node.value, NAME=constant(name, node))
            return as_target(target)
        return self._read(node, name) if is_read else node

    def _read(self, node: ast.Attribute, name: str) -> ast.expr:
        value, session = node.value, self._session
        if name == '__dict__':
            return quoted_expression('_classes__attributes(X)', node, X=value)
        if name == '__class__' and (session.has_enums or not (isinstance(value, ast.Name) and value.id == self._self)):
            return quoted_expression('_classes__class_of(X)', node, X=value)
        if name in ('__name__', '__qualname__'):
            of_type = is_call_of(value, 'builtins.type') or (
                isinstance(value, ast.Attribute) and value.attr == '__class__'
            )
            if of_type and name == '__name__' and not session.renames:
                return node
            known = [constant(value.attr, node)] if isinstance(value, ast.Attribute) else []
            return quoted_expression('_classes__name_of(X, *KNOWN)', node, X=value, KNOWN=known)
        if name in session.properties:
            read = '_classes__read(X, NAME)'
            if node in self._called or (kinds_with(name) and name != '__doc__'):
                # In Monty methods of builtin types are not values, so a lambda calls them.
                read = '_classes__read(X, NAME, lambda _o, *_a, **_k: _o.METHOD(*_a, **_k))'
            return quoted_expression(read, node, X=value, NAME=constant(name, node), METHOD=name)
        if name in session.methods and node not in self._called:
            return quoted_expression('_classes__as_value(X, NAME)', node, X=value, NAME=constant(name, node))
        return node

    def _above(self, node: ast.Attribute, call: ast.Call, name: str) -> ast.expr:
        match call.args:
            case [owner, obj]:
                owner, obj = self.expression(owner), self.expression(obj)
            case [] if self._class is not None and self._self:
                owner, obj = self._owner(self._class.node, node), named(self._self, node)
            case _:
                self._refuse(node, 'super() can only be called in a method of a class here.')
                return node
        return quoted_expression('_classes__above(X, OWNER, NAME)', node, X=obj, OWNER=owner, NAME=constant(name, node))

    # Calls and other uses of values

    def visit_Call(self, node: ast.Call) -> ast.expr:
        dotted, session = meaning(node.func), self._session
        self._called |= {node.func}
        if isinstance(node.func, ast.Attribute) and dotted is None:
            return self._method_call(node, node.func)
        if session.has_enums and ((dotted or '').startswith('tools.') or is_named(node.func, '_coroutines__later')):
            node = self.below(node)
            node.args = [self._passed(part) for part in node.args]
            for word in node.keywords:
                word.value = self._passed(word.value)
            return set_changed(node)
        return self._builtin_call(node, dotted)

    def _builtin_call(self, node: ast.Call, dotted: str | None) -> ast.expr:
        session = self._session
        if session.has_enums and (dotted in _OF_PLAIN or (dotted or '').startswith(('math.', 're.'))):
            node.args = [self._passed(one, '_enum__plain') for one in node.args]
            for word in node.keywords:
                word.value = self._passed(word.value, '_enum__plain')
        match node:
            case ast.Call(args=[first, *_]) if meaning(first) in MODULES and dotted in _GETTERS:
                return node
            case ast.Call(args=[_, _, _]) if dotted == 'builtins.type':
                self._refuse(node, 'type() cannot create classes here. Write a class statement.')
            case ast.Call(args=[_], keywords=[]) if dotted == 'builtins.type' and session.has_enums:
                node.func = named('_classes__class_of', node)
            case ast.Call() if _asks_class(node):
                node.func = named('_classes__is_a', node)
            case ast.Call(args=[_, ast.Constant(value=name), *_]) if name in _NAMES_ASKED and dotted in _GETTERS:
                node.func = named(_GETTERS[dotted], node)
            case ast.Call(args=[_, ast.Constant(value='__dict__')]) if dotted == 'builtins.hasattr':
                node.func, node.args = named('_classes__has_attributes', node), node.args[:1]
            case ast.Call(args=[first, ast.Constant(value=str(name))]) if dotted == 'builtins.hasattr':
                return self.below(_asked(node, meaning(first), name))
            case ast.Call(args=[_]) if dotted in _OF_MAPPINGS and session.has_mappings:
                return self._wrapped(node, '_classes__mapping(X)')
            case ast.Call(args=[obj, ast.Constant(value=str(name))]) if dotted == 'builtins.delattr':
                return self._deletion(node, self.expression(obj), name)
            case _:
                pass
        return self.below(node)

    def _passed(self, node: ast.expr, through: str = '_classes__outward') -> ast.expr:
        """Return a value that leaves the sandbox or goes to Monty, where enum members are not known."""
        return quoted_expression('F(X)', node, F=through, X=node) if _is_open(node) else node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        node = self.below(node)
        if node.value is None or meaning(node) != EARLY or not self._session.has_enums:
            return node
        node.value = self._passed(node.value)
        return set_changed(node)

    def visit_FunctionDef(self, node: _Function) -> ast.AST:
        text = ast.get_docstring(node, clean=False) if '__doc__' in self._analysis.words else None
        node = self.below(node)
        if not _NAMING.isdisjoint(self._analysis.words):
            marks = [self._kept(mark) for mark in node.decorator_list]
            if marks != node.decorator_list:
                node.decorator_list = marks
                set_changed(node)
        if text is None:
            return node
        node.decorator_list.append(quoted_expression('_classes__documented(TEXT)', node, TEXT=constant(text, node)))
        return set_changed(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def _kept(self, mark: ast.expr) -> ast.expr:
        dotted = meaning(mark.func if isinstance(mark, ast.Call) else mark)
        return quoted_expression('_classes__kept(X)', mark, X=mark) if dotted in _CACHES else mark

    def _method_call(self, node: ast.Call, func: ast.Attribute) -> ast.expr:
        has_texts, value = self._session.has_text_enums, func.value
        if self._context.has(f'tuple field {func.attr}') and not kinds_with(func.attr) and not meaning(value):
            # Monty would only look for a method of the named tuple.
            name = constant(func.attr, func)
            node.func = quoted_expression('_classes__get(X, NAME)', func, X=value, NAME=name)
            return self.below(node)
        if func.attr in ('format', 'format_map'):
            texts = [value] if isinstance(value, ast.Constant) else self._analysis.all(ast.Constant)
            asked = {name for text in texts for name in _FIELDS.findall(str(text.value))} & self._session.properties
            if asked:
                self._refuse(node, f'A template does not read {min(asked)} here. Write an f-string.')
            if self._context.has('method __format__'):
                self._refuse(node, 'A template does not call __format__ here. Write an f-string.')
        if has_texts and func.attr == 'join' and len(node.args) == 1:
            return self._wrapped(node, '_enum__texts(X)')
        if func.attr == 'update' and self._session.has_mappings and len(node.args) == 1:
            return node if 'update' in self._session.methods else self._wrapped(node, '_classes__mapping(X)')
        is_of_texts = has_texts and func.attr in _OF_TEXTS and not meaning(value)
        takes = is_of_texts and not node.keywords and any(map(_is_open, node.args))
        if is_of_texts and not self._context.has(f'text method {func.attr}'):
            func.value = quoted_expression('_enum__plain(X)', value, X=value)
        node = self.below(node)
        if takes and func.attr not in self._session.methods and func is node.func:
            # Monty's texts take no members.
            called = 'lambda _o, *_a: _o.NAME(*_enum__given(_o, _a))'
            node.args.insert(0, func.value)
            node.func = quoted_expression(called, func, NAME=func.attr)
            set_changed(node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        node = self.below(node)
        match node.ops:
            case [ast.In() | ast.NotIn() as op] if self._session.has_text_enums and _is_open(node.left):
                template = 'not ' * isinstance(op, ast.NotIn) + '_enum__inside(A, B)'
                return quoted_expression(template, node, A=node.left, B=node.comparators[0])
            case _:
                return node

    def _wrapped(self, node: ast.Call, template: str) -> ast.Call:
        node = self.below(node)
        node.args = [quoted_expression(template, node, X=node.args[0])]
        return set_changed(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node = self.below(node)
        if node.arg is None and self._session.has_mappings:
            node.value = quoted_expression('_classes__mapping(X)', node.value, X=node.value)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        node = self.below(node)
        if None not in node.keys or not self._session.has_mappings:
            return node
        pairs = zip(node.keys, node.values, strict=True)
        made = '_classes__mapping(X)'
        node.values = [value if key else quoted_expression(made, value, X=value) for key, value in pairs]
        return set_changed(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load) and not meaning(node.value):
            found = self._session.kinds.get(node.value.id)
            if found is not None and found.family == 'plain' and found.is_generic:
                return set_changed(node.value)
        return self.below(node)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        node = self.below(node)
        if self._session.formats and node.conversion == -1:
            spec = node.format_spec or constant('', node)
            node.value = quoted_expression('_classes__formatted(X, SPEC)', node, X=node.value, SPEC=spec)
            node.format_spec = None
            set_changed(node)
        return node

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        if self._covers_others(node.cls):
            text = 'A pattern does not see all objects of {} here. Write case _ if isinstance(x, {}).'
            self._refuse(node.cls, text.format(*[ast.unparse(node.cls)] * 2))
        return self.below(node)

    def _covers_others(self, cls: ast.expr) -> bool:
        """Return whether the class has instances that Monty does not recognize as such."""
        kind = ast.unparse(cls)
        facts = {'builtins.int': 'number enums', 'builtins.str': 'text enums'}
        return self._context.has(facts.get(meaning(cls) or '', f'enum {kind}')) or kind in self._session.bases

    # Stores

    def _stores(self, node: ast.expr) -> bool:
        """Return whether a target is set through the polyfill."""
        if not isinstance(node, ast.Attribute):
            return False
        if node.attr in ('__dict__', '__class__'):
            self._refuse(node, f'{node.attr} cannot be set here. Set the attributes one by one.')
        if node.attr in self._session.properties or self._session.lists_attributes:
            return True
        is_own = isinstance(node.value, ast.Name) and node.value.id == self._self != 'cls'
        is_member = self._session.has_enums and node.attr in ('name', 'value')
        return (self._session.inherits or is_member) and not is_own

    def _store(self, target: ast.Attribute, value: ast.expr) -> list[ast.stmt]:
        name = constant(self._mangled(target.attr), target)
        return quoted('_classes__store(X, NAME, Y)', target, X=self.expression(target.value), NAME=name, Y=value)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        match node.targets:
            case [ast.Attribute() as target] if self._stores(target):
                value = self.expression(node.value)
                if isinstance(target.value, ast.Name):
                    return self._store(target, value)
                # Python computes the value before the object.
                name = self._fresh('value')
                return [*quoted('NAME = X', node, NAME=name, X=value), *self._store(target, named(name, node))]
            case _:
                return self.below(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | list[ast.stmt]:
        if isinstance(node.target, ast.Attribute) and node.value is not None and self._stores(node.target):
            return self._store(node.target, self.expression(node.value))
        return self.below(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        target = node.target
        if not (isinstance(target, ast.Attribute) and self._stores(target)):
            return self.below(node)
        before, target = repeatable(target, self._fresh)
        assert isinstance(target, ast.Attribute)
        before, value = self.body(before), self._fresh('value')
        before += quoted('NAME = X', node, NAME=value, X=self.expression(as_target(target, ast.Load())))
        change = ast.AugAssign(placed(ast.Name(value, ast.Store()), node), node.op, self.expression(node.value))
        return [*before, placed(change, node), *self._store(target, named(value, node))]

    # Deletions

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.stmt]:
        node = self.below(node)
        if not any(isinstance(target, ast.Attribute) for target in node.targets):
            return node
        new = list[ast.stmt]()
        for target in node.targets:
            if isinstance(target, ast.Attribute):
                new.append(placed(ast.Expr(self._deletion(target, target.value, target.attr)), node))
            else:
                new.append(placed(ast.Delete([target]), node))
        return new

    def _deletion(self, node: ast.expr, obj: ast.expr, name: str) -> ast.expr:
        session, before = self._session, self._analysis.session
        if not (session.table or session.lists_attributes) or before.callables - before.meanings.keys():
            # Functions of earlier scripts read the attribute without the polyfill.
            self._refuse(node, _NOT_DELETED)
        elif name in session.members:
            self._refuse(node, f'{name} is in the body of a class, so it cannot be deleted here. Set it to None.')
        elif name not in session.properties:
            self._refuse(node, 'A private attribute cannot be deleted here. Set it to None.')
        return quoted_expression('_classes__delete(X, NAME)', node, X=obj, NAME=constant(name, node))


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


def _asks_class(node: ast.Call) -> bool:
    """Return whether it is `isinstance(x, type)`."""
    if meaning(node.func) != 'builtins.isinstance' or len(node.args) != 2:
        return False
    kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
    return any(meaning(part) == 'builtins.type' for part in kinds)


def _asked(node: ast.Call, kind: str | None, name: str) -> ast.expr:
    """Return what `hasattr(x, name)` becomes; `kind` is what `x` means."""
    if kind in TYPES:
        return constant(hasattr(TYPES[kind], name), node)
    node.args.append(constant(kinds_with(name), node))
    return node


def _is_reserved(name: str) -> bool:
    """Return whether a name in an enum is not a member: `__slots__`, `_ignore_`, `__private`."""
    return name.startswith('__') or (name.startswith('_') and name.endswith('_'))


def _marks(node: _Function) -> set[str | None]:
    return {meaning(mark.func if isinstance(mark, ast.Call) else mark) for mark in node.decorator_list}


def _has_marks(node: ast.ClassDef) -> bool:
    """Return whether the class has class methods or abstract methods."""
    marks = {mark for part in node.body if isinstance(part, _Function) for mark in _marks(part)}
    return not marks.isdisjoint(['builtins.classmethod', 'abc.abstractmethod'])


def _properties(found: Class) -> set[str]:
    """Return the names of attributes that the polyfill resolves."""
    names = set[str]()
    for part in found.node.body:
        match part:
            case ast.FunctionDef(name=name) if not _marks(part).isdisjoint(_PROPERTIES):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)) if meaning(func) in _PROPERTIES:
                names.add(name)
            case _:
                pass
    return names


def _is_open(node: ast.expr) -> bool:
    """Return whether the value may be a member of an enumeration."""
    return not isinstance(node, (ast.Constant, ast.JoinedStr, ast.Starred))


def _starts_waiting(analysis: Analysis) -> bool:
    """Return whether a `__post_init__` may wait, which Monty's own dataclasses call where a script cannot."""
    starts = [node.body for node in analysis.all(ast.FunctionDef) if node.name == '__post_init__']
    waiting = waiting_of(analysis, maybe=True) if starts else None
    return waiting is not None and any(waiting.inside(body) is not None for body in starts)


def _function_attributes(analysis: Analysis) -> Iterator[str]:
    """Yield the attributes that the script sets on functions: its own, and those passed to its decorators."""
    for node in analysis.all(ast.Attribute):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            name, owner = node.value.id, analysis.scopes.owner(node.value)
            if owner is not None and any(
                isinstance(one, _Function) or (isinstance(one, ast.arg) and _returns(owner.node, name))
                for one in owner.bound[name]
            ):
                yield node.attr


def _deleted(analysis: Analysis) -> Iterator[str]:
    """Yield the names of attributes that the script deletes."""
    for target in [target for node in analysis.all(ast.Delete) for target in node.targets]:
        if isinstance(target, ast.Attribute):
            yield target.attr
    for node in analysis.all(ast.Call) if 'builtins.delattr' in analysis.meant else ():
        match node.args:
            case [_, ast.Constant(value=str(name))] if is_call_of(node, 'builtins.delattr'):
                yield name
            case _:
                pass


def _tuple_fields(analysis: Analysis, classes: Iterable[Class]) -> Iterator[str]:
    """Yield the fields of the script's named tuples, as far as their names are literals."""
    for one in classes:
        yield from {*annotated(one.node.body)} | one.names if one.family == 'tuple' else ()
    for node in analysis.all(ast.Call) if 'collections.namedtuple' in analysis.meant else ():
        if is_call_of(node, 'collections.namedtuple'):
            for part in (part for argument in node.args[1:] for part in ast.walk(argument)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield from part.value.replace(',', ' ').split()


def _returns(node: ast.AST, name: str) -> bool:
    returned = [part.value for part in getattr(node, 'body', ()) if isinstance(part, ast.Return)]
    return any(isinstance(value, ast.Name) and value.id == name for value in returned)


_FIELDS = re.compile(r'\.([A-Za-z_]\w*)(?=[^{}]*\})')
"""The attributes in the fields of a template."""
_NOT_DELETED = (
    'An attribute can only be deleted by the script that has the class, if no earlier script has functions or classes. '
    'Set it to None.'
)
_OF_TEXTS = frozenset(name for name in dir(str) if not name.startswith('_')) - {'join', 'format'}
_OF_PLAIN = words('datetime.timedelta decimal.Decimal fractions.Fraction builtins.chr builtins.enumerate builtins.ord')
"""Functions that take no members of enumerations in Monty."""
_OF_CACHES = frozenset(['cache_clear', 'cache_info', 'cache_parameters'])
_GETTERS = {'builtins.getattr': '_classes__get', 'builtins.hasattr': '_classes__has'}
_NAMES_ASKED = ('__name__', '__qualname__', '__class__')
_PARTS = ('setter', 'getter', 'deleter')
_PROPERTIES = frozenset(['builtins.property', 'functools.cached_property', 'abc.abstractproperty'])
_DROPPED = frozenset(['typing.final', 'typing.overload'])
_CACHES = frozenset(['functools.lru_cache', 'functools.cache'])
_METHODS = words(
    '__lt__ __le__ __gt__ __ge__ __eq__ __ne__ __bool__ __len__ __format__ __hash__ __contains__ __reversed__ keys'
) | {*IN_PLACE.values()}
"""Methods that are facts for other transforms."""
_ALWAYS = {
    'builtins.property': '_classes__Property',
    'builtins.staticmethod': '_classes__Static',
    'builtins.classmethod': '_classes__OfClass',
    'builtins.hasattr': '_classes__has',
    'builtins.issubclass': '_classes__is_below',
    'builtins.vars': '_classes__vars',
    'functools.cached_property': '_classes__cached_property',
}
_NAMING = words('__name__ __doc__ wraps update_wrapper')
"""Words of scripts in which functions that are cached keep their names."""
_MAPPINGS = words('ChainMap configparser')
_OF_MAPPINGS = ('builtins.dict', 'collections.OrderedDict')
_ASKING = words('namedtuple delattr __class__ getattr issubclass hasattr __name__ __qualname__ __doc__') | _MAPPINGS
_OWN_FACTS = (
    'attributes',
    'property ',
    'subclass',
    'enum',
    'method __format__',
    'method keys',
    'dataclasses',
    'tuple field ',
)
