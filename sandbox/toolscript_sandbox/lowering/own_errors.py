"""Exceptions that the snippet defines, as Monty can have them: plain classes, and a builtin exception that travels."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, walk

from .guest_modules import guest
from .program import Program


def with_own_errors(program: Program) -> Program:
    """The snippet with its exception classes standing alone, and with what it raises and catches rewritten to match."""
    source, scene = program.source, program.scene
    bases = _bases(source.tree)
    foreign = _raised_or_caught(source.tree) & scene.defined
    system = {node.id for node in all_of(source.tree, ast.Name) if node.id in OF_SYSTEM}
    if not bases and not foreign and not any(scene.functions.get(name) is None for name in system - scene.names.bound):
        return program
    scene.pieces.add('errors')
    scene.flattened = True
    if bases:
        scene.note('Wrote exception classes as plain ones: classes cannot inherit from builtins here.')
    work = _Work(source, bases)
    return program.edited([*work.classes(), *work.raises(), *work.tests(), *work.handlers()])


def _piece(name: str) -> str:
    version = guest('errors')
    assert version is not None
    return version.prefixed(name)


def _bases(tree: ast.Module) -> dict[str, ast.ClassDef]:
    """The exception classes of the snippet by name."""
    found = dict[str, ast.ClassDef]()
    for node in tree.body:
        match node:
            case ast.ClassDef(bases=[ast.Name(id=base)], keywords=[], decorator_list=[]):
                if base in found or _is_builtin_error(base):
                    found[node.name] = node
            case _:
                pass
    return found


def _is_builtin_error(name: str) -> bool:
    kind: object = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, BaseException)


def _raised_or_caught(tree: ast.Module) -> set[str]:
    found = [node.exc for node in all_of(tree, ast.Raise)]
    found += [node.type for node in all_of(tree, ast.ExceptHandler)]
    return {part.id for node in found if node is not None for part in ast.walk(node) if isinstance(part, ast.Name)}


OF_SYSTEM = frozenset(
    [
        'BlockingIOError',
        'BrokenPipeError',
        'ChildProcessError',
        'ConnectionAbortedError',
        'ConnectionError',
        'ConnectionRefusedError',
        'ConnectionResetError',
        'InterruptedError',
        'ProcessLookupError',
    ]
)
"""Kinds of `OSError` that Monty does not tell apart."""


@dataclass(frozen=True)
class _Work:
    source: Source
    own: dict[str, ast.ClassDef]

    def classes(self) -> Iterator[Edit]:
        for node in self.own.values():
            base = node.bases[0]
            opening = self.source.text.index('(', self.source.start(node))
            yield Edit(opening, self.source.text.index(')', self.source.end(base)) + 1, '')
            parent = self.own.get(ast.unparse(base))
            names = sorted(self._members(parent) - _defined(node)) if parent is not None else []
            end = self.source.end(node)
            yield Edit(end, end, f'{NEW_LINE}{_piece("derived")}({node.name}, {ast.unparse(base)}, {names!r})')
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
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as kind, attr='__init__')):
                    if name == base and name not in self.own:
                        yield self.source.replace(kind, above)
                case _:
                    pass

    def raises(self) -> Iterator[Edit]:
        for node in all_of(self.source.tree, ast.Raise):
            if node.exc is not None:
                yield from self.source.wrap(node.exc, f'{_piece("raised")}(', ')')
                if node.cause is not None:
                    yield Edit(self.source.end(node.exc), self.source.end(node.cause), '')

    def tests(self) -> Iterator[Edit]:
        for node in all_of(self.source.tree, ast.Call):
            match node:
                case ast.Call(func=ast.Name(id='isinstance') as func, args=[_, kinds]):
                    if any(
                        isinstance(part, ast.Name) and (part.id in self.own or part.id in OF_SYSTEM)
                        for part in ast.walk(kinds)
                    ):
                        yield self.source.replace(func, _piece('caught'))
                case _:
                    pass

    def handlers(self) -> Iterator[Edit]:
        tries = [node for node in all_of(self.source.tree, ast.Try) if node.handlers]
        for number, node in enumerate(tries):
            bare = len(node.handlers) == 1 and node.handlers[0].type is None
            if not bare and all(self._has_room(handler) for handler in node.handlers):
                yield from self._choice(node, f'_error_{number}')

    def _has_room(self, handler: ast.ExceptHandler) -> bool:
        # The conditions stand one column to the right of `except`, the bodies at least two.
        first = handler.body[0]
        return first.lineno == handler.lineno or first.col_offset > handler.col_offset + 1

    def _choice(self, node: ast.Try, name: str) -> Iterator[Edit]:
        """All handlers as the branches of one: which one it is cannot be seen from what travels."""
        indent = ' ' * (node.handlers[0].col_offset + 1)
        for place, handler in enumerate(node.handlers):
            header = self._header(handler)
            kinds = '' if handler.type is None else self.source.segment(handler.type)
            test = f'{_piece("caught")}({name}, {kinds})' if kinds else 'True'
            word = f'except BaseException as {name}:{NEW_LINE}{indent}if' if place == 0 else ' elif'
            yield Edit(header.start, header.end, f'{word} {test}:')
            if handler.name:
                body = handler.body[0]
                glue = '; ' if body.lineno == handler.lineno else NEW_LINE + ' ' * body.col_offset
                start = self.source.start(body)
                yield Edit(start, start, f'{handler.name} = {_piece("own")}({name}){glue}')
        end = self.source.end(node.handlers[-1].body[-1])
        yield Edit(end, end, f'{NEW_LINE}{indent}else: raise')

    def _header(self, handler: ast.ExceptHandler) -> Edit:
        start = self.source.start(ast.copy_location(ast.Pass(), handler))
        behind = start if handler.type is None else self.source.end(handler.type)
        return Edit(start, self.source.text.index(':', behind) + 1, '')


def _defined(node: ast.ClassDef) -> set[str]:
    methods = {part.name for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))}
    assigned = (target for part in node.body if isinstance(part, ast.Assign) for target in part.targets)
    return methods | {target.id for target in assigned if isinstance(target, ast.Name)}
