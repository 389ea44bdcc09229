"""Which findings of the type checker stop a snippet: those that are wrong under every reading."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from toolscript_sandbox.contract.functions import HOST, Function, Functions
from toolscript_sandbox.preparation import Snippet
from toolscript_sandbox.text.syntax import tree_of, walk

from .arguments import Span, inside, judged
from .attempts import is_attempted
from .checker import Diagnostic
from .provenance import Provenance
from .stub_shapes import parameters_of


@dataclass(frozen=True)
class Case:
    """A finding, and what there is to judge it by."""

    finding: Diagnostic
    snippet: Snippet
    functions: Functions
    hosts: Mapping[str, Function]
    """Host functions that the snippet names."""
    history: tuple[str, ...] = ()
    """Earlier code."""
    known: frozenset[str] = frozenset()
    """Variables of the session."""

    @property
    def named(self) -> frozenset[str]:
        """Names of host functions in the snippet."""
        return frozenset(self.hosts)

    @property
    def quoted(self) -> list[str]:
        """What the message puts in backquotes."""
        return re.findall(r'`([^`]*)`', self.finding.message)

    @property
    def tree(self) -> ast.Module:
        """The snippet's."""
        return tree_of(self.snippet.checked.text)

    @property
    def objects(self) -> list[ast.expr]:
        """The expressions whose types the finding is about; empty where that is not clear."""
        found = self.finding
        place = (found.line, found.column, found.end_line, found.end_column)
        nodes = [node for node in walk(self.tree) if isinstance(node, (ast.expr, ast.AugAssign))]
        node = next((node for node in nodes if self._place(node) == place), None)
        match node:
            case ast.BinOp(left=left, right=right):
                return [left, right]
            case ast.Call(func=func) if found.rule == 'call-non-callable':
                return [func]
            case ast.Compare(left=left, comparators=others):
                return [left, *others]
            case ast.Attribute(value=value) | ast.AugAssign(value=value):
                return [value]
            case ast.Subscript(value=value) if found.rule == 'not-subscriptable':
                return [value]
            case ast.expr():
                return [node]
            case _:
                return []

    def _place(self, node: ast.expr | ast.AugAssign) -> tuple[int, int, int, int]:
        end = node.end_lineno or node.lineno
        return node.lineno, self._column(node.lineno, node.col_offset), end, self._column(end, node.end_col_offset or 0)

    def _column(self, line: int, column_bytes: int) -> int:
        text = self.snippet.checked.text.split('\n')[line - 1]
        return column_bytes if text.isascii() else len(text.encode()[:column_bytes].decode())

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Of the functions and classes in the session's code, wherever they are defined."""
        nodes = (node for tree in [self.tree, *map(tree_of, self.history)] for node in walk(tree))
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        return frozenset(node.name for node in nodes if isinstance(node, kinds)) | self.known | self.snippet.bound

    @cached_property
    def records(self) -> frozenset[str]:
        """Names of the records in the stubs of host functions."""
        takes = [parameters_of(function.stub) for function in self.hosts.values()]
        return frozenset(name for one in takes if one is not None for name in one.records)

    @cached_property
    def provenance(self) -> Provenance:
        """Of the values in the snippet, as far as this session's code tells."""
        return Provenance([self.tree, *map(tree_of, self.history)], self.named.__contains__)

    @property
    def is_certain(self) -> bool:
        """Whether the objects can only have the types that the checker inferred."""
        objects = self.objects
        return bool(objects) and all(self.provenance.is_certain(node) for node in objects)


Judge: TypeAlias = Callable[[Case], bool]


def wrong(
    findings: Iterable[Diagnostic],
    snippet: Snippet,
    functions: Functions,
    named: Iterable[Function],
    history: tuple[str, ...] = (),
    known: frozenset[str] = frozenset(),
) -> list[Diagnostic]:
    """The findings that show that the snippet cannot be right."""
    hosts = {function.name: function for function in named}
    tree = tree_of(snippet.checked.text)
    arguments = judged(snippet.checked.text, tree, hosts, known, history)
    cases = [Case(finding, snippet, functions, hosts, history, known) for finding in findings]
    certain = [case.finding for case in cases if not _is_settled(case.finding, arguments.settled) and is_wrong(case)]
    certain += [finding for finding in arguments.findings if not is_attempted(tree, finding.line, finding.rule)]
    places = {(one.line, one.column, one.rule): one for one in reversed(certain)}
    return [places[place] for place in sorted(places)]


