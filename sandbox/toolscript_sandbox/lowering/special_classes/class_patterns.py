"""Patterns of classes that Monty would read otherwise: what they ask is asked behind the `if` of their case.

Monty holds the type of a value against the class itself, and reads attributes past properties. So `case Shape(area=a)`
finds no heir of `Shape`, `case Exception()` no `ValueError`, `case date()` no `datetime`. The pattern becomes a name,
and behind the `if` stands what Python asks of the value: `isinstance`, `hasattr` and what is between the parentheses.
Names are bound when all of the pattern has matched.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.lowering.class_features import ENUMERATIONS
from toolscript_sandbox.lowering.classes.lineage import Family, dataclass_mark, last_name, own_fields
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import Edit
from toolscript_sandbox.text.syntax import all_of, index_of

from .records import RECORDS


def with_class_patterns(program: Program) -> Program:
    """The snippet with these patterns written as questions."""
    work = _Patterns(program)
    edits = [edit for node in all_of(program.tree, ast.Match) for case in node.cases for edit in work.of(case)]
    edited = program.edited(edits)
    if edits and edited is program:
        raise Refused([refusal(next(iter(all_of(program.tree, ast.MatchClass))).cls, _TANGLED)])
    return edited


class _Patterns:
    """The patterns of one snippet, and what is known of its classes."""

    def __init__(self, program: Program) -> None:
        tree, self._program = program.tree, program
        self._family = Family({node.name: node for node in all_of(tree, ast.ClassDef)})
        self._bound = program.scene.names.bound
        self._properties = self._family.decorated('property', 'cached_property')
        words = index_of(tree).names
        self._has_members = not words.isdisjoint(_MEMBERS) or ENUMERATIONS in program.scene.kin
        self._has_records = 'NamedTuple' in words or RECORDS in program.scene.kin
        self._count = 0

    def of(self, case: ast.match_case) -> Iterator[Edit]:
        """What changes in a case."""
        if not self.is_asked(case.pattern):
            return
        source, asked = self._program.source, _Questions(self)
        pattern = ast.unparse(asked.shape(case.pattern))
        questions = ' and '.join(asked.all())
        first = source.text.rindex('case', 0, source.offset(case.pattern.lineno, case.pattern.col_offset)) + len('case')
        behind = source.offset(case.pattern.end_lineno, case.pattern.end_col_offset)
        if case.guard is None:
            yield Edit(first, source.text.index(':', behind), f' {pattern} if {questions}')
            return
        word = source.text.rindex('if', behind, source.start(case.guard)) + len('if')
        yield Edit(first, word, f' {pattern} if {questions} and (')
        colon = source.text.index(':', source.end(case.guard))
        yield Edit(colon, colon, ')')

    def is_asked(self, pattern: ast.pattern) -> bool:
        """Whether Monty would read the pattern, or one in it, otherwise."""
        return any(self._is_other(node) for node in ast.walk(pattern))

    def is_replaced(self, pattern: ast.pattern) -> bool:
        """Whether the pattern itself, and not only one in it, becomes a name."""
        if isinstance(pattern, (ast.MatchOr, ast.MatchClass)):
            return self.is_asked(pattern)
        return self._is_other(pattern)

    def _is_other(self, node: ast.AST) -> bool:
        match node:
            case ast.MatchClass(cls=ast.Name(id=name)) if name in self._family.classes:
                return self._is_of_family(self._family.classes[name], node)
            case ast.MatchClass(cls=ast.Name(id='tuple')) | ast.MatchSequence() if self._has_records:
                return True
            case ast.MatchClass(cls=ast.Name(id=name)) if name in _EXACT and name not in self._bound:
                return self._has_members and name in _DATA
            case ast.MatchClass(cls=ast.Name(id=name)) if name in self._program.scene.known and node.patterns:
                # What its positions mean, only the class of an earlier script knows.
                return False
            case ast.MatchClass():
                return True
            case _:
                return False

    def _is_of_family(self, node: ast.ClassDef, pattern: ast.MatchClass) -> bool:
        names = {*pattern.kwd_attrs, *(_names_of(node, self._family) or ())}
        special = (
            node.bases and not self._family.bases(node) and last_name(node.bases[0]) not in ('NamedTuple', 'object')
        )
        return bool(self._family.heirs(node.name) or special or names & self._properties)

    def attributes(self, pattern: ast.MatchClass) -> list[tuple[str, ast.pattern]]:
        """What a pattern asks of which attribute; '' stands for the value itself."""
        positions = self._positions(pattern)
        return [
            *zip(positions, pattern.patterns, strict=False),
            *zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True),
        ]

    def _positions(self, pattern: ast.MatchClass) -> tuple[str, ...]:
        if not pattern.patterns:
            return ()
        name = last_name(pattern.cls)
        node = self._family.classes.get(name)
        found = _names_of(node, self._family) if node is not None else ('',) if name in _ITSELF else None
        if found is None or len(found) < len(pattern.patterns):
            raise Refused([refusal(pattern.cls, f'Say by name what {name} has here: {name}(name=pattern).')])
        return found

    def fresh(self) -> str:
        """A name that no other has."""
        self._count += 1
        return f'_case_{self._count}'

    def piece(self, name: str) -> str:
        """A guest's function."""
        version = guest('patterns')
        assert version is not None
        self._program.scene.pieces.add('patterns')
        return version.prefixed(name)


