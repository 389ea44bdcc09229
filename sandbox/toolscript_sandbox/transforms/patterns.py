"""`case Kind()` of classes whose instances Monty does not recognize: exceptions, abstract types, and base classes.

It becomes a guard, `case found if isinstance(found, (Kind,))`, which later transforms handle like any other call.
"""

from __future__ import annotations

import ast

from toolscript_sandbox.language.analysis import Analysis, set_meaning
from toolscript_sandbox.language.refusals import Refused, refusal

from .exceptions import BUILTIN
from .transform import Context, Transform
from .tree import is_named, meaning, named, placed, quoted_expression, set_changed


class Patterns(Transform):
    feature = 'patterns of exceptions, abstract types and classes that others inherit from'

    @staticmethod
    def needed(analysis: Analysis) -> bool:
        return ast.MatchClass in analysis.kinds

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        analysis = context.analysis
        # A member of an `IntEnum` is also a number.
        self._native = _PLAIN if analysis.means_module('enum') or analysis.has('enums') else _PLAIN | _OF_ENUMS

        self._properties = {
            node.name
            for node in analysis.all(ast.FunctionDef)
            if any(meaning(mark) in ('builtins.property', 'functools.cached_property') for mark in node.decorator_list)
        }
        self._match_args = {
            owner.name: {
                one.value for one in ast.walk(statement) if isinstance(one, ast.Constant) and isinstance(one.value, str)
            }
            for owner in analysis.all(ast.ClassDef)
            for statement in owner.body
            if isinstance(statement, ast.Assign) and is_named(statement.targets[0], '__match_args__')
        }

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        tests = list[ast.expr]()
        node.pattern = self._without_kinds(node.pattern, tests)
        if tests:
            tests += [] if node.guard is None else [node.guard]
            node.guard = placed(ast.BoolOp(ast.And(), tests), node.pattern) if len(tests) > 1 else tests[0]
            set_changed(node)
        return self.below(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> ast.AST:
        dotted = meaning(node.cls) or ''
        if dotted in BUILTIN or dotted.startswith(('collections.abc.', 'typing.')):
            raise Refused([refusal(node, _INSIDE)])
        places = self._match_args.get(ast.unparse(node.cls), ()) if node.patterns else ()
        if not self._properties.isdisjoint([*node.kwd_attrs, *places]):
            raise Refused([refusal(node, _PROPERTY)])
        return self.below(node)

    def _without_kinds(self, pattern: ast.pattern, tests: list[ast.expr]) -> ast.pattern:
        """The pattern, with a name in place of each class; adds the questions to `tests`."""
        kinds, name = _kinds_of(pattern)
        if any(meaning(kind) not in self._native for kind in kinds):
            found = self._fresh('found')
            seen = named(found, pattern)
            asked = set_meaning(named('isinstance', pattern), 'builtins.isinstance')
            tests.append(quoted_expression('F(X, (KINDS,))', pattern, F=asked, X=seen, KINDS=kinds))
            if name is not None:
                tests.append(quoted_expression('[NAME := X]', pattern, NAME=name, X=seen))
            return placed(ast.MatchAs(None, found), pattern)
        match pattern:
            case ast.MatchAs(pattern=ast.pattern() as inner):
                pattern.pattern = self._without_kinds(inner, tests)
            case ast.MatchSequence(patterns=parts) | ast.MatchMapping(patterns=parts):
                pattern.patterns = [self._without_kinds(part, tests) for part in parts]
            case ast.MatchClass(patterns=parts, kwd_patterns=others):
                pattern.patterns = [self._without_kinds(part, tests) for part in parts]
                pattern.kwd_patterns = [self._without_kinds(part, tests) for part in others]
            case _:
                pass
        return set_changed(pattern) if tests else pattern


def _kinds_of(pattern: ast.pattern) -> tuple[list[ast.expr], str | None]:
    """Return the classes of `A() | B() as name` or `int(name)`, and the name; none if it tests for anything else."""
    name = None
    match pattern:
        case ast.MatchClass(cls=kind, patterns=[ast.MatchAs(pattern=None, name=name)]) if meaning(kind) in _OF_ENUMS:
            return [kind], name
        case _:
            pass
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        pattern, name = pattern.pattern, pattern.name
    parts = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    plain = [one for one in parts if isinstance(one, ast.MatchClass) and not one.patterns and not one.kwd_patterns]
    return ([one.cls for one in plain], name) if len(plain) == len(parts) else ([], None)


_PLAIN = frozenset(f'builtins.{name}' for name in ('bytes', 'dict', 'float', 'list', 'set', 'tuple'))
_OF_ENUMS = frozenset(f'builtins.{name}' for name in ('bool', 'int', 'str'))
_INSIDE = 'A pattern cannot look into this class here. Write `case _ if isinstance(value, ...)`.'
_PROPERTY = 'A pattern cannot test a property here. Use `if`: case Circle() if value.area > 1.'
