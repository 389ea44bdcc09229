"""Exceptions with all that Python's have: own classes, several arguments, attributes, causes and notes.

Monty's exceptions carry one text and nothing else, and its classes inherit from nothing. So where a snippet asks for
more, its exceptions are objects of `guest/errors.py`: what it raises is turned into a builtin exception that travels in
their stead, and what it catches is turned back. Handlers become one that asks which of them is meant. A snippet that
raises texts and catches them by type needs none of this and stays as it is; but once a session has such objects on
their way, all its later snippets must know them.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, index_of, walk

from .except_star import parted
from .kept_kinds import BUILTIN_ERRORS, calls_of_kept, is_builtin_error, keeps_kinds
from .missing_items import looks_at_keys


def with_own_errors(program: Program) -> Program:
    """The snippet with its exception classes standing alone, and with what it raises and catches rewritten to match."""
    source, scene = program.source, program.scene
    bases = _bases(source.tree)
    scene.keys = looks_at_keys(source.tree)
    told = scene.errors or scene.tasks
    if not bases and not told and not scene.keys and not _asks_for_more(source.tree, scene):
        return program
    scene.pieces.update(['error_kinds', 'errors', *(['groups'] if all_of(source.tree, ast.TryStar) else [])])
    # A class of an earlier snippet stands alone, too.
    scene.flattened = scene.flattened or bool(bases) or scene.errors
    if bases:
        scene.note('Wrote exception classes as plain ones: classes cannot inherit from builtins here.')
    edits = [*_telling_ends(source, scene), *_Work(source, scene, bases).edits()]
    edited = program.edited(edits)
    if edits and edited is program:
        raise Refused([refusal(source.tree.body[0], _TANGLED)])
    return edited


def _looking_at_ends(tree: ast.Module) -> list[ast.Try]:
    """Where a handler looks at a `StopIteration`, which holds what a generator returned."""
    return [node for node in all_of(tree, ast.Try) if any(map(_looks_at_end, node.handlers))]


def _looks_at_end(node: ast.ExceptHandler) -> bool:
    return node.name is not None and node.type is not None and 'StopIteration' in ast.unparse(node.type)


def _telling_ends(source: Source, scene: Scene) -> Iterator[Edit]:
    for node in _looking_at_ends(source.tree):
        version = guest('generators')
        assert version is not None
        scene.pieces.add('generators')
        start, indent = source.start(node), ' ' * node.col_offset
        yield Edit(start, start, f'{version.prefixed("told")}[0] = {_piece("returned")}{NEW_LINE}{indent}')


def _asks_for_more(tree: ast.Module, scene: Scene) -> bool:
    """Whether the snippet does with exceptions what Monty's cannot."""
    names = index_of(tree).names
    attributes = index_of(tree).attributes
    has_errors = not BUILTIN_ERRORS.isdisjoint(names)
    if (
        all_of(tree, ast.TryStar)
        or _looking_at_ends(tree)
        or (names - scene.names.bound - scene.known) & (OF_SYSTEM | GROUPS)
        or (names & scene.defined and names & scene.defined & _raised_or_caught(tree))
    ):
        return True
    if has_errors and any(_asks_for_kind(node) for node in all_of(tree, ast.Compare)):
        return True
    if (names | attributes) & _TELLING or _uses_statistics(tree, scene) or keeps_kinds(tree, scene):
        return True
    if has_errors and any(not _is_one_text(node) for node in all_of(tree, ast.Call) if _is_error_call(node, scene)):
        return True
    if any(_keeps_whole(node, tree) for node in all_of(tree, ast.ExceptHandler)):
        imported = {*scene.modules.values(), *(module for module, _ in scene.members.values())}
        imported |= {node.module for node in all_of(tree, ast.ImportFrom) if node.module}
        imported |= {alias.name for node in all_of(tree, ast.Import) for alias in node.names}
        if imported & _SHOWN_WITH_MODULE:
            return True
    watched = attributes | names
    if any(attributes & own and kind in watched for kind, own in _ATTRIBUTES_OF.items()):
        return True
    if not has_errors and BUILTIN_ERRORS.isdisjoint(attributes):
        return bool(attributes & _OF_ERRORS)
    if attributes & (_OF_ERRORS | {'args'}):
        return True
    return bool(all_of(tree, ast.Assert)) and any(node.handlers for node in all_of(tree, ast.Try))


