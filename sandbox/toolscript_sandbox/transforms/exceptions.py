"""Exceptions: scripts' own classes, those that Monty lacks, and attributes of builtin ones other than a single text.

A script's exception becomes an ordinary class with a polyfill's class as its base, so that it behaves like any other
class. The script raises a builtin exception that represents the object, and handlers ask a polyfill whether they match
(`polyfills/exceptions.py`). Scripts that use none of this keep Monty's own exceptions and handlers.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Container
from keyword import iskeyword
from typing import get_args

from pydantic_monty import ExcType

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import BUILTINS
from toolscript_sandbox.language.syntax import words

from .transform import Context, Transform
from .tree import call_of, constant, meaning, named, placed, quoted, quoted_expression, set_changed

FACT = 'exceptions'
"""The session may raise exceptions that are objects."""
BUILTIN: dict[str | None, str] = {
    f'builtins.{name}': name
    for name in dir(builtins)
    if isinstance(kind := getattr(builtins, name), type) and issubclass(kind, BaseException)
}
"""The builtin exceptions: their names by what refers to them."""
_GROUPS = frozenset(['ExceptionGroup', 'BaseExceptionGroup'])
_SAME = {'EnvironmentError': 'OSError', 'IOError': 'OSError'}
_LACKING = frozenset(BUILTIN.values()).difference(get_args(ExcType), _GROUPS, _SAME, BUILTINS.refused)


def exception_classes(analysis: Analysis) -> frozenset[str]:
    """Return the names of the script's classes that inherit from an exception, directly or indirectly."""
    known = {fact.removeprefix('exception ') for fact in analysis.session.facts if fact.startswith('exception ')}
    found = set[str]()
    for node in analysis.all(ast.ClassDef):
        for base in node.bases:
            dotted = meaning(base)
            is_own = isinstance(base, ast.Name) and dotted is None and base.id in known | found
            if is_own or dotted in BUILTIN or dotted in _OF_MODULES:
                found.add(node.name)
    return frozenset(found)


_OF_MODULES = frozenset(['asyncio.TimeoutError', 'asyncio.CancelledError', 'json.JSONDecodeError'])
_RAISING = words('CancelledError PriorityQueue Queue QueueEmpty QueueFull TaskGroup', of='asyncio') | words(
    'AsyncExitStack ExitStack', of='contextlib'
)
"""Names of modules that raise exceptions which are objects, or give their types to functions."""


def _sees_errors_of_tools(analysis: Analysis) -> bool:
    """Return if the script inspects errors of tools: one that Monty lacks has another type, and its own in the text."""
    return any(name.startswith('tools.') for name in analysis.meant) and (
        any(
            handler.name and handler.type and any(meaning(kind) in _BROAD for kind in ast.walk(handler.type))
            for handler in analysis.all(ast.ExceptHandler)
        )
        or _keeps_errors(analysis)
    )


def _keeps_errors(analysis: Analysis) -> bool:
    """Return whether errors of tasks are values."""
    gathers = any(word.arg == 'return_exceptions' for word in analysis.all(ast.keyword))
    return gathers or 'exception' in analysis.index.attributes


def _shows_keys(analysis: Analysis) -> bool:
    """Return whether the script may read the key of a `KeyError`: Monty's has only the text of the key."""
    reads = _keeps_errors(analysis) or any(
        handler.name and handler.type and any(meaning(kind) in _OF_KEYS for kind in ast.walk(handler.type))
        for handler in analysis.all(ast.ExceptHandler)
    )
    return reads and (ast.Subscript in analysis.kinds or not _REMOVING.isdisjoint(analysis.words))


def _is_noted(key: ast.expr) -> bool:
    """Return whether the key of a lookup is noted: all but literal words, which look like no other key."""
    match key:
        case ast.Constant(value=str(word)) if word.isidentifier() and not iskeyword(word):
            return False
        case ast.Slice() | ast.Starred():
            return False
        case _:
            return meaning(key) is None


def _has_formats(analysis: Analysis) -> bool:
    """Return whether the script formats values: Monty raises a `ValueError` for some where Python has a `TypeError`."""
    return 'format' in analysis.words or any(node.format_spec for node in analysis.all(ast.FormattedValue))


