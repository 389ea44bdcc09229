"""Exceptions: own classes, those that Monty lacks, and what builtin ones carry beside one text.

An own exception becomes an ordinary class whose base is a polyfill's class, so that all that holds for classes holds
for it. What is raised is a builtin exception that stands for the object, and handlers ask a polyfill whether they
match (`polyfills/exceptions.py`). Scripts that use nothing of this keep Monty's own exceptions and handlers.
"""

from __future__ import annotations

import ast
import builtins

from toolscript_sandbox.language.analysis import Analysis

from .transform import Context, Transform
from .tree import Transformer, is_changed, meaning, placed, quoted, quoted_expression, set_changed

FACT = 'exceptions'
"""Exceptions that are objects may be on their way in the session."""
_BUILTIN = {
    f'builtins.{name}': name
    for name in dir(builtins)
    if isinstance(kind := getattr(builtins, name), type) and issubclass(kind, BaseException)
}
_LACKING = frozenset(
    [
        *('BlockingIOError', 'BrokenPipeError', 'BufferError', 'ChildProcessError', 'ConnectionAbortedError'),
        *('ConnectionError', 'ConnectionRefusedError', 'ConnectionResetError', 'DeprecationWarning', 'EOFError'),
        *('FloatingPointError', 'FutureWarning', 'GeneratorExit', 'IndentationError', 'InterruptedError'),
        *('PendingDeprecationWarning', 'ProcessLookupError', 'ReferenceError', 'RuntimeWarning'),
        *('StopAsyncIteration', 'SyntaxWarning', 'SystemError', 'UnicodeError', 'UserWarning', 'Warning'),
    ]
)
_GROUPS = frozenset(['ExceptionGroup', 'BaseExceptionGroup'])
_SAME = {'EnvironmentError': 'OSError', 'IOError': 'OSError'}


def exception_classes(analysis: Analysis) -> frozenset[str]:
    """The names of the script's classes that inherit from an exception, directly or not."""
    found = {fact.removeprefix('exception ') for fact in analysis.session.facts if fact.startswith('exception ')}
    earlier = frozenset(found)
    classes = analysis.all(ast.ClassDef)
    growing = bool(classes)
    while growing:
        growing = False
        for node in classes:
            if node.name not in found and any(_is_exception(base, found) for base in node.bases):
                found.add(node.name)
                growing = True
    return frozenset(found - earlier) | {node.name for node in classes if node.name in found}


def _is_exception(base: ast.expr, known: set[str]) -> bool:
    dotted = meaning(base)
    if dotted in _BUILTIN or dotted in _OF_MODULES:
        return True
    return isinstance(base, ast.Name) and base.id in known


_OF_MODULES = frozenset(['asyncio.TimeoutError', 'asyncio.CancelledError', 'json.JSONDecodeError'])
_OF_ASYNCIO = frozenset(
    f'asyncio.{name}'
    for name in ('CancelledError', 'LifoQueue', 'PriorityQueue', 'Queue', 'QueueEmpty', 'QueueFull', 'TaskGroup')
)


def _needed(analysis: Analysis) -> bool:
    kinds, words, meant = analysis.kinds, analysis.words, analysis.meant
    tries = ast.Try in kinds
    return (
        (analysis.has(FACT) and (bool(kinds & {ast.Try, ast.TryStar, ast.Raise}) or 'isinstance' in words))
        or ast.TryStar in kinds
        or (tries and (ast.Assert in kinds or (ast.Compare in kinds and 'builtins.type' in meant)))
        or ('cancel' in words and analysis.means_module('asyncio'))
        or ('builtins.StopIteration' in meant and (ast.Yield in kinds or 'value' in words))
        or not meant.isdisjoint(_OF_ASYNCIO | _NOT_IN_MONTY)
        or not words.isdisjoint(_ASKED)
        or (ast.ClassDef in kinds and (bool(exception_classes(analysis)) or _asks_types(analysis)))
        or any(meaning(node.func) in _BUILTIN and not _is_plain(node) for node in analysis.all(ast.Call))
    )


def _asks_types(analysis: Analysis) -> bool:
    """Whether a context of the script's own may compare the type of an error."""
    functions = [*analysis.all(ast.FunctionDef), *analysis.all(ast.AsyncFunctionDef)]
    return ast.Compare in analysis.kinds and any(node.name in ('__exit__', '__aexit__') for node in functions)


