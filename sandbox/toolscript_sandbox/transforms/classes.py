"""Uses of classes: `super`, attributes, properties, `isinstance` and other questions, members of enums.

Attributes are resolved at run time: reading or setting one goes through the polyfill if a class of the session has a
property of that name, or if attributes of that name are deleted (fact `'property NAME'`). In scripts that list the
attributes of objects, setting any attribute goes through the polyfill, which records its name (fact `'attributes'`).
"""

import ast
import re

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import MODULES
from toolscript_sandbox.language.refusals import Refused
from toolscript_sandbox.language.syntax import words

from .class_facts import MAPPINGS, OF_TEXTS, FunctionNode, deleted_attributes, function_attributes
from .class_statements import CACHES, ClassStatements
from .class_table import lists_attributes
from .methods import TYPES, kinds_with
from .result import EARLY
from .transform import Context
from .tree import (
    as_target,
    constant,
    is_call_of,
    is_named,
    meaning,
    named,
    placed,
    quoted,
    quoted_expression,
    repeatable,
    set_changed,
)


class Classes(ClassStatements):
    feature = 'classes that inherit, properties, enumerations, dataclasses with options'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return (
            ast.ClassDef in analysis.kinds
            or 'enum' in analysis.words
            or not _ASKING.isdisjoint(analysis.words)
            or lists_attributes(analysis)
            or any(fact.startswith(_OWN_FACTS) for fact in analysis.session.facts)
            or (not _NAMING.isdisjoint(analysis.words) and not analysis.meant.isdisjoint(CACHES))
            or any(_asks_class(call) for call in analysis.all(ast.Call))
            or any(True for _ in function_attributes(analysis))
            or any(True for _ in deleted_attributes(analysis))
        )

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        session = self._session
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
        if name == '__mro__':
            return quoted_expression('_classes__line(X)', node, X=value)
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
            case ast.Call(args=[_] | [_, _]) if dotted in _OF_MAPPINGS and session.has_mappings:
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

    def visit_FunctionDef(self, node: FunctionNode) -> ast.AST:
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
        return quoted_expression('_classes__kept(X)', mark, X=mark) if dotted in CACHES else mark

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
        is_of_texts = has_texts and func.attr in OF_TEXTS and not meaning(value)
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
        node.args[-1] = quoted_expression(template, node, X=node.args[-1])
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


def _is_open(node: ast.expr) -> bool:
    """Return whether the value may be a member of an enumeration."""
    return not isinstance(node, (ast.Constant, ast.JoinedStr, ast.Starred))


_FIELDS = re.compile(r'\.([A-Za-z_]\w*)(?=[^{}]*\})')
"""The attributes in the fields of a template."""
_NOT_DELETED = (
    'An attribute can only be deleted by the script that has the class, if no earlier script has functions or classes. '
    'Set it to None.'
)
_OF_PLAIN = words('datetime.timedelta decimal.Decimal fractions.Fraction builtins.chr builtins.enumerate builtins.ord')
"""Functions that take no members of enumerations in Monty."""
_OF_CACHES = frozenset(['cache_clear', 'cache_info', 'cache_parameters'])
_GETTERS = {'builtins.getattr': '_classes__get', 'builtins.hasattr': '_classes__has'}
_NAMES_ASKED = ('__name__', '__qualname__', '__class__')
_NAMING = words('__name__ __doc__ wraps update_wrapper')
"""Words of scripts in which functions that are cached keep their names."""
_OF_MAPPINGS = ('builtins.dict', *words('Counter OrderedDict defaultdict', of='collections'))
_ASKING = words('namedtuple delattr __class__ getattr issubclass hasattr __name__ __qualname__ __doc__') | MAPPINGS
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