def _is_settled(finding: Diagnostic, settled: tuple[Span, ...]) -> bool:
    place = (finding.line, finding.column, finding.end_line, finding.end_column)
    return finding.rule in _OF_VALUES and any(inside(place, span) for span in settled)


def is_wrong(case: Case) -> bool:
    """Whether one finding shows it."""
    judge = _RULES.get(case.finding.rule)
    return judge is not None and judge(case) and not _is_expected(case)


def _is_expected(case: Case) -> bool:
    return not _about_coroutine(case) and is_attempted(case.tree, case.finding.line, case.finding.rule)


def _always(_: Case) -> bool:
    return True


def _about_coroutine(case: Case) -> bool:
    return 'CoroutineType[' in case.finding.message


def _is_unknown_name(case: Case) -> bool:
    name = case.quoted[0]
    if name not in case.snippet.computed or name in case.snippet.bound:
        return False
    if any(isinstance(node, ast.Constant) and node.value == name for node in walk(case.tree)):
        # `if 'total' in globals()`: the script asks before it reads.
        return False
    return not hasattr(builtins, name) and case.functions.get(name.removeprefix(HOST)) is None


def _is_missing_module(case: Case) -> bool:
    return case.quoted[:1] != ['__future__']


def _is_unknown_key(case: Case) -> bool:
    key = re.search(r'Unknown key "([^"]*)"', case.finding.message)
    if key is None or _SEVERAL_RECORDS.search(case.finding.message):
        return False
    return not _is_written(key[1], '\n'.join([*case.history, case.snippet.checked.text]))


def _is_written(key: str, code: str) -> bool:
    # Records are dicts: a script may keep more in them than their type says.
    quoted = f'[\'"]{re.escape(key)}[\'"]'
    stored = rf'{quoted}\s*\]\s*(?:[-+*/%|&]|//|\*\*)?=(?!=)'
    merged = rf'\|=?\s*\{{[^}}]*{quoted}'
    return re.search(rf'{stored}|{merged}|setdefault\(\s*{quoted}|update\([^)]*{re.escape(key)}', code) is not None


def _is_unknown_word(case: Case) -> bool:
    # `*args` may also be given by name, as a list.
    function = next((case.hosts[name] for name in case.quoted if name in case.hosts), None)
    takes = None if function is None else parameters_of(function.stub)
    return takes is None or takes.variadic not in case.quoted


def _is_wrong_argument(case: Case) -> bool:
    if _about_coroutine(case):
        return True
    key = re.search(
        r'cannot be called with key of type `(Literal\["[^`]*)` on object of type `([^`]*)`', case.finding.message
    )
    if key is not None:
        return key[2].startswith(('list[', 'tuple[', 'str', 'Literal[')) and case.is_certain
    if _GROWING.search(case.finding.message):
        return False
    types = _EXPECTED.search(case.finding.message) or _DECLARED.search(case.finding.message)
    if types is None:
        return False
    if _METHOD.match(types[2]):
        return types[1].startswith(_COLLECTIONS) and case.is_certain
    taker = _TAKER.match(case.finding.message)
    if taker is None:
        # The constructor of a class of the script; or the field of a record.
        return _DECLARED.search(case.finding.message) is not None and _cannot_fit(types[1], types[2])
    if taker[1] in case.named:
        return _cannot_fit(types[1], types[2])
    # Annotations of the script's own functions bind nobody, in Python.
    own = taker[1].partition('.')[0] in case.own_names
    # Anything may stand for a flag.
    is_flag = 'bool' in types[1].split(' | ')
    return not own and not is_flag and _is_plain(types[2]) and not types[2].startswith('list[') and case.is_certain


def _cannot_fit(expected: str, found: str) -> bool:
    """Whether no value of one type may stand for the other; generous with all that a tool might convert."""
    if re.fullmatch(r'Literal\[[^\]|,]*\]|None', found):
        return True
    container = re.match(r'(list|dict|set|tuple)\[', found)
    if container is None or '|' in found:
        return False
    wanted = {type_name.partition('[')[0] for type_name in expected.split(' | ')}
    return wanted <= _SCALARS | (_SEQUENCES if container[1] == 'dict' else {'dict'})