def _is_plain(node: ast.Call) -> bool:
    """Whether Monty makes the exception as Python does: of one text, or nothing."""
    match node:
        case ast.Call(args=[] | [ast.Constant(value=str()) | ast.JoinedStr()], keywords=[]):
            return True
        case _:
            return False


def _apply(tree: ast.Module, context: Context) -> ast.Module:
    analysis = context.analysis
    own = exception_classes(analysis)
    context.facts.update(f'exception {name}' for name in own)
    context.facts.add(FACT)
    return _Exceptions(context, own).below(tree)


_NOT_IN_MONTY = frozenset(f'builtins.{name}' for name in (*_LACKING, *_GROUPS, *_SAME))
_ASKED = frozenset(['traceback', '__cause__', 'UnicodeDecodeError', 'JSONDecodeError'])


class _Exceptions(Transformer):
    def __init__(self, context: Context, own: frozenset[str]) -> None:
        self._context = context
        self._own = own
        self._handled: list[str] = []
        """The names of what the handlers around caught, from the outside in."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | list[ast.stmt]:
        is_own = node.name in self._own
        node.decorator_list = [self.expression(mark) for mark in node.decorator_list]
        if is_own:
            node.bases = [self._base(base) for base in node.bases]
            set_changed(node)
        node.body = self.body(node.body)
        if any(map(is_changed, node.body)):
            set_changed(node)
        return [node, *quoted('_exceptions__settled(NAME)', node, NAME=node.name)] if is_own else node

    def _base(self, base: ast.expr) -> ast.expr:
        dotted = meaning(base)
        if dotted in _BUILTIN:
            return self._class(base, _BUILTIN[dotted])
        return self.expression(base)

    def _class(self, node: ast.expr, name: str) -> ast.expr:
        name = _SAME.get(name, name)
        function = '_exceptions__group_class' if name in _GROUPS else '_exceptions__own'
        return quoted_expression('F(NAME)', node, F=function, NAME=ast.Constant(name))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = _BUILTIN.get(meaning(node) or '')
        if name in _SAME:
            return placed(ast.Name(_SAME[name], ast.Load()), node)
        return self._class(node, name) if name in _LACKING | _GROUPS else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        dotted = meaning(node.func)
        name = _BUILTIN.get(dotted or '')
        match node.func:
            case ast.Attribute(value=value, attr='__init__') if kind := _BUILTIN.get(meaning(value) or ''):
                node.func.value = self._class(value, kind)
                set_changed(node.func)
                set_changed(node)
            case _:
                pass
        if dotted == 'builtins.isinstance' and len(node.args) == 2:
            return self._is_instance(self.below(node))
        if dotted in _TRACEBACKS:
            return self._traceback(self.below(node), dotted)
        if name is None or name in _LACKING | _GROUPS or _is_plain(node):
            return self.below(node)
        made = quoted_expression('_exceptions__made(KIND)', node, KIND=self.expression(node.func))
        assert isinstance(made, ast.Call)
        self.below(node)
        made.args += node.args
        made.keywords += node.keywords
        return made

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node = self.below(node)
        old = [node.left, *node.comparators]
        node.left, *node.comparators = new = [self._type(side) for side in old]
        return node if new == old else set_changed(node)

    def _type(self, node: ast.expr) -> ast.expr:
        match node:
            case ast.Call(args=[obj], keywords=[]) if meaning(node.func) == 'builtins.type':
                pass
            case ast.Attribute(value=obj, attr='__class__'):
                pass
            case _:
                return node
        return quoted_expression('_exceptions__type_of(X)', node, X=obj)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        node = self.below(node)
        if node.attr != '__cause__' or not isinstance(node.ctx, ast.Load):
            return node
        return quoted_expression('_exceptions__cause(X)', node, X=node.value)

    def _is_instance(self, node: ast.Call) -> ast.AST:
        kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
        if not any(self._may_be_exception(kind) for kind in kinds):
            return node
        return quoted_expression('_exceptions__is_instance(X, KINDS)', node, X=node.args[0], KINDS=node.args[1])

    def _may_be_exception(self, kind: ast.expr) -> bool:
        if meaning(kind) in _BUILTIN or isinstance(kind, ast.Call):
            return True
        return isinstance(kind, ast.Name) and (kind.id in self._own or self._context.has(f'exception {kind.id}'))

    def _traceback(self, node: ast.Call, dotted: str) -> ast.AST:
        if node.args:
            error: ast.expr = node.args[-1]
        elif self._handled:
            error = quoted_expression('NAME', node, NAME=self._handled[-1])
        else:
            error = quoted_expression('None', node)
        text = quoted_expression('_exceptions__text_of(X)', node, X=error)
        if dotted.endswith(('print_exc', 'print_exception')):
            return quoted_expression("print(X, end='')", node, X=text)
        if dotted.endswith('format_exc'):
            return text
        return quoted_expression('X.splitlines(True)[1:]', node, X=text)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        node = self.below(node)
        if node.exc is None:
            return node
        if isinstance(node.exc, ast.Call) and meaning(node.exc.func) in _BUILTIN and node.cause is None:
            return node
        cause = [] if node.cause is None else [node.cause]
        node.exc = quoted_expression('_exceptions__raised(X, *CAUSE)', node, X=node.exc, CAUSE=cause)
        node.cause = None
        return set_changed(node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST | list[ast.stmt]:
        # Monty adds the text of the condition to the message.
        node = self.below(node)
        if ast.Try not in self._context.analysis.kinds:
            return node
        message = [] if node.msg is None else [node.msg]
        error = quoted_expression(
            'AssertionError(*PARTS)', node, PARTS=[quoted_expression('str(X)', node, X=part) for part in message]
        )
        return quoted('if not X: raise ERROR', node, X=node.test, ERROR=error)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        if not node.handlers:
            return self.below(node)
        node.body = self.body(node.body)
        error = self._context.fresh('error')
        node.handlers = [self._handler(node, error)]
        node.orelse, node.finalbody = self.body(node.orelse), self.body(node.finalbody)
        return set_changed(node)

    def _handler(self, node: ast.Try, error: str) -> ast.ExceptHandler:
        """All handlers as one that chooses."""
        first = node.handlers[0]
        chosen: list[ast.stmt] = quoted('raise', first)
        for handler in reversed(node.handlers):
            body = self._handling(handler, error)
            if handler.type is None:
                chosen = body
            else:
                test = quoted_expression(
                    '_exceptions__matches(E, KINDS)', handler, E=error, KINDS=self.expression(handler.type)
                )
                chosen = [placed(ast.If(test, body, chosen), handler)]
        kind = quoted_expression('BaseException', first)
        return placed(ast.ExceptHandler(kind, error, chosen), first)

    def _handling(self, handler: ast.ExceptHandler, error: str) -> list[ast.stmt]:
        named = handler.name or error
        self._handled.append(named)
        body = self.body(handler.body)
        self._handled.pop()
        if handler.name is None:
            return body
        return [*quoted('NAME = _exceptions__caught(E)', handler, NAME=handler.name, E=error), *body]

    def visit_TryStar(self, node: ast.TryStar) -> ast.AST:
        error, rest = self._context.fresh('error'), self._context.fresh('rest')
        first = node.handlers[0]
        handling = quoted('REST = _exceptions__grouped(E)', first, REST=rest, E=error)
        for handler in node.handlers:
            assert handler.type is not None
            name = handler.name or self._context.fresh('group')
            handling += quoted(
                'NAME, REST = (None, None) if REST is None else REST.split(KINDS)\nif NAME is not None: BODY',
                handler,
                NAME=name,
                REST=rest,
                KINDS=self.expression(handler.type),
                BODY=self.body(handler.body),
            )
        handling += quoted('if REST is not None: raise _exceptions__raised(REST)', first, REST=rest)
        kind = quoted_expression('BaseException', first)
        handlers = [placed(ast.ExceptHandler(kind, error, handling), first)]
        return placed(ast.Try(self.body(node.body), handlers, self.body(node.orelse), self.body(node.finalbody)), node)


_TRACEBACKS = frozenset(
    f'traceback.{name}'
    for name in ('format_exc', 'print_exc', 'format_exception', 'format_exception_only', 'print_exception')
)

EXCEPTIONS = Transform(
    'exceptions of own classes, with attributes and causes, and all of the builtin ones',
    _apply,
    _needed,
    after=('calls',),
    probe='class NotFound(Exception):\n    def __init__(self, name):\n        super().__init__(name)\n'
    '        self.name = name\n'
    "try:\n    raise NotFound('a')\nexcept NotFound as error:\n    assert error.name == 'a'\nConnectionError",
)
