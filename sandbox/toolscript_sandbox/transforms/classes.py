"""Classes: bases, `super`, properties, static, class and abstract methods, enumerations, dataclasses, named tuples.

A class statement has the same name and body, but for what Monty does not run in one: bases become a decorator
(`derived` of the polyfill), decorators of methods become calls behind them, a function makes a class within a class.
What an object has under a name is found at run time: a read or a store of an attribute goes through the polyfill where
the name is that of a property of some class of the session (fact `'property NAME'`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from datetime import datetime
from zlib import crc32

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import CLASS_MEMBERS, MODULES
from toolscript_sandbox.language.names import polyfill
from toolscript_sandbox.language.refusals import Refusal, Refused, refusal

from .class_table import NOTED, Class, annotated, assigned, class_table
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
    has_classes = ast.ClassDef in context.analysis.kinds or context.has('enums')
    if has_classes and isinstance(last, ast.Expr) and isinstance(last.value, ast.Name):
        last.value = quoted_expression('_classes__outward(X)', last, X=last.value)
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
        or any(fact.startswith(_OWN_FACTS) for fact in analysis.session.facts)
        or any(True for _ in _function_attributes(analysis))
    )


class _Session:
    """What is known of the classes of the script and of earlier ones."""

    def __init__(self, context: Context) -> None:
        analysis = context.analysis
        self.table = class_table(analysis)
        classes = self.table.values()
        plain = [one for one in classes if one.family == 'plain']
        facts = [fact.split() for fact in analysis.session.facts]
        properties = {name for one in classes for name in _properties(one)} | {*_function_attributes(analysis)}
        self.kinds = {one.node.name: one for one in classes}
        self.properties = properties | {fact[1] for fact in facts if fact[0] == 'property'}
        self.unlisted = sorted(fact[1] for fact in facts if fact[0] == 'member')
        self.below = {(fact[1], fact[2]) for fact in facts if fact[0] == 'below'}
        self.below |= {(base.id, one.node.name) for one in plain for base in one.bases if isinstance(base, ast.Name)}
        orders = any(one.family == 'enum' and one.kind != 'Enum' for one in classes)
        holding = {
            'subclass': any(one.bases for one in plain),
            'enums': any(one.family == 'enum' for one in classes),
            'text enums': any(one.kind in ('str', 'StrEnum') for one in classes),
            'number enums': any(one.kind in ('int', 'IntEnum') for one in classes),
            'namespaces': 'types.SimpleNamespace' in analysis.meant,
            'dataclasses': _has_dataclass_options(analysis),
            'method __lt__': orders or 'total_ordering' in analysis.words or _orders(analysis),
            'method __bool__': orders,
            'method keys': not _MAPPINGS.isdisjoint(analysis.words),
        }
        context.facts |= {fact for fact, holds in holding.items() if holds}
        context.facts |= {f'property {name}' for name in properties}
        context.facts |= {f'method {name}' for one in classes for name in one.names if name in _METHODS}
        context.facts |= {f'{one.family} {one.node.name}' for one in classes if one.family in NOTED}
        context.facts |= {f'below {base} {name}' for base, name in self.below}
        self.inherits, self.has_enums = context.has('subclass'), context.has('enums')
        self.has_text_enums, self.has_namespaces = context.has('text enums'), context.has('namespaces')
        context.facts |= set() if self.inherits else {f'member {name}' for one in plain for name in one.names}
        self.formats = self.has_enums or context.has('method __format__')
        self.dataclasses = self.inherits or context.has('dataclasses')
        self.shows_polyfills = any(
            is_polyfilled(one) and one.rpartition('.')[2][:1].isupper() for one in analysis.meant
        )


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
        self._names = dict(_ALWAYS)
        asks = session.inherits or session.has_enums or bool(session.properties)
        if asks or any(one.is_abstract for one in session.kinds.values()):
            self._names |= {'builtins.isinstance': 'classes.is_a', 'builtins.issubclass': 'classes.is_below'}
        if session.properties or session.has_namespaces or session.inherits:
            self._names |= {
                'builtins.getattr': 'classes.get',
                'builtins.hasattr': 'classes.has',
                'builtins.setattr': 'classes.store',
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
        is_longer = len(marks) > len(node.decorator_list) or len(body) != len(node.body)
        if node.bases or node.keywords or is_longer or any(map(is_changed, [*marks, *body])):
            set_changed(node)
        node.bases, node.keywords, node.decorator_list, node.body = [], [], marks, body
        return node

    def _mark(self, node: ast.ClassDef, found: Class) -> ast.expr | None:
        """The decorator that gives the class what Monty's class statement does not."""
        names = _text(sorted(found.names), node)
        bases = placed(ast.Tuple([self.expression(base) for base in found.bases], ast.Load()), node)
        if found.family == 'enum':
            functions = {part.name for part in node.body if isinstance(part, _FUNCTIONS)} | _properties(found)
            members = [name for name in assigned(node.body) if name not in functions and not _is_reserved(name)]
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
            fields = annotated(node.body)
            return quoted_expression(
                '_classes__named_tuple(BASE, FIELDS, NAMES)', node, BASE=given, FIELDS=_text(fields, node), NAMES=names
            )
        words = [word for word in node.keywords if word.arg != 'metaclass']
        calls = any(is_call_of(part, 'builtins.super') for part in ast.walk(node))
        if not (self._session.inherits or calls or words or bases.elts or found.is_abstract or _has_marks(node)):
            return None
        return quoted_expression(
            '_classes__derived(BASES, NAMES, UNLISTED, IS_ABC, KEY, WORDS)',
            node,
            BASES=bases,
            NAMES=names,
            UNLISTED=_text(self._session.unlisted, node),
            IS_ABC=constant(found.is_abstract, node),
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
        new = list[ast.stmt]()
        for part in node.body:
            match part:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    new += self._method(part)
                case ast.ClassDef():
                    new += self._nested(part)
                case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign() | ast.Expr(value=ast.Constant()):
                    new.append(self.below(part))
                case ast.Pass():
                    new.append(part)
                case _:
                    text = 'Only methods, classes and variables, one each time, can be in the body of a class here.'
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

    def _nested(self, node: ast.ClassDef) -> list[ast.stmt]:
        """A class within a class, which a function in front of the outer one makes."""
        around = self._class
        if around is not None and any(isinstance(base, ast.Name) and base.id in around.names for base in node.bases):
            self._refuse(node, f'Write {node.name} behind the class, for what it inherits from is in there.')
        maker = self._fresh('class')
        before, self._before = self._before, []
        new = self.visit_ClassDef(node)
        self._before = before
        body = new if isinstance(new, list) else [new]
        parts = {'MAKER': maker, 'NAME': node.name, 'BODY': body}
        self._before += quoted('def MAKER():\n    BODY\n    return NAME', node, **parts)  # pyright: ignore[reportArgumentType]
        return quoted('NAME = MAKER()', node, **parts)  # pyright: ignore[reportArgumentType]

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
            if dotted in _DROPPED:
                continue
            template = '_classes__method(DECORATOR(F))' if dotted in _CACHES else 'DECORATOR(F)'
            call = quoted_expression(template, mark, DECORATOR=self.expression(mark), F=function)
            new += quoted('NAME = CALL', node, NAME=name, CALL=call)
            function = name
        return new

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
        if node.attr == '__class__':
            is_self = isinstance(node.value, ast.Name) and node.value.id == self._self
            return 'class_of' if self._session.has_enums or not is_self else None
        if node.attr in ('__name__', '__qualname__'):
            of_type = is_call_of(node.value, 'builtins.type') or _is_class_of(node.value)
            return None if of_type and node.attr == '__name__' and not self._session.shows_polyfills else 'name_of'
        return None

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
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr='format')):
                if ':' in text and self._context.has('method __format__'):
                    self._refuse(node, 'A template asks no __format__ here. Write an f-string.')
            case ast.Call(args=[first, *_]) if meaning(first) in MODULES and meaning(func) in _GETTERS:
                return node
            case ast.Call(args=[obj], keywords=[]) if meaning(func) == 'builtins.type':
                if self._session.has_enums:
                    return quoted_expression('_classes__class_of(X)', node, X=self.expression(obj))
            case ast.Call(args=[obj, kinds]) if meaning(func) == 'builtins.isinstance' and _names_type(kinds):
                parts = {'X': self.expression(obj), 'KINDS': self.expression(kinds)}
                return quoted_expression('_classes__is_a(X, KINDS)', node, **parts)
            case ast.Call(args=[_, _, _]) if meaning(func) == 'builtins.type':
                self._refuse(node, 'type() makes no classes here. Write a class statement.')
            case ast.Call() if (meaning(func) or '') in _ENUMS:
                self._refuse(node, 'Write the enumeration as a class.')
            case _:
                pass
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

    def _has_mappings(self) -> bool:
        """Whether an object that is no dict may be taken as one."""
        return self._context.has('method keys')

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        node = self.below(node)
        if node.arg is None and self._has_mappings():
            node.value = quoted_expression('_classes__mapping(X)', node.value, X=node.value)
            set_changed(node)
        return node

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        node = self.below(node)
        if None in node.keys and self._has_mappings():
            wrapped = [quoted_expression('_classes__mapping(X)', value, X=value) for value in node.values]
            node.values = [node.values[at] if key else wrapped[at] for at, key in enumerate(node.keys)]
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
        members = {'builtins.int': 'number enums', 'builtins.str': 'text enums'}.get(meaning(node.cls) or '')
        if members is not None and self._context.has(members):
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
        if node.attr in self._session.properties or self._session.has_namespaces:
            return True
        is_own = isinstance(node.value, ast.Name) and node.value.id == self._self != 'cls'
        is_member = self._session.has_enums and node.attr in ('name', 'value')
        return (self._session.inherits or is_member) and not is_own

    def _store(self, target: ast.Attribute, value: ast.expr) -> list[ast.stmt]:
        return quoted(
            '_classes__store(X, NAME, VALUE)',
            target,
            X=self.expression(target.value),
            NAME=constant(self._mangled(target.attr), target),
            VALUE=value,
        )

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        match node.targets:
            case [ast.Attribute() as target] if self._stores(target):
                return self._store(target, self.expression(node.value))
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