def _is_wrong_operation(case: Case) -> bool:
    if _about_coroutine(case):
        return True
    plain = len(case.quoted) > 1 and all(_is_plain(type_name) for type_name in case.quoted[1:])
    return plain and case.is_certain


def _is_plain(type_name: str) -> bool:
    if type_name in _SCALARS - {'None'} or _METHOD.match(type_name) or re.fullmatch(r'Literal\[[^\]|,]*\]', type_name):
        return True
    return type_name.startswith('list[') and ' | ' not in type_name and 'Unknown' not in type_name


def _has_no_items(case: Case) -> bool:
    if _about_coroutine(case):
        return True
    itemless = len(case.quoted) > 0 and (case.quoted[0] in _ITEMLESS or _METHOD.match(case.quoted[0]) is not None)
    return itemless and case.is_certain


def _is_method_as_value(case: Case) -> bool:
    return case.finding.message.startswith('Method `TypedDict') and case.is_certain


def _is_no_function(case: Case) -> bool:
    if _about_coroutine(case):
        return True
    kind = case.quoted[0] if case.quoted else ''
    return (_is_plain(kind) or kind in case.records) and case.is_certain


def _is_unknown_attribute(case: Case) -> bool:
    if _about_coroutine(case):
        return True
    message = case.finding.message
    # Instances of the snippet's own classes may get attributes in more ways than the checker sees.
    own = re.match(r"Object of type `(?:<class ')?(\w+)", message)
    if own is None or own[1] in ('object', 'Self') or own[1] in case.snippet.bound | case.known:
        return False
    if own[1] in _PLAIN:
        return case.is_certain
    return not any(case.provenance.is_annotated(node) for node in case.objects)


_METHOD = re.compile(r'bound method `?\w+(?:\[.*?\])?\.\w+\(')
"""The method of a dict where a key was meant: `page.items[0]`."""
_TAKER = re.compile(r'Argument to (?:function|constructor|bound method) `([\w.]+)`')
_COLLECTIONS = ('Sized', 'Iterable', 'Collection', 'Sequence', 'Container')
_SCALARS = frozenset(['int', 'float', 'str', 'bool', 'bytes', 'None'])
_PLAIN = frozenset([*_SCALARS, 'list', 'tuple', 'set', 'Literal', 'LiteralString'])
_SEQUENCES = {'list', 'set', 'tuple'}
_EXPECTED = re.compile(r'Expected `([^`]*)`, found `([^`]*)`')
_DECLARED = re.compile(r'declared type `([^`]*)` on TypedDict `[^`]*`: value of type `([^`]*)`')
_SEVERAL_RECORDS = re.compile(r'subscripted object has type `(?!None)[^`|]*\| (?!None)')
# Of a value that may be one record or another, the finding names one that it cannot be.
_GROWING = re.compile(r'bound method `(?:list|dict|set|deque|Counter|defaultdict|OrderedDict|bytearray)\b')
# What a container was made with says little about what else a script puts into it.
_ITEMLESS = frozenset(['int', 'float', 'bool'])
_RULES: dict[str, Judge] = {
    'unresolved-reference': _is_unknown_name,
    'unused-awaitable': _about_coroutine,
    'invalid-key': _is_unknown_key,
    'missing-argument': _always,
    'unknown-argument': _is_unknown_word,
    'too-many-positional-arguments': _always,
    'parameter-already-assigned': _always,
    'not-subscriptable': _has_no_items,
    'not-iterable': _has_no_items,
    'unsupported-operator': _is_wrong_operation,
    'unresolved-attribute': _is_unknown_attribute,
    'invalid-argument-type': _is_wrong_argument,
    'unresolved-import': _is_missing_module,
    'invalid-await': _always,
    'call-non-callable': _is_no_function,
    'redundant-condition': _is_method_as_value,
}
_OF_VALUES = frozenset(['invalid-argument-type', 'invalid-key', 'missing-typed-dict-key'])
_OF_CALLS = frozenset(
    [
        'missing-argument',
        'unknown-argument',
        'too-many-positional-arguments',
        'parameter-already-assigned',
        'invalid-argument-type',
    ]
)