def _keeps_whole(handler: ast.ExceptHandler, tree: ast.Module) -> bool:
    """Whether what is caught is shown with its type, by `repr` or in something that holds it."""
    if handler.name is None:
        return False
    parents = index_of(tree).parents
    names = [
        part
        for body in handler.body
        for part in walk(body)
        if isinstance(part, ast.Name) and part.id == handler.name and isinstance(part.ctx, ast.Load)
    ]
    return any(not _is_shown_as_text(parents.get(name)) for name in names)


def _is_shown_as_text(parent: ast.AST | None) -> bool:
    match parent:
        case ast.Call(func=ast.Name(id='str' | 'print' | 'isinstance' | 'type' | 'format')):
            return True
        case ast.FormattedValue(conversion=conversion):
            return conversion != ord('r')
        case ast.Attribute() | ast.Raise() | ast.Compare():
            return True
        case _:
            return False


def _asks_for_kind(node: ast.Compare) -> bool:
    """`type(error) is ValueError`, of which Monty's own know nothing."""
    parts = [part for side in (node.left, *node.comparators) for part in ast.walk(side)]
    return any(isinstance(part, ast.Name) and is_builtin_error(part.id) for part in parts)


def _uses_statistics(tree: ast.Module, scene: Scene) -> bool:
    """Whether the snippet may meet the exception of `statistics`, in a handler."""
    if not all_of(tree, ast.Try):
        return False
    imported = {alias.name for node in all_of(tree, ast.Import) for alias in node.names}
    imported |= {node.module for node in all_of(tree, ast.ImportFrom) if node.module}
    return 'statistics' in {*imported, *scene.modules.values()}


def _piece(name: str) -> str:
    version = guest('error_kinds' if name in _OF_KINDS else 'errors')
    assert version is not None
    return version.prefixed(name)


def _bases(tree: ast.Module) -> dict[str, ast.ClassDef]:
    """The exception classes of the snippet by name."""
    found = dict[str, ast.ClassDef]()
    for node in sorted(all_of(tree, ast.ClassDef), key=lambda node: node.lineno):
        match node:
            case ast.ClassDef(bases=[ast.Name(id=base)], keywords=[], decorator_list=[]):
                if base in found or is_builtin_error(base):
                    found[node.name] = node
            case _:
                pass
    return found


def _is_error_call(node: ast.Call, scene: Scene) -> bool:
    if not isinstance(node.func, ast.Name) or not hasattr(builtins, node.func.id):
        return False
    name = node.func.id
    return (
        is_builtin_error(name)
        and name not in scene.names.bound | scene.known
        and name not in OF_SYSTEM | GROUPS | _ALIASES
    )


def _is_one_text(node: ast.Call) -> bool:
    """Whether the exception has one text, so that Monty's own has all that there is."""
    if node.keywords or len(node.args) > 1:
        return False
    return not node.args or _is_text(node.args[0])