def _is_plain(node: ast.Call) -> bool:
    """Return whether Monty creates the exception like Python, from one text or no argument."""
    match node:
        case ast.Call(args=[] | [ast.Constant(value=str()) | ast.JoinedStr()], keywords=[]):
            return True
        case _:
            return False


def _compares_types(analysis: Analysis) -> bool:
    asks = '__class__' in analysis.words or 'builtins.type' in analysis.meant
    nodes = [*analysis.all(ast.Attribute), *analysis.all(ast.Call)] if asks else []
    return any(_is_type(node, analysis) for node in nodes)


def _is_type(node: ast.Attribute | ast.Call, analysis: Analysis) -> bool:
    """Return whether it is `type(x)` or `x.__class__`, and either a value or called for an error that is handled."""
    match node:
        case ast.Call(args=[obj], keywords=[]) if meaning(node.func) == 'builtins.type':
            pass
        case ast.Attribute(value=obj, attr='__class__', ctx=ast.Load()):
            pass
        case _:
            return False
    above = analysis.index.parents.get(node)
    if isinstance(above, ast.Call) and above.func is node:
        return isinstance(obj, ast.Name) and obj.id in {handler.name for handler in analysis.all(ast.ExceptHandler)}
    return above is not None and not isinstance(above, ast.Attribute)


def _computed(node: ast.Raise, own: Container[str]) -> ast.Call | None:
    """Return the call that makes the raised exception, if its class is computed and it has more than one text."""
    match node.exc:
        case ast.Call(func=ast.Name(id=name)) if name in own:
            return None
        case ast.Call(func=func) as call if meaning(func) is None and not _is_plain(call):
            return call
        case _:
            return None


_INIT = """
def __init__(self, *args, **kwargs):
    if not getattr(self, '_has_args', False):
        self._has_args = True
        self.args = args
    self.INNER(*args, **kwargs)
"""
_NOT_IN_MONTY = frozenset(f'builtins.{name}' for name in (*_LACKING, *_GROUPS, *_SAME))
_BROAD = words('BaseException Exception OSError', of='builtins')
_OF_KEYS = words('BaseException Exception LookupError KeyError', of='builtins')
_REMOVING = frozenset(['pop', 'remove'])
"""Methods with one argument that raise a `KeyError` for a missing key."""
_ASKED = frozenset(['traceback', '__cause__', 'UnicodeDecodeError', 'JSONDecodeError'])