class _Questions:
    """What one case asks behind its `if`."""

    def __init__(self, patterns: _Patterns) -> None:
        self._patterns = patterns
        self._asked = list[str]()
        self._names = dict[str, str]()
        """What the pattern binds, and what keeps it until all has matched."""

    def all(self) -> list[str]:
        """The questions, and then the names."""
        return [*self._asked, *(f'[{name} := {kept}]' for name, kept in self._names.items())]

    def shape(self, pattern: ast.pattern) -> ast.pattern:
        """What is left of the pattern."""
        match pattern:
            case _ if self._patterns.is_replaced(pattern):
                value = self._patterns.fresh()
                self._asked.append(self._question(pattern, value))
                return ast.MatchAs(None, value)
            case ast.MatchAs(pattern=inner, name=str(name)):
                return ast.MatchAs(None if inner is None else self.shape(inner), self._kept(name))
            case ast.MatchStar(name=str(name)):
                return ast.MatchStar(self._kept(name))
            case ast.MatchSequence(patterns=parts):
                return ast.MatchSequence([self.shape(part) for part in parts])
            case ast.MatchMapping(keys=keys, patterns=parts, rest=rest):
                return ast.MatchMapping(keys, [self.shape(part) for part in parts], rest and self._kept(rest))
            case ast.MatchOr(patterns=parts):
                return ast.MatchOr([self.shape(part) for part in parts])
            case ast.MatchClass(cls=cls, patterns=parts, kwd_attrs=names, kwd_patterns=named):
                return ast.MatchClass(cls, [*map(self.shape, parts)], names, [*map(self.shape, named)])
            case _:
                return pattern

    def _kept(self, name: str) -> str:
        if name not in self._names:
            self._names[name] = self._patterns.fresh()
        return self._names[name]

    def _question(self, pattern: ast.pattern, value: str) -> str:
        """What Python asks of the value."""
        match pattern:
            case ast.MatchValue(value=other):
                return f'{value} == {ast.unparse(other)}'
            case ast.MatchSingleton(value=other):
                return f'{value} is {other}'
            case ast.MatchAs(pattern=None, name=None):
                return 'True'
            case ast.MatchAs(pattern=inner, name=str(name)):
                first = '' if inner is None else f'{self._question(inner, value)} and '
                return f'{first}[{self._kept(name)} := {value}]'
            case ast.MatchOr(patterns=parts):
                return f'({" or ".join(self._question(part, value) for part in parts)})'
            case ast.MatchClass():
                return ' and '.join(
                    [f'isinstance({value}, {ast.unparse(pattern.cls)})', *self._attributes(pattern, value)]
                )
            case ast.MatchSequence(patterns=parts):
                return ' and '.join(self._items(parts, value))
            case ast.MatchMapping():
                return ' and '.join(self._entries(pattern, value))
            case _:
                raise AssertionError(pattern)

    def _attributes(self, pattern: ast.MatchClass, value: str) -> Iterator[str]:
        for name, part in self._patterns.attributes(pattern):
            if not name:
                yield self._question(part, value)
                continue
            yield f'hasattr({value}, {name!r})'
            yield self._of(f'{value}.{name}', part)

    def _of(self, expression: str, pattern: ast.pattern) -> str:
        """A question about what an expression gives."""
        value = self._patterns.fresh()
        return f'[{value} := {expression}] and {self._question(pattern, value)}'

    def _items(self, parts: list[ast.pattern], value: str) -> Iterator[str]:
        items = self._patterns.fresh()
        yield f'({items} := {self._patterns.piece("items_of")}({value})) is not None'
        star = next((place for place, part in enumerate(parts) if isinstance(part, ast.MatchStar)), None)
        yield f'len({items}) {"==" if star is None else ">="} {len(parts) - (star is not None)}'
        for place, part in enumerate(parts):
            if not isinstance(part, ast.MatchStar):
                behind = star is not None and place > star
                yield self._of(f'{items}[{place - len(parts) if behind else place}]', part)
            elif part.name is not None:
                yield f'[{self._kept(part.name)} := {items}[{place} : len({items}) - {len(parts) - place - 1}]]'

    def _entries(self, pattern: ast.MatchMapping, value: str) -> Iterator[str]:
        yield f'{self._patterns.piece("is_mapping")}({value})'
        for key, part in zip(pattern.keys, pattern.patterns, strict=True):
            yield f'{ast.unparse(key)} in {value}'
            yield self._of(f'{value}[{ast.unparse(key)}]', part)
        if pattern.rest is not None:
            keys = ''.join(f'{ast.unparse(key)}, ' for key in pattern.keys)
            yield f'[{self._kept(pattern.rest)} := {self._patterns.piece("without")}({value}, ({keys}))]'