def _marks(node: _Function) -> set[str | None]:
    return {meaning(mark.func if isinstance(mark, ast.Call) else mark) for mark in node.decorator_list}


def _has_marks(node: ast.ClassDef) -> bool:
    """Whether it has class methods or abstract ones."""
    marks = [mark for part in node.body if isinstance(part, _FUNCTIONS) for mark in _marks(part)]
    return 'builtins.classmethod' in marks or 'abc.abstractmethod' in marks


def _properties(found: Class) -> set[str]:
    """The names that are found with the help of the polyfill."""
    if found.family == 'tuple':
        return set(found.names) - {*annotated(found.node.body), '__slots__', '__doc__'}
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
_ENUMS = frozenset(f'enum.{name}' for name in ('Enum', 'IntEnum', 'StrEnum'))
_GETTERS = {'builtins.getattr': 'get', 'builtins.hasattr': 'has'}
_NAMES_ASKED = ('__name__', '__qualname__', '__class__')
_PARTS = ('setter', 'getter', 'deleter')
_PROPERTIES = frozenset(['builtins.property', 'functools.cached_property', 'abc.abstractproperty'])
_DROPPED = frozenset(['typing.final', 'typing.overload'])
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
    'builtins.issubclass': 'classes.is_below',
    'functools.cached_property': 'classes.cached_property',
    'typing.runtime_checkable': 'classes.runtime_checkable',
}
_ASKING = frozenset(
    [
        *('__class__', 'getattr', 'issubclass', 'hasattr', 'singledispatch', 'ChainMap', 'configparser'),
        *('SimpleNamespace', '__name__', '__qualname__'),
    ]
)
_MAPPINGS = frozenset(['ChainMap', 'configparser'])
_OWN_FACTS = (
    *('property ', 'subclass', 'enum', 'tuple ', 'method __format__', 'method keys', 'dataclasses', 'namespaces'),
)
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
