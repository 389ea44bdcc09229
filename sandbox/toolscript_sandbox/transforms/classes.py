"""Classes: bases, `super`, properties, static, class and abstract methods, enumerations, dataclasses, named tuples.

A class statement has the same name and body, but for what Monty does not run in one: bases become a decorator
(`derived` of the polyfill), decorators of methods become calls behind them, a function makes a class within a class.
What an object has under a name is found at run time: a read or a store of an attribute goes through the polyfill where
the name is that of a property of some class of the session (fact `'property NAME'`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from zlib import crc32

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import CLASS_MEMBERS, MODULES
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.refusals import Refusal, Refused, refusal

from .class_table import Class, class_table
from .provided_names import is_polyfilled
from .transform import Context, Transform
from .tree import (
    Transformer,
    as_target,
    constant,
    is_call_of,
    is_changed,
    meaning,
    placed,
    quoted,
    quoted_expression,
    set_changed,
)

_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    transformer = _Classes(context)
    tree = transformer.below(tree)
    last = tree.body[-1] if tree.body else None
    if context.has('enums') and isinstance(last, ast.Expr) and isinstance(last.value, ast.Name):
        last.value = quoted_expression('_enum__outward(X)', last, X=last.value)
        set_changed(last)
        set_changed(tree)
    if transformer.refused:
        raise Refused(sorted(transformer.refused, key=lambda one: (one.line, one.column)))
    return tree


def _needed(analysis: Analysis) -> bool:
    return (
        ast.ClassDef in analysis.kinds
        or 'enum' in analysis.words
        or not _ASKING.isdisjoint(analysis.words)
        or _names_dict(analysis)
        or any(fact.startswith(_OWN_FACTS) for fact in analysis.session.facts)
        or _MAPPING in analysis.meant
        or any(True for _ in _function_attributes(analysis))
    )


def _names_dict(analysis: Analysis) -> bool:
    """Whether `'__dict__'` is asked for by text."""
    return '__dict__' in analysis.text and any(node.value == '__dict__' for node in analysis.all(ast.Constant))


class _Session:
    """What is known of the classes of the script and of earlier ones."""

    def __init__(self, context: Context) -> None:
        analysis = context.analysis
        self.table = class_table(analysis)
        classes = self.table.values()
        plain = [one for one in classes if one.family == 'plain']
        self.inherits = any(one.bases for one in plain) or context.has('subclass')
        self.has_enums = any(one.family == 'enum' for one in classes) or context.has('enums')
        self.has_text_enums = any(one.kind in ('str', 'StrEnum') for one in classes) or context.has('text enums')
        self.has_number_enums = any(one.kind in _NUMBER_ENUMS for one in classes) or context.has('number enums')
        self.asks_variables = not analysis.words.isdisjoint(_ASKING_VARIABLES) or _names_dict(analysis)
        self.reads_docs = '__doc__' in analysis.words
        self.formats = (
            self.has_enums or any('__format__' in one.names for one in classes) or context.has('method __format__')
        )
        self.shows_polyfills = any(
            is_polyfilled(one) and one.rpartition('.')[2][:1].isupper() for one in analysis.meant
        )
        self.dataclasses = self.inherits or _has_dataclass_options(analysis) or context.has('dataclasses')
        self.kinds = {one.node.name: one for one in classes}
        members = {name for one in plain for name in one.names}
        facts = [fact.split() for fact in analysis.session.facts]
        properties = {name for one in classes for name in _properties(one)} | {*_function_attributes(analysis)}
        self.properties = properties | {fact[1] for fact in facts if fact[0] == 'property'}
        self.unlisted = sorted(fact[1] for fact in facts if fact[0] == 'member')
        self.below = {(fact[1], fact[2]) for fact in facts if fact[0] == 'below'}
        self.below |= {(base.id, one.node.name) for one in plain for base in one.bases if isinstance(base, ast.Name)}
        context.facts |= {f'property {name}' for name in properties}
        context.facts |= {f'method {name}' for one in classes for name in one.names if name in _METHODS}
        context.facts |= {
            f'{one.family} {one.node.name}' for one in classes if one.family in ('enum', 'tuple', 'typed dict')
        }
        context.facts |= {f'below {base} {name}' for base, name in self.below}
        context.facts |= {'subclass'} if self.inherits else {f'member {name}' for name in members}
        context.facts |= {'enums'} if self.has_enums else set()
        context.facts |= {'text enums'} if self.has_text_enums else set()
        context.facts |= {'number enums'} if self.has_number_enums else set()
        context.facts |= {'dataclasses'} if self.dataclasses else set()
        if any(one.family == 'enum' and one.kind != 'Enum' for one in classes) or 'total_ordering' in analysis.words:
            context.facts |= {'method __lt__', 'method __bool__'}
        if _MAPPING in analysis.meant:
            context.facts.add('method keys')
        if _orders(analysis):
            context.facts.add('method __lt__')


class _Classes(Transformer):
    def __init__(self, context: Context) -> None:
        self._context = context
        self._fresh = context.fresh
        self._session = _Session(context)
        self.refused: list[Refusal] = []
        self._class: Class | None = None
        """The class in whose methods the walk is."""
        self._self = ''
        """The first parameter of the method."""
        self._before: list[ast.stmt] = []
        """What must run before the class statement."""
        session = self._session
        self._dispatches = 'singledispatch' in context.analysis.words
        self._names = dict(_ALWAYS)
        if (
            session.inherits
            or session.has_enums
            or session.properties
            or any(one.is_abstract for one in session.kinds.values())
        ):
            self._names |= {'builtins.isinstance': 'classes.is_a', 'builtins.issubclass': 'classes.is_below'}
        if session.properties or session.asks_variables or session.inherits:
            store = 'classes.noted' if session.asks_variables else 'classes.store'
            self._names |= {
                'builtins.getattr': 'classes.get',
                'builtins.hasattr': 'classes.has',
                'builtins.setattr': store,
            }
        if context.has('method __reversed__'):
            self._names['builtins.reversed'] = 'classes.backwards'
        if session.has_enums:
            self._names['builtins.len'] = 'comparisons.length'
        if session.formats:
            self._names['builtins.format'] = 'classes.formatted'
        if session.dataclasses:
            self._names |= {f'dataclasses.{name}': f'dataclasses.{name}' for name in ('dataclass', 'field')}

    def _refuse(self, node: ast.expr | ast.stmt, message: str) -> None:
        self.refused.append(refusal(node, message))

    # Class statements

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | list[ast.stmt]:
        before, self._before = self._before, []
        new = self._statement(node)
        new = [*self._before, *(new if isinstance(new, list) else [new])]
        self._before = before
        return new[0] if len(new) == 1 else new

    def _statement(self, node: ast.ClassDef) -> ast.stmt | list[ast.stmt]:
        found = self._session.table[node]
        outer = (self._class, self._self)
        self._check(node, found)
        marks = [self.expression(mark) for mark in node.decorator_list]
        mark = self._mark(node, found)
        self._class = found
        body = self._body(node)
        self._class, self._self = outer
        if found.family == 'typed dict':
            return quoted('NAME = dict', node, NAME=node.name)
        if mark is not None:
            marks.append(mark)
        if (
            node.bases
            or node.keywords
            or len(marks) > len(node.decorator_list)
            or any(map(is_changed, [*marks, *body]))
        ):
            set_changed(node)
        if len(body) != len(node.body):
            set_changed(node)
        node.bases, node.keywords, node.decorator_list, node.body = [], [], marks, body
        return node

    def _mark(self, node: ast.ClassDef, found: Class) -> ast.expr | None:
        """The decorator that gives the class what Monty's class statement does not."""
        names = _text(sorted(found.names), node)
        bases = placed(ast.Tuple([self.expression(base) for base in found.bases], ast.Load()), node)
        if found.family == 'enum':
            functions = {part.name for part in node.body if isinstance(part, _FUNCTIONS)} | _properties(found)
            functions |= {
                target.id
                for part in node.body
                if isinstance(part, ast.Assign) and isinstance(part.value, ast.Lambda)
                for target in part.targets
                if isinstance(target, ast.Name)
            }
            members = [name for name in _assigned(node) if name not in functions and not _is_reserved(name)]
            return quoted_expression(
                '_enum__members(KIND, MEMBERS, FUNCTIONS, BASES)',
                node,
                KIND=constant(found.kind, node),
                MEMBERS=_text(members, node),
                FUNCTIONS=_text(sorted(found.names - {*members}), node),
                BASES=bases,
            )
        if found.family == 'tuple':
            base = node.bases[0]
            given = constant(None, node) if meaning(base) == 'typing.NamedTuple' else self.expression(base)
            fields = [
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            ]
            return quoted_expression(
                '_classes__named_tuple(BASE, FIELDS, NAMES)', node, BASE=given, FIELDS=_text(fields, node), NAMES=names
            )
        abstract = [part.name for part in node.body if isinstance(part, _FUNCTIONS) and _is_abstract(part)]
        words = [word for word in node.keywords if word.arg != 'metaclass']
        calls = any(is_call_of(part, 'builtins.super') for part in ast.walk(node))
        if not (
            self._session.inherits or calls or words or bases.elts or found.is_abstract or _has_class_methods(node)
        ):
            return None
        return quoted_expression(
            '_classes__derived(BASES, NAMES, UNLISTED, ABSTRACT, KEY, WORDS)',
            node,
            BASES=bases,
            NAMES=names,
            UNLISTED=_text(self._session.unlisted, node),
            ABSTRACT=_text(abstract, node) if found.is_abstract else constant(None, node),
            KEY=constant(self._key(node) if calls else None, node),
            WORDS=placed(
                ast.Dict(
                    [None if word.arg is None else constant(word.arg, node) for word in words],
                    [self.expression(word.value) for word in words],
                ),
                node,
            ),
        )

    def _key(self, node: ast.ClassDef) -> str:
        """What `super()` finds its class by: the same text makes the same class."""
        return f'{node.name}:{node.lineno}:{crc32(self._context.analysis.text.encode("utf-8", "replace")):x}'

    def _check(self, node: ast.ClassDef, found: Class) -> None:
        if found.family == 'foreign':
            text = _ADVICE_ON_BASES.get(found.kind, _INSTEAD_OF_BASE)
            self._refuse(node, f'A class cannot inherit from {found.kind} here. {text}')
        for word in node.keywords:
            if word.arg == 'metaclass' and meaning(word.value) != 'abc.ABCMeta':
                self._refuse(node, 'There are no metaclasses here. Use a class decorator, or __init_subclass__.')
        for part in node.body:
            name = getattr(part, 'name', '')
            if name in CLASS_MEMBERS:
                self._refuse(part, f'{name} of a class is not asked here. {CLASS_MEMBERS[name]}')
            if found.family == 'tuple' and name.startswith('__'):
                self._refuse(part, f'A named tuple cannot define {name} here. Use @dataclass(frozen=True).')
        has_slots = any(
            word.arg == 'slots' for mark in node.decorator_list if isinstance(mark, ast.Call) for word in mark.keywords
        )
        if (has_slots or '__slots__' in found.names) and 'AttributeError' in self._context.analysis.words:
            self._refuse(node, '__slots__ does not keep other attributes out here. Leave it out.')

    def _body(self, node: ast.ClassDef) -> list[ast.stmt]:
        new, names = list[ast.stmt](), self._session.table[node].names
        for part in node.body:
            match part:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    new += self._method(part)
                case ast.ClassDef():
                    new += self._nested(part)
                case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Expr():
                    self._see_comprehensions(part, names)
                    new += self._assigned(self.below(part))
                case ast.Pass():
                    new.append(part)
                case _:
                    text = 'Only methods, variables and classes can be in the body of a class here.'
                    self._refuse(part, f'{text} Set the others behind it: {node.name}.name = value.')
        found = self._session.table[node]
        defined = found.names if not found.bases else {'__iter__'}
        if found.iterates and '__iter__' not in found.names:
            new += quoted('__iter__ = _classes__itself', node)
        elif found.family == 'plain' and '__getitem__' in defined and '__iter__' not in defined:
            new += quoted('__iter__ = _classes__by_index', node)
        if '__ne__' in found.names or not new:
            new += quoted('pass', node)
        return new

    def _assigned(self, node: ast.stmt) -> list[ast.stmt]:
        """Variables of a class: Monty takes one name at a time."""
        match node:
            case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign():
                return [node]
            case ast.Assign(targets=targets, value=value):
                name = self._fresh('value')
                new = quoted('NAME = VALUE', node, NAME=name, VALUE=value)
                for target in targets:
                    if isinstance(target, (ast.Tuple, ast.List)):
                        for place, part in enumerate(target.elts):
                            one = quoted_expression('[*X][I]', node, X=name, I=constant(place, node))
                            new += quoted('TARGET = VALUE', node, TARGET=part, VALUE=one)
                    else:
                        new += quoted('TARGET = NAME', node, TARGET=target, NAME=name)
                return new
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                read = as_target(target, ast.Load())
                return quoted('T = V', node, T=target, V=placed(ast.BinOp(read, op, value), node))
            case ast.Expr(value=ast.Constant()):
                return [node]
            case ast.Expr(value=value):
                return quoted('NAME = VALUE', node, NAME=self._fresh('value'), VALUE=value)
            case _:
                return [node]

    def _see_comprehensions(self, node: ast.stmt, names: frozenset[str]) -> None:
        for part in ast.walk(node):
            if isinstance(part, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
                own = {one.id for one in ast.walk(part) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
                outside = {*ast.walk(part.generators[0].iter)}
                for one in ast.walk(part):
                    if isinstance(one, ast.Name) and one not in outside and one.id in names - own:
                        self._refuse(
                            part,
                            f'In Python a comprehension does not see {one.id} of the class around it. Write a loop.',
                        )

    def _nested(self, node: ast.ClassDef) -> list[ast.stmt]:
        """A class within a class, which a function in front of the outer one makes; its bases are known here alone."""
        maker, found = (
            f'_{node.name.strip("_").lower() or "class"}__{self._fresh("class").rpartition("__")[2]}',
            self._session.table[node],
        )
        bases = [*found.bases]
        if bases:
            given = [f'base_{place}' for place in range(len(bases))]
            parameters = [placed(ast.Name(name, ast.Load()), node) for name in given]
            self._session.table[node] = replace(found, bases=tuple(parameters))
        else:
            given = []
        before, self._before = self._before, []
        new = self.visit_ClassDef(node)
        self._before = before
        made = quoted(
            f'def MAKER({", ".join(given)}):\n    BODY\n    return NAME',
            node,
            MAKER=maker,
            NAME=node.name,
            BODY=[
                *(new if isinstance(new, list) else [new])  # pyright: ignore[reportArgumentType]
            ],
        )
        self._before += made
        call = quoted_expression('MAKER()', node, MAKER=maker)
        assert isinstance(call, ast.Call)
        call.args = [self.expression(base) for base in bases]
        return quoted('NAME = VALUE', node, NAME=node.name, VALUE=call)

    # Methods

    def _method(self, node: _Function) -> list[ast.stmt]:
        marks, node.decorator_list = node.decorator_list, []
        self._mark_docs(node, marks)
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
            if dotted in _DROPPED:
                continue
            template = '_classes__method(DECORATOR(F))' if dotted in _CACHES else 'DECORATOR(F)'
            call = quoted_expression(template, mark, DECORATOR=self.expression(mark), F=function)
            new += quoted('NAME = CALL', node, NAME=name, CALL=call)
            function = name
        return new

    def _mark_docs(self, node: _Function, marks: list[ast.expr]) -> None:
        text = ast.get_docstring(node, clean=False) if self._session.reads_docs else None
        if text is not None:
            marks.append(quoted_expression('_classes__documented(TEXT)', node, TEXT=constant(text, node)))
            set_changed(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        first = node.args.args[0].annotation if node.args.args else None
        for place, mark in enumerate(node.decorator_list):
            if self._dispatches and first is not None and isinstance(mark, ast.Attribute) and mark.attr == 'register':
                # Monty's functions do not tell their annotations.
                node.decorator_list[place] = quoted_expression('REGISTER(KIND)', mark, REGISTER=mark, KIND=first)
                set_changed(node)
        self._mark_docs(node, node.decorator_list)
        return self.below(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        self._mark_docs(node, node.decorator_list)
        return self.below(node)

    # Private names

    def _mangled(self, name: str) -> str:
        if self._class is None or not name.startswith('__') or name.endswith('__'):
            return name
        return f'_{self._class.node.name.lstrip("_")}{name}'

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
        if dotted in self._names and isinstance(node.ctx, ast.Load):
            module, _, name = self._names[dotted].rpartition('.')
            return placed(ast.Name(polyfill(module, name), ast.Load()), node)
        if dotted == 'builtins.super':
            self._refuse(node, 'super() can only be asked for a name here: super().name, or super().name(...).')
        new = self._mangled(node.id)
        return node if new == node.id else placed(ast.Name(new, node.ctx), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        dotted = meaning(node)
        if dotted in self._names and isinstance(node.ctx, ast.Load):
            module, _, name = self._names[dotted].rpartition('.')
            return placed(ast.Name(polyfill(module, name), ast.Load()), node)
        if dotted is not None:
            return node
        name = self._mangled(node.attr)
        if is_call_of(node.value, 'builtins.super') and isinstance(node.ctx, ast.Load):
            return self._above(node, node.value, name)
        node = self.below(node)
        if name != node.attr:
            node.attr = name
            set_changed(node)
        if not isinstance(node.ctx, ast.Load):
            return node
        asked = self._asked(node)
        if asked:
            new = quoted_expression('ASKED(X)', node, ASKED=polyfill('classes', asked), X=node.value)
            if asked == 'name_of' and isinstance(node.value, ast.Attribute) and isinstance(new, ast.Call):
                new.args.append(constant(node.value.attr, node))
            return new
        if name in self._session.properties:
            read = '_classes__read(X, NAME)'
            if name in _NATIVE:
                # Monty has no methods of builtin types as values: a lambda calls them.
                read = '_classes__read(X, NAME, lambda _o, *_a, **_k: _o.METHOD(*_a, **_k))'
            return quoted_expression(read, node, X=node.value, NAME=constant(name, node), METHOD=name)
        return node

    def _asked(self, node: ast.Attribute) -> str | None:
        """What answers for an attribute that Monty does not have as Python does."""
        session = self._session
        if node.attr == '__dict__':
            if self._is_class(node.value):
                self._refuse(
                    node, 'A class has no __dict__ here. Name the attributes that you need, or keep them in a dict.'
                )
            return 'variables'
        if node.attr == '__class__':
            is_self = isinstance(node.value, ast.Name) and node.value.id == self._self
            return 'class_of' if session.has_enums or not is_self else None
        if node.attr in ('__name__', '__qualname__'):
            of_type = is_call_of(node.value, 'builtins.type') or _is_class_of(node.value)
            return None if of_type and node.attr == '__name__' and not session.shows_polyfills else 'name_of'
        return _ATTRIBUTES.get(node.attr)

    def _is_class(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self._session.kinds or node.id == 'cls'
        return is_call_of(node, 'builtins.type') or _is_class_of(node)

    def _above(self, node: ast.Attribute, call: ast.expr, name: str) -> ast.expr:
        assert isinstance(call, ast.Call)
        match call.args:
            case [owner, obj]:
                owner, obj = self.expression(owner), self.expression(obj)
            case [] if self._class is not None and self._self:
                owner = constant(self._key(self._class.node), node)
                obj = placed(ast.Name(self._self, ast.Load()), node)
            case _:
                self._refuse(node, 'super() can only be called in a method of a class here.')
                return node
        return quoted_expression('_classes__above(X, OWNER, NAME)', node, X=obj, OWNER=owner, NAME=constant(name, node))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        func = node.func
        match node:
            case ast.Call(args=[first, *_]) if meaning(first) in MODULES and meaning(func) in _GETTERS:
                return node
            case ast.Call(args=[obj], keywords=[]) if meaning(func) == 'builtins.type':
                if self._session.has_enums:
                    return quoted_expression('_classes__class_of(X)', node, X=self.expression(obj))
            case ast.Call(args=[obj, kinds]) if meaning(func) == 'builtins.isinstance' and _names_type(kinds):
                parts = {'X': self.expression(obj), 'KINDS': self.expression(kinds)}
                return quoted_expression('_classes__is_a(X, KINDS)', node, **parts)
            case ast.Call(args=[obj]) if meaning(func) == 'builtins.vars' and self._is_class(obj):
                self._refuse(node, 'vars() of a class is not available here. Name the attributes that you need.')
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=obj, attr='__dict__'), attr='update')):
                new = quoted_expression('_classes__update(X)', node, X=self.expression(obj))
                assert isinstance(new, ast.Call)
                new.args += [self.expression(one) for one in node.args]
                new.keywords = [self.below(word) for word in node.keywords]
                return new
            case ast.Call(func=ast.Attribute(value=obj, attr='__subclasses__' | 'mro' as name), args=[]):
                if name == '__subclasses__' or self._is_class(obj):
                    asked = 'subclasses' if name == '__subclasses__' else 'order_of'
                    return quoted_expression('F(X)', node, F=polyfill('classes', asked), X=self.expression(obj))
            case _:
                self._refuse_call(node)
        return self._with_plain_argument(node)

    def _with_plain_argument(self, node: ast.Call) -> ast.Call:
        """A call of what Monty gives only its own texts and dicts, or that asks for a name of a function."""
        func = node.func
        match node:
            case ast.Call(args=[_, ast.Constant(value=name), *_]) if name in _NAMES_ASKED and meaning(func) in _GETTERS:
                node = self.below(node)
                function = _GETTERS[meaning(func) or '']
                node.func = placed(ast.Name(polyfill('classes', function), ast.Load()), func)
                return set_changed(node)
            case ast.Call(func=ast.Attribute(attr='join'), args=[_]) if self._session.has_text_enums:
                wrapper = '_enum__texts(X)'
            case ast.Call(args=[_]) if meaning(func) == 'builtins.dict' and self._has_mappings():
                wrapper = '_classes__mapping(X)'
            case _:
                return self.below(node)
        node = self.below(node)
        node.args = [quoted_expression(wrapper, node, X=node.args[0])]
        return set_changed(node)

    def _refuse_call(self, node: ast.Call) -> None:
        """Refuse calls that would make classes, or delete attributes."""
        dotted = meaning(node.func) or ''
        if dotted == 'builtins.type' and len(node.args) == 3:
            self._refuse(node, 'type() makes no classes here. Write a class statement.')
        elif dotted in _ENUMS:
            self._refuse(node, 'Write the enumeration as a class.')
        elif dotted == 'builtins.delattr':
            self._refuse(node, 'An attribute cannot be deleted here. Set it to None.')

    def _has_mappings(self) -> bool:
        """Whether an object that is no dict may be taken as one."""
        return self._context.has('method keys') or 'ChainMap' in self._context.analysis.words

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node = self.below(node)
        if node.arg is None and self._has_mappings():
            node.value = quoted_expression('_classes__mapping(X)', node.value, X=node.value)
            set_changed(node)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        node = self.below(node)
        if None in node.keys and self._has_mappings():
            node.values = [
                value if key is not None else quoted_expression('_classes__mapping(X)', value, X=value)
                for key, value in zip(node.keys, node.values, strict=True)
            ]
            set_changed(node)
        return node

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
        """`case Base()` is of the classes below it too."""
        node = self.below(node)
        if not isinstance(node.cls, ast.Name):
            return node
        found = self._session.kinds.get(node.cls.id)
        if (found is not None and found.family == 'enum') or self._context.has(f'enum {node.cls.id}'):
            self._refuse(node.cls, f'A pattern cannot ask for {node.cls.id} here. Use isinstance, or name its members.')
        kind = meaning(node.cls)
        if (kind == 'builtins.int' and self._session.has_number_enums) or (
            kind == 'builtins.str' and self._session.has_text_enums
        ):
            message = (
                'A pattern does not see that a member of an enumeration is a {0} here. Write if isinstance(x, {0}).'
            )
            self._refuse(node.cls, message.format(node.cls.id))
        names, waiting = [node.cls.id], [node.cls.id]
        while waiting:
            name = waiting.pop()
            more = sorted(below for base, below in self._session.below if base == name and below not in names)
            names, waiting = names + more, waiting + more
        if len(names) == 1:
            return node
        patterns = list[ast.pattern]()
        for name in names:
            one = placed(ast.MatchClass(placed(ast.Name(name, ast.Load()), node.cls), [], [], []), node)
            one.patterns, one.kwd_attrs, one.kwd_patterns = node.patterns, node.kwd_attrs, node.kwd_patterns
            patterns.append(one)
        return placed(ast.MatchOr(patterns), node)

    # Stores

    def _stores(self, node: ast.expr) -> bool:
        """Whether a target goes through the polyfill."""
        if not isinstance(node, ast.Attribute):
            return False
        if node.attr in ('__dict__', '__class__'):
            self._refuse(node, f'{node.attr} cannot be set here. Set the attributes one by one.')
        if node.attr in self._session.properties or self._session.asks_variables:
            return True
        is_own = isinstance(node.value, ast.Name) and node.value.id == self._self != 'cls'
        is_member = self._session.has_enums and node.attr in ('name', 'value')
        return (self._session.inherits or is_member) and not is_own

    def _store(self, target: ast.Attribute, value: ast.expr) -> list[ast.stmt]:
        name = 'noted' if self._session.asks_variables else 'store'
        return quoted(
            'STORE(X, NAME, VALUE)',
            target,
            STORE=polyfill('classes', name),
            X=self.expression(target.value),
            NAME=constant(self._mangled(target.attr), target),
            VALUE=value,
        )

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        match node.targets:
            case [ast.Attribute() as target] if self._stores(target):
                return self._store(target, self.expression(node.value))
            case [ast.Subscript(value=ast.Attribute(value=obj, attr='__dict__'), slice=key)]:
                parts = {'X': self.expression(obj), 'KEY': self.expression(key), 'VALUE': self.expression(node.value)}
                return quoted('_classes__noted(X, KEY, VALUE)', node, **parts)
            case targets:
                after = list[ast.stmt]()
                node.targets = [self._replaced(target, after) for target in targets]
                node = self.below(node)
                return [set_changed(node), *after] if after else node

    def _replaced(self, target: ast.expr, after: list[ast.stmt]) -> ast.expr:
        if isinstance(target, (ast.Tuple, ast.List)):
            target.elts = [self._replaced(part, after) for part in target.elts]
        elif isinstance(target, ast.Attribute) and self._stores(target):
            name = self._fresh('value')
            after += self._store(target, placed(ast.Name(name, ast.Load()), target))
            return placed(ast.Name(name, ast.Store()), target)
        return target

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | list[ast.stmt]:
        if isinstance(node.target, ast.Attribute) and node.value is not None and self._stores(node.target):
            return self._store(node.target, self.expression(node.value))
        return self.below(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.stmt]:
        target = node.target
        if not (isinstance(target, ast.Attribute) and self._stores(target)):
            return self.below(node)
        before = list[ast.stmt]()
        if not isinstance(target.value, ast.Name):
            name = self._fresh('object')
            before = quoted('NAME = X', node, NAME=name, X=self.expression(target.value))
            target.value = placed(ast.Name(name, ast.Load()), node)
        value = self._fresh('value')
        read = self.expression(as_target(target, ast.Load()))
        change = ast.AugAssign(placed(ast.Name(value, ast.Store()), node), node.op, self.expression(node.value))
        new = quoted('NAME = READ', node, NAME=value, READ=read)
        return [*before, *new, placed(change, node), *self._store(target, placed(ast.Name(value, ast.Load()), node))]


def _text(names: Iterable[str], at: ast.AST) -> ast.Constant:
    return constant(' '.join(names), at)


def _names_type(node: ast.expr) -> bool:
    return any(meaning(part) == 'builtins.type' for part in (node.elts if isinstance(node, ast.Tuple) else [node]))


def _is_reserved(name: str) -> bool:
    """Whether a name in an enumeration is no member: `__slots__`, `_ignore_`, `__private`."""
    return name.startswith('__') or (name.startswith('_') and name.endswith('_'))


def _is_class_of(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == '__class__'


def _assigned(node: ast.ClassDef) -> Iterator[str]:
    for part in node.body:
        if isinstance(part, ast.Assign):
            for target in part.targets:
                yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))
        elif isinstance(part, ast.AnnAssign) and part.value is not None and isinstance(part.target, ast.Name):
            yield part.target.id


def _marks(node: _Function) -> set[str | None]:
    return {meaning(mark.func if isinstance(mark, ast.Call) else mark) for mark in node.decorator_list}


def _is_abstract(node: _Function) -> bool:
    return not _marks(node).isdisjoint(['abc.abstractmethod', 'abc.abstractproperty'])


def _has_class_methods(node: ast.ClassDef) -> bool:
    return any(meaning(part) == 'builtins.classmethod' for part in ast.walk(node) if isinstance(part, ast.Name))


def _properties(found: Class) -> set[str]:
    """The names that are found with the help of the polyfill."""
    if found.family == 'tuple':
        fields = {part.target for part in found.node.body if isinstance(part, ast.AnnAssign)}
        return set(found.names) - {part.id for part in fields if isinstance(part, ast.Name)} - {'__slots__', '__doc__'}
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


def _function_attributes(analysis: Analysis) -> Iterator[str]:
    """The names under which the script stores something on functions: its own, and those that decorators are given."""
    for node in analysis.all(ast.Attribute):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            owner = analysis.scopes.owner(node.value)
            found = owner.bound[node.value.id] if owner is not None else []
            if any(isinstance(one, _FUNCTIONS) for one in found) or (
                owner is not None
                and isinstance(owner.node, _FUNCTIONS)
                and any(isinstance(one, ast.arg) for one in found)
                and _returns(owner.node, node.value.id)
            ):
                yield node.attr


def _returns(node: _Function, name: str) -> bool:
    return any(
        isinstance(part, ast.Return) and isinstance(part.value, ast.Name) and part.value.id == name
        for part in node.body
    )


def _has_dataclass_options(analysis: Analysis) -> bool:
    if not analysis.meant.isdisjoint(['dataclasses.KW_ONLY', 'dataclasses.InitVar']):
        return True
    return any(
        word.arg not in ('default', 'default_factory', 'frozen', 'eq')
        for node in analysis.all(ast.Call)
        if meaning(node.func) in ('dataclasses.dataclass', 'dataclasses.field')
        for word in node.keywords
    )


def _orders(analysis: Analysis) -> bool:
    return any(
        word.arg == 'order'
        for node in analysis.all(ast.Call)
        if meaning(node.func) == 'dataclasses.dataclass'
        for word in node.keywords
    )


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NATIVE = frozenset(name for kind in (str, bytes, int, float, list, tuple, dict, set, datetime) for name in dir(kind))
_NUMBER_ENUMS = frozenset(['int', 'IntEnum', 'IntFlag'])
_ENUMS = frozenset(f'enum.{name}' for name in ('Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag'))
_GETTERS = {'builtins.getattr': 'get', 'builtins.hasattr': 'has'}
_NAMES_ASKED = ('__name__', '__qualname__', '__doc__', '__wrapped__', '__dict__', '__class__')
_PARTS = ('setter', 'getter', 'deleter')
_PROPERTIES = frozenset(['builtins.property', 'functools.cached_property', 'abc.abstractproperty'])
_DROPPED = frozenset(['abc.abstractmethod', 'typing.final', 'typing.overload'])
_CACHES = frozenset(['functools.lru_cache', 'functools.cache'])
_METHODS = frozenset(
    [
        *('__lt__', '__le__', '__gt__', '__ge__', '__eq__', '__ne__', '__bool__', '__len__', '__format__'),
        *('__iadd__', '__hash__', '__contains__', '__reversed__', 'keys'),
    ]
)
"""Methods that other transforms ask for."""
_ALWAYS = {
    'builtins.property': 'classes.Property',
    'builtins.staticmethod': 'classes.Static',
    'builtins.classmethod': 'classes.OfClass',
    'builtins.vars': 'classes.variables',
    'builtins.issubclass': 'classes.is_below',
    'functools.cached_property': 'classes.cached_property',
    'typing.runtime_checkable': 'classes.runtime_checkable',
}
_ATTRIBUTES = {'__mro__': 'mro', '__bases__': 'bases', '__doc__': 'doc_of', '__wrapped__': 'wrapped'}
_ASKING = frozenset(
    [
        *(
            '__class__',
            'getattr',
            'issubclass',
            'hasattr',
            'singledispatch',
            'ChainMap',
            'SimpleNamespace',
            '__dict__',
            'vars',
        ),
        *('__name__', '__qualname__', '__doc__', '__mro__', '__bases__', '__wrapped__', 'delattr'),
    ]
)
_MAPPING = 'collections.ChainMap'
_OWN_FACTS = ('property ', 'subclass', 'enum', 'tuple ', 'method __format__', 'method keys', 'dataclasses')
_ASKING_VARIABLES = frozenset(['vars', '__dict__', 'SimpleNamespace'])
_INSTEAD_OF_BASE = 'Keep one in an attribute, and write the methods that you need.'
_ADVICE_ON_BASES = {
    'json.JSONEncoder': 'Use json.dumps(value, default=function).',
    'Thread': 'Use asyncio.gather.',
}

CLASSES = Transform(
    'classes that inherit, properties, enumerations, dataclasses with options',
    _apply,
    _needed,
    probe='class A:\n    x = 1\nclass B(A):\n    @property\n    def y(self): return self.x\nB().y',
)