def _names_of(node: ast.ClassDef, family: Family) -> tuple[str, ...] | None:
    """What stands for the positions of a class, where the text shows it."""
    for one in family.line(node):
        for part in one.body:
            match part:
                case ast.Assign(targets=[ast.Name(id='__match_args__')], value=value):
                    return _texts(value)
                case ast.AnnAssign(target=ast.Name(id='__match_args__'), value=ast.expr() as value):
                    return _texts(value)
                case _:
                    pass
        if dataclass_mark(one) is not None:
            return _of_dataclass(one, family)
        if [last_name(base) for base in one.bases] == ['NamedTuple']:
            return tuple(own_fields(one))
    return ()


def _of_dataclass(node: ast.ClassDef, family: Family) -> tuple[str, ...] | None:
    told = [mark for one in family.line(node) for mark in one.decorator_list] + [*family.fields(node).values()]
    if any('kw_only' in (text := ast.unparse(part)) or 'KW_ONLY' in text or 'init=' in text for part in told):
        return None
    return tuple(family.fields(node))


def _texts(value: ast.expr) -> tuple[str, ...] | None:
    try:
        return tuple(ast.literal_eval(value))
    except ValueError:
        return None


_TANGLED = 'Ask with isinstance here, and write each case on a line of its own.'
_MEMBERS = frozenset(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag'])
_DATA = frozenset(['int', 'str'])
_EXACT = frozenset(['bool', 'bytes', 'dict', 'float', 'frozenset', 'int', 'list', 'set', 'str', 'tuple'])
_ITSELF = _EXACT | {'bytearray'}
"""Types whose only position stands for the value itself."""