def _is_text(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr() | ast.Call(func=ast.Name(id='str')):
            return True
        case ast.BinOp(left=left, op=ast.Add() | ast.Mod()):
            return _is_text(left)
        case ast.Call(func=ast.Attribute(value=value, attr='format' | 'join')):
            return _is_text(value)
        case _:
            return False


def _raised_or_caught(tree: ast.Module) -> set[str]:
    found = [node.exc for node in all_of(tree, ast.Raise)] + [node.type for node in all_of(tree, ast.ExceptHandler)]
    return {part.id for node in found if node is not None for part in ast.walk(node) if isinstance(part, ast.Name)}


OF_SYSTEM = frozenset(
    [
        'BlockingIOError',
        'BrokenPipeError',
        'BufferError',
        'ChildProcessError',
        'ConnectionAbortedError',
        'ConnectionError',
        'ConnectionRefusedError',
        'ConnectionResetError',
        'DeprecationWarning',
        'EOFError',
        'FloatingPointError',
        'FutureWarning',
        'InterruptedError',
        'ProcessLookupError',
        'ReferenceError',
        'RuntimeWarning',
        'StopAsyncIteration',
        'SystemError',
        'UnicodeError',
        'UserWarning',
        'Warning',
    ]
)
"""Exceptions that Monty lacks."""
GROUPS = frozenset(['BaseExceptionGroup', 'ExceptionGroup'])
"""Those that hold others."""
_ALIASES = frozenset(['GeneratorExit', 'IndentationError'])
"""Those that stand for another one of Monty's."""
_TELLING = frozenset(['__anext__', 'anext', 'asend', 'athrow'])
"""What may raise one of those that Monty lacks."""
_SHOWN_WITH_MODULE = frozenset(['base64', 'binascii', 'csv', 'decimal', 'json', 're', 'tomllib'])
"""Modules whose exceptions Monty shows with the module's name before theirs."""
_OF_ERRORS = frozenset(['__cause__', '__notes__', 'add_note', 'errno', 'strerror', 'with_traceback'])
_PLACE = {'encoding', 'start', 'end', 'reason'}
_ATTRIBUTES_OF = {
    'StopIteration': {'value'},
    'SystemExit': {'code'},
    'ImportError': {'name', 'path', 'msg'},
    'ModuleNotFoundError': {'name', 'path', 'msg'},
    'JSONDecodeError': {'msg', 'pos', 'lineno', 'colno'},
    'OSError': {'filename'},
    'FileNotFoundError': {'filename'},
    'error': {'msg', 'pos', 'lineno', 'colno'},
    'UnicodeError': _PLACE,
    'UnicodeDecodeError': _PLACE,
    'UnicodeEncodeError': _PLACE,
}
_TANGLED = (
    'What is raised and caught here is written in a way that cannot be followed. '
    'Write each statement on a line of its own.'
)


@dataclass(frozen=True)
class _Work:
    source: Source
    scene: Scene
    own: dict[str, ast.ClassDef]

    def edits(self) -> list[Edit]:
        """All that changes. What closes a block comes last, and of blocks that end at one place the inner one first."""
        inside = [*self._made(), *self._raises(), *self._asserts(), *self._tests(), *self._exits()]
        blocks = [(self.source.start(node), list(self._class(node))) for node in self.own.values()]
        tries = [node for node in all_of(self.source.tree, ast.Try) if node.handlers]
        blocks += [(self.source.start(node), list(self._handlers(node, n))) for n, node in enumerate(tries)]
        stars = all_of(self.source.tree, ast.TryStar)
        blocks += [(self.source.start(node), list(parted(self.source, node, n))) for n, node in enumerate(stars)]
        blocks.sort(key=lambda block: -block[0])
        return [*inside, *(edit for _, edits in blocks for edit in edits)]

    def _class(self, node: ast.ClassDef) -> Iterator[Edit]:
        base = node.bases[0]
        if isinstance(base, ast.Name) and base.id in GROUPS:
            raise Refused([refusal(base, _GROUP)])
        opening = self.source.text.index('(', self.source.start(node))
        yield Edit(opening, self.source.text.index(')', self.source.end(base)) + 1, '')
        parent = self.own.get(ast.unparse(base))
        names = sorted(self._members(parent) - _defined(node)) if parent is not None else []
        end, indent = self.source.end(node), ' ' * node.col_offset
        yield Edit(end, end, f'{NEW_LINE}{indent}{_piece("derived")}({node.name}, {ast.unparse(base)}, {names!r})')
        for method in node.body:
            if isinstance(method, ast.FunctionDef):
                yield from self._super_calls(method, ast.unparse(base))

    def _members(self, node: ast.ClassDef) -> set[str]:
        parent = self.own.get(ast.unparse(node.bases[0]))
        return _defined(node) | (self._members(parent) if parent is not None else set())

    def _super_calls(self, method: ast.FunctionDef, base: str) -> Iterator[Edit]:
        above = base if base in self.own else _piece('Error')
        first = method.args.args[0].arg if method.args.args else 'self'
        for node in walk(method):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id='super'))) as func):
                    opening = self.source.text.index('(', self.source.end(func))
                    glue = ', ' if node.args or node.keywords else ''
                    yield Edit(self.source.start(func), opening + 1, f'{above}.{func.attr}({first}{glue}')
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as kind, attr='__init__' | '__str__')):
                    if name == base and name not in self.own:
                        yield self.source.replace(kind, above)
                case _:
                    pass

    def _made(self) -> Iterator[Edit]:
        raised = {node.exc for node in all_of(self.source.tree, ast.Raise) if node.cause is None}
        for node in all_of(self.source.tree, ast.Call):
            if not _is_error_call(node, self.scene) or (node in raised and _is_one_text(node)):
                continue
            opening = self.source.text.index('(', self.source.end(node.func))
            name = self.source.segment(node.func)
            yield Edit(self.source.start(node), opening + 1, f'{_piece("made")}({name}, ')
        if keeps_kinds(self.source.tree, self.scene):
            for node in calls_of_kept(self.source.tree):
                yield from self.source.wrap(node.func, f'{_piece("called")}(', ')')

    def _raises(self) -> Iterator[Edit]:
        for node in all_of(self.source.tree, ast.Raise):
            if node.exc is None:
                continue
            cause, exc = node.cause, node.exc
            if cause is None and isinstance(exc, ast.Call) and _is_error_call(exc, self.scene) and _is_one_text(exc):
                continue
            start, end = self.source.start(node) + len('raise'), self.source.end(node)
            yield Edit(start, start, f' {_piece("raised")}(')
            if cause is not None:
                word = self.source.text.index('from', self.source.end(exc))
                yield Edit(word, word + len('from'), ',')
            yield Edit(end, end, ')')

    def _asserts(self) -> Iterator[Edit]:
        for node in all_of(self.source.tree, ast.Assert):
            start, end = self.source.start(node) + len('assert'), self.source.end(node)
            yield Edit(start, start, ' (')
            behind = end if node.msg is None else self.source.text.index(',', self.source.end(node.test))
            yield Edit(behind, behind + (node.msg is not None), f') or {_piece("failed")}(')
            yield Edit(end, end, ')')

    def _tests(self) -> Iterator[Edit]:
        for node in walk(self.source.tree):
            match node:
                case ast.Call(func=ast.Name(id='isinstance' | 'issubclass') as func, args=[_, kinds]):
                    if self._may_be_errors(kinds) or func.id == 'issubclass':
                        yield self.source.replace(func, _piece('is_a' if func.id == 'isinstance' else 'is_below'))
                case ast.Call(func=ast.Name(id='type') as func, args=[_], keywords=[]) if self._is_free('type'):
                    yield self.source.replace(func, _piece('type_of'))
                case ast.Call(func=ast.Name(id='suppress') | ast.Attribute(attr='suppress')):
                    yield self.source.replace(node.func, _piece('suppress'))
                case ast.Call(func=ast.Attribute(attr='throw' | 'athrow'), args=[error] | [_, error], keywords=[]):
                    yield from self.source.wrap(error, f'{_piece("raised")}(', ')')
                case _:
                    pass

    def _is_free(self, name: str) -> bool:
        return name not in self.scene.names.bound and name not in self.scene.known

    def _may_be_errors(self, kinds: ast.expr) -> bool:
        names = {part.id for part in ast.walk(kinds) if isinstance(part, ast.Name)}
        return any(name in self.own or not self._is_plain(name) for name in names)

    def _is_plain(self, name: str) -> bool:
        if name in self._classes:
            return True
        return hasattr(builtins, name) and not is_builtin_error(name) and self._is_free(name)

    @cached_property
    def _classes(self) -> set[str]:
        return {node.name for node in all_of(self.source.tree, ast.ClassDef)} - self.own.keys()

    def _exits(self) -> Iterator[Edit]:
        """A context of the snippet's own is told of exceptions too."""
        for node in (*all_of(self.source.tree, ast.FunctionDef), *all_of(self.source.tree, ast.AsyncFunctionDef)):
            if node.name not in ('__exit__', '__aexit__'):
                continue
            names = [part.arg for part in node.args.args[1:_OF_EXIT]]
            if len(names) == _OF_EXIT - 1:
                told = f'{", ".join(names)} = {_piece("told")}({names[1]})'
            elif node.args.vararg is not None and not names:
                told = f'{node.args.vararg.arg} = {_piece("told")}({node.args.vararg.arg}[1])'
            else:
                continue
            yield self._first(node.body[0], node.lineno, [told])

    def _first(self, body: ast.stmt, header: int, statements: list[str]) -> Edit:
        glue = '; ' if body.lineno == header else NEW_LINE + ' ' * body.col_offset
        start = self.source.start(body)
        return Edit(start, start, ''.join(f'{statement}{glue}' for statement in statements))

    def _handlers(self, node: ast.Try, number: int) -> Iterator[Edit]:
        if all(self._is_native(handler.type) for handler in node.handlers):
            # What travels is of the builtin kind that it inherits from, so that these catch what they should.
            for handler in node.handlers:
                if handler.name:
                    known = [f'{handler.name} = {_piece("own")}({handler.name})']
                    yield self._first(handler.body[0], handler.lineno, known)
            return
        for handler in node.handlers:
            # The conditions stand one column to the right of `except`, the bodies at least two.
            first = handler.body[0]
            if first.lineno != handler.lineno and first.col_offset <= handler.col_offset + 1:
                raise Refused([refusal(first, _NARROW)])
        yield from self._choice(node, self._name(node, f'_error_{number}'))

    def _is_native(self, kinds: ast.expr | None) -> bool:
        """Whether a handler names nothing but exceptions that Monty has."""
        if isinstance(kinds, ast.Tuple):
            return all(self._is_native(kind) for kind in kinds.elts)
        if not isinstance(kinds, ast.Name):
            return kinds is None
        return is_builtin_error(kinds.id) and kinds.id not in OF_SYSTEM | GROUPS and self._is_free(kinds.id)

    def _name(self, node: ast.Try, own: str) -> str:
        """What is caught bears the handlers' own name where they have one, so that it is unbound behind them."""
        names = {handler.name for handler in node.handlers}
        return next((name for name in names if name is not None), own) if len(names) == 1 else own

    def _choice(self, node: ast.Try, name: str) -> Iterator[Edit]:
        """All handlers as the branches of one: which one it is cannot be seen from what travels."""
        indent = ' ' * (node.handlers[0].col_offset + 1)
        for place, handler in enumerate(node.handlers):
            header = self._header(handler)
            kinds = '' if handler.type is None else self.source.segment(handler.type)
            test = f'{_piece("caught")}({name}, ({kinds}))' if kinds else 'True'
            word = f'except BaseException as {name}:{NEW_LINE}{indent}if' if place == 0 else ' elif'
            yield Edit(header.start, header.end, f'{word} {test}:')
            if handler.name:
                yield self._first(handler.body[0], handler.lineno, [f'{handler.name} = {_piece("own")}({name})'])
                yield from self._unbound(handler, name)
        end = self.source.end(node.handlers[-1].body[-1])
        yield Edit(end, end, f'{NEW_LINE}{indent}else: raise')

    def _unbound(self, handler: ast.ExceptHandler, caught: str) -> Iterator[Edit]:
        last = handler.body[-1]
        if handler.name == caught or isinstance(last, (ast.Return, ast.Raise)) or last.lineno == handler.lineno:
            return
        glue = NEW_LINE + ' ' * last.col_offset
        end = self.source.end(last)
        yield Edit(end, end, f'{glue}try: raise KeyError{glue}except KeyError as {handler.name}: pass')

    def _header(self, handler: ast.ExceptHandler) -> Edit:
        start = self.source.start(ast.copy_location(ast.Pass(), handler))
        behind = start if handler.type is None else self.source.end(handler.type)
        return Edit(start, self.source.text.index(':', behind) + 1, '')


def _defined(node: ast.ClassDef) -> set[str]:
    methods = {part.name for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))}
    assigned = (target for part in node.body if isinstance(part, ast.Assign) for target in part.targets)
    return methods | {target.id for target in assigned if isinstance(target, ast.Name)}


_OF_EXIT = 4
_OF_KINDS = frozenset(['caught', 'is_a', 'is_below', 'suppress'])
_GROUP = 'A class cannot inherit from a group here. Inherit from Exception, and keep the errors in an attribute.'
_NARROW = 'The body of a handler must stand two columns further in than its `except` here.'