class Exceptions(Transform):
    feature = 'exceptions of own classes, with attributes and causes, and all of the builtin ones'
    after = ('calls',)

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        kinds, words, meant = analysis.kinds, analysis.words, analysis.meant
        # A context manager of the script may ask for the type of an error.
        leaves = any(
            node.name in ('__exit__', '__aexit__')
            for kind in (ast.FunctionDef, ast.AsyncFunctionDef)
            for node in analysis.all(kind)
        )
        return (
            (analysis.has(FACT) and (bool(kinds & {ast.Try, ast.TryStar, ast.Raise}) or 'isinstance' in words))
            or ast.TryStar in kinds
            or (ast.Try in kinds and ast.Assert in kinds)
            or ((bool(kinds & {ast.Try, ast.Raise}) or not meant.isdisjoint(BUILTIN)) and _compares_types(analysis))
            or ('cancel' in words and analysis.means_module('asyncio'))
            or ('builtins.StopIteration' in meant and (ast.Yield in kinds or 'value' in words))
            or not meant.isdisjoint(_RAISING | _NOT_IN_MONTY)
            or not words.isdisjoint(_ASKED)
            or leaves
            or ('builtins.TypeError' in meant and ast.Try in kinds and _has_formats(analysis))
            or bool(exception_classes(analysis))
            or any(meaning(node.cls) in BUILTIN for node in analysis.all(ast.MatchClass))
            or _sees_errors_of_tools(analysis)
            or _shows_keys(analysis)
            or any(_computed(node, ()) for node in analysis.all(ast.Raise))
            or any(meaning(node.func) in BUILTIN and not _is_plain(node) for node in analysis.all(ast.Call))
        )

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._own = exception_classes(context.analysis)
        self._shows_keys = _shows_keys(context.analysis)
        self._handled: list[str] = []
        """The names of the errors caught by the enclosing handlers, from the outside in."""

    def applied(self, tree: ast.Module) -> ast.Module:
        self._context.facts.update(f'exception {name}' for name in self._own)
        self._context.facts.add(FACT)
        tree = self.below(tree)
        if _sees_errors_of_tools(self._analysis):
            # The name loads the polyfill, which then shows the errors among results.
            tree.body[:0] = quoted('_exceptions__caught', tree.body[0])
            set_changed(tree)
        return tree

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        if node.name not in self._own:
            return self.below(node)
        for place, base in enumerate(node.bases):
            if meaning(base) in BUILTIN:
                node.bases[place] = self._class(base, BUILTIN[meaning(base)])
        node = self.below(node)
        node.body = [made for statement in node.body for made in self._with_args(statement, node)]
        node.decorator_list.insert(0, named('_exceptions__settled', node))
        return set_changed(node)

    def _with_args(self, statement: ast.stmt, kind: ast.ClassDef) -> list[ast.stmt]:
        """Set `args` in an `__init__` that does not: in Python they are the arguments of the class."""
        if not isinstance(statement, ast.FunctionDef) or statement.name != '__init__' or statement.decorator_list:
            return [statement]
        passes_on = any(isinstance(node, ast.Attribute) and node.attr == '__init__' for node in ast.walk(statement))
        if passes_on and not any(isinstance(base, ast.Name) and base.id in self._own for base in kind.bases):
            return [statement]
        statement.name = f'_init_of_{kind.name}'
        return [set_changed(statement), *quoted(_INIT, statement, INNER=statement.name)]

    def _class(self, node: ast.expr, name: str) -> ast.expr:
        name = _SAME.get(name, name)
        function = '_exceptions__group_class' if name in _GROUPS else '_exceptions__own'
        return quoted_expression('F(NAME)', node, F=function, NAME=constant(name, node))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = BUILTIN.get(meaning(node), '')
        if name in _SAME:
            return named(_SAME[name], node)
        return self._class(node, name) if name in _LACKING | _GROUPS else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        dotted, func = meaning(node.func), node.func
        if isinstance(func, ast.Attribute) and func.attr == '__init__' and meaning(func.value) in BUILTIN:
            func.value = self._class(func.value, BUILTIN[meaning(func.value)])
        if dotted == 'builtins.isinstance' and len(node.args) == 2:
            return self._is_instance(self.below(node))
        if isinstance(func, (ast.Attribute, ast.Call)) and _is_type(func, self._analysis):
            node = self.below(node)
            return call_of('_exceptions__called', node, node.func)
        if _is_type(node, self._analysis):
            return quoted_expression('_exceptions__type_of(X)', node, X=self.expression(node.args[0]))
        if dotted in _TRACEBACKS:
            return self._traceback(self.below(node), dotted)
        if self._shows_keys and isinstance(func, ast.Attribute) and func.attr in _REMOVING and len(node.args) == 1:
            node.args = [self._noted(node.args[0])]
        # A plain `KeyError` could be taken for one of the last key.
        is_plain = _is_plain(node) and not (self._shows_keys and dotted == 'builtins.KeyError')
        if dotted not in BUILTIN or BUILTIN[dotted] in _LACKING | _GROUPS or is_plain:
            return self.below(node)
        return call_of('_exceptions__made', self.below(node), node.func)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        above = self._analysis.index.parents.get(node)
        reads = not isinstance(node.ctx, ast.Store) or isinstance(above, ast.AugAssign)
        if reads and self._shows_keys and meaning(node.value) is None:
            node.slice = self._noted(node.slice)
        return self.below(node)

    def _noted(self, key: ast.expr) -> ast.expr:
        """Return the key of a lookup, which the polyfill notes for the `KeyError`."""
        return quoted_expression('_exceptions__key(X)', key, X=key) if _is_noted(key) else key

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        is_type = _is_type(node, self._analysis)
        node = self.below(node)
        if is_type:
            return quoted_expression('_exceptions__type_of(X)', node, X=node.value)
        is_cause = node.attr == '__cause__' and isinstance(node.ctx, ast.Load)
        return quoted_expression('_exceptions__cause(X)', node, X=node.value) if is_cause else node

    def _is_instance(self, node: ast.Call) -> ast.AST:
        kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        for kind in kinds:
            is_own = isinstance(kind, ast.Name) and (kind.id in self._own or self._context.has(f'exception {kind.id}'))
            if is_own or meaning(kind) in BUILTIN or meaning(kind) in _OF_MODULES:
                node.func = named('_exceptions__is_instance', node)
                return set_changed(node)
        classes = {made.name for made in self._analysis.all(ast.ClassDef)}
        if any(meaning(kind) is None and getattr(kind, 'id', '') not in classes for kind in kinds):
            # A variable may be any class.
            node.args.append(node.func)
            node.func = named('_exceptions__is_any', node)
            return set_changed(node)
        return node

    def _traceback(self, node: ast.Call, dotted: str) -> ast.AST:
        handled = named(self._handled[-1], node) if self._handled else constant(None, node)
        text = quoted_expression('_exceptions__text_of(X)', node, X=node.args[-1] if node.args else handled)
        if dotted.endswith(('print_exc', 'print_exception')):
            return quoted_expression("print(X, end='')", node, X=text)
        return text if dotted.endswith('format_exc') else quoted_expression('X.splitlines(True)[1:]', node, X=text)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        computed = _computed(node, self._own)
        node = self.below(node)
        if computed is not None:
            node.exc = call_of('_exceptions__called', computed, computed.func)
        is_native = isinstance(node.exc, ast.Call) and meaning(node.exc.func) in BUILTIN and node.cause is None
        if node.exc is None or is_native:
            return node
        cause = [] if node.cause is None else [node.cause]
        node.exc = quoted_expression('_exceptions__raised(X, *CAUSE)', node, X=node.exc, CAUSE=cause)
        node.cause = None
        return set_changed(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST | list[ast.stmt]:
        # Monty would add the text of the condition to the message.
        node = self.below(node)
        if ast.Try not in self._analysis.kinds:
            return node
        made = quoted_expression('AssertionError(*MESSAGE)', node, MESSAGE=[] if node.msg is None else [node.msg])
        assert isinstance(made, ast.Call)
        if not _is_plain(made):
            made = quoted_expression('_exceptions__raised(X)', node, X=call_of('_exceptions__made', made, made.func))
        return quoted('if not X: raise ERROR', node, X=node.test, ERROR=made)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        if not node.handlers:
            return self.below(node)
        node.body = self.body(node.body)
        error = self._fresh('error')
        node.handlers = [self._handler(node, error)]
        node.orelse, node.finalbody = self.body(node.orelse), self.body(node.finalbody)
        return set_changed(node)

    def _handler(self, node: ast.Try, error: str) -> ast.ExceptHandler:
        """Merge all handlers into one that chooses."""
        first = node.handlers[0]
        chosen: list[ast.stmt] = quoted('raise', first)
        for handler in reversed(node.handlers):
            body = self._handling(handler, error)
            if handler.type is None:
                chosen = body
            else:
                parts = {'E': error, 'KINDS': self.expression(handler.type), 'BODY': body, 'CHOSEN': chosen}
                chosen = quoted('if _exceptions__matches(E, KINDS): BODY\nelse: CHOSEN', handler, **parts)
        return placed(ast.ExceptHandler(quoted_expression('BaseException', first), error, chosen), first)

    def _handling(self, handler: ast.ExceptHandler, error: str) -> list[ast.stmt]:
        self._handled.append(handler.name or error)
        body = self.body(handler.body)
        self._handled.pop()
        if handler.name is None:
            return body
        return [*quoted('NAME = _exceptions__caught(E)', handler, NAME=handler.name, E=error), *body]

    def visit_TryStar(self, node: ast.TryStar) -> ast.AST:
        error, rest = self._fresh('error'), self._fresh('rest')
        first = node.handlers[0]
        handling = quoted('REST = _exceptions__grouped(E)', first, REST=rest, E=error)
        for handler in node.handlers:
            assert handler.type is not None
            handling += quoted(
                'NAME, REST = (None, None) if REST is None else REST.split(KINDS)\nif NAME is not None: BODY',
                handler,
                NAME=handler.name or self._fresh('group'),
                REST=rest,
                KINDS=self.expression(handler.type),
                BODY=self.body(handler.body),
            )
        handling += quoted('if REST is not None: raise _exceptions__raised(REST)', first, REST=rest)
        handlers = [placed(ast.ExceptHandler(quoted_expression('BaseException', first), error, handling), first)]
        return placed(ast.Try(self.body(node.body), handlers, self.body(node.orelse), self.body(node.finalbody)), node)


_TRACEBACKS = words('format_exc print_exc format_exception format_exception_only print_exception', of='traceback')
