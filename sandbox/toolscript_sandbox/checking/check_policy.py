"""Decides which findings of the type checker stop a script: those that are certainly errors."""

import ast
import builtins
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from toolscript_sandbox.contract.functions import HOST, Function, Functions
from toolscript_sandbox.language.scopes import bindings_of
from toolscript_sandbox.language.snippet import Snippet
from toolscript_sandbox.language.syntax import all_of, index_of, tree_of, walk

from .arguments import CheckedArguments
from .checker import Diagnostic, Found, Node, defined_types
from .cost import ProcessorTime
from .own_findings import coroutine_functions, is_attempted, is_provided, misused_records, unawaited, unknown_names
from .provenance import Provenance
from .stubs import parameters_of


@dataclass
class CheckedScript:
    """A script, with the facts that decide about the findings in it."""

    snippet: Snippet
    functions: Functions
    hosts: Mapping[str, Function]
    """Host functions that the script names."""
    history: tuple[str, ...] = ()
    """Earlier code of the session."""
    known: frozenset[str] = frozenset()
    """Variables of the session."""

    def __post_init__(self) -> None:
        self.tree = tree_of(self.snippet.checked.text)
        self.parents = index_of(self.tree).parents
        self._lines = self.snippet.checked.text.split('\n')

    def node_of(self, finding: Diagnostic) -> Node | None:
        """Return the outermost node that fills the place of a finding."""
        start, end = self._lines[finding.line - 1], self._lines[finding.end_line - 1]
        columns = [len(start[: finding.column].encode()), len(end[: finding.end_column].encode())]
        return self._nodes.get((finding.line, columns[0], finding.end_line, columns[1]))

    def finding_of(self, found: Found) -> Diagnostic:
        """Return one of our own findings like one of the checker."""
        rule, message, node = found
        line, start, end_line, end = _place_of(node)
        return Diagnostic(rule, message, line, self._characters(line, start), end_line, self._characters(end_line, end))

    def _characters(self, line: int, column: int) -> int:
        return len(self._lines[line - 1].encode()[:column].decode(errors='ignore'))

    @cached_property
    def _nodes(self) -> Mapping[tuple[int, int, int, int], Node]:
        nodes = [node for node in walk(self.tree) if isinstance(node, (ast.expr, ast.AugAssign, ast.keyword))]
        return {_place_of(node): node for node in reversed(nodes)}

    @cached_property
    def trees(self) -> list[ast.Module]:
        """The syntax trees of all code of the session."""
        return [self.tree, *map(tree_of, self.history)]

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Names of the functions and classes in the session's code, in any scope."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        names = frozenset(node.name for tree in self.trees for kind in kinds for node in all_of(tree, kind))
        return names | self.known | self.snippet.bound

    @cached_property
    def own_classes(self) -> frozenset[str]:
        """Names of the classes in the session's code."""
        return frozenset(node.name for tree in self.trees for node in all_of(tree, ast.ClassDef))

    @cached_property
    def enumerations(self) -> frozenset[str]:
        """The `__init__` of each enumeration in the session's code, which a call of the class does not call."""
        classes = [node for tree in self.trees for node in all_of(tree, ast.ClassDef)]
        enums = [node.name for node in classes if any(ast.unparse(base).endswith('Enum') for base in node.bases)]
        return frozenset(f'{name}.__init__' for name in enums)

    @cached_property
    def records(self) -> frozenset[str]:
        """Names of the types in the stubs of host functions."""
        return frozenset[str]().union(*(defined_types(function.stub) for function in self.hosts.values()))

    @cached_property
    def provenance(self) -> Provenance:
        """The provenance of the values in the session's code."""
        return Provenance(self.trees, self.hosts.__contains__)

    @cached_property
    def asked_attributes(self) -> frozenset[object]:
        """Attributes that the script asks for before it reads them, as in `hasattr(error, 'code')`."""
        calls = [call for call in all_of(self.tree, ast.Call) if len(call.args) == 2]
        asked = [call.args[1] for call in calls if isinstance(call.func, ast.Name) and call.func.id == 'hasattr']
        return frozenset(name.value for name in asked if isinstance(name, ast.Constant))


def _place_of(node: Node) -> tuple[int, int, int, int]:
    """Return the place of a node: line, column in bytes, last line and last column."""
    return node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0


class Case(NamedTuple):
    """A finding, and the script that it is about."""

    finding: Diagnostic
    script: CheckedScript

    @property
    def quoted(self) -> list[str]:
        """The parts of the message in backquotes."""
        return re.findall(r'`([^`]*)`', self.finding.message)

    @property
    def node(self) -> Node | None:
        """The node that the finding is about; None if unclear."""
        return self.script.node_of(self.finding)

    @property
    def objects(self) -> list[ast.expr]:
        """The expressions whose types the finding is about; empty if unclear."""
        node, rule = self.node, self.finding.rule
        parent = None if node is None else self.script.parents.get(node)
        match node:
            case ast.expr() if rule == 'invalid-key':
                return [parent.value] if isinstance(parent, ast.Subscript) else []
            case ast.BinOp(left=left, right=right):
                return [left, right]
            case ast.Compare(left=left, comparators=others):
                return [left, *others]
            case ast.AugAssign(target=ast.Subscript(value=holder), value=value):
                return [holder, value]
            case ast.Attribute(value=value) | ast.AugAssign(value=value):
                return [value]
            case ast.Subscript(value=value) if rule == 'not-subscriptable':
                return [value]
            case ast.expr():
                return [node]
            case _:
                return []

    @property
    def call(self) -> ast.AST | None:
        """The call of which the node is an argument; something else if it is none."""
        parent = None if self.node is None else self.script.parents.get(self.node)
        return self.script.parents.get(parent) if isinstance(parent, ast.keyword) else parent

    def is_certain(self) -> bool:
        """Return whether the objects, and everything inside them, can only have the inferred types."""
        objects = self.objects
        return bool(objects) and self.script.provenance.is_certain(*objects)

    def is_demonstrated(self) -> bool:
        """Return whether the script shows an error on purpose: of values that it writes out, as in `'a' + 1`."""
        objects = self.objects
        is_written = bool(objects) and all(isinstance(one, ast.Constant) for one in objects)
        return is_written and self.finding.rule not in _OF_VALUES and any(all_of(self.script.tree, ast.Try))

    def is_in(self, arguments: Container[ast.AST]) -> bool:
        """Return whether the finding is about one of these arguments, or a literal part of one."""
        node: ast.AST | None = self.node
        while isinstance(node, _WRITTEN_OUT) and node not in arguments:
            node = self.script.parents.get(node)
        return node is not None and node in arguments


Judge: TypeAlias = Callable[[Case], bool]


def wrong(script: CheckedScript, findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the findings that are certainly errors, or else what the checker overlooks. If there are many, the first.

    Raises `Unchecked` if that takes too long.
    """
    time = ProcessorTime(SECONDS)
    arguments = CheckedArguments(script.tree, script.hosts, script.known, time)
    problems = [one for one in arguments.problems if not is_attempted(script.tree, one[2].lineno, one[0])]
    certain = [*map(script.finding_of, problems[:_MAX_FINDINGS])]
    for finding in sorted(findings, key=_start):
        time.check()
        if len(certain) >= _MAX_FINDINGS:
            break
        case = Case(finding, script)
        if not (finding.rule in _OF_VALUES and case.is_in(arguments.settled)) and is_wrong(case):
            certain.append(finding)
    places = {(*_start(one), one.rule): one for one in reversed(certain)}
    return [places[place] for place in sorted(places)] or [*map(script.finding_of, _overlooked(script))]


def _overlooked(script: CheckedScript) -> Iterator[Found]:
    def is_known(name: str) -> bool:
        return name in script.known or script.functions.get(name.removeprefix(HOST)) is not None

    # The checker knows the types of the stubs, which scripts can only use in annotations.
    types = script.records & script.snippet.computed - bindings_of(script.tree).keys()
    yield from unknown_names(script.tree, is_known, sorted(types))
    yield from misused_records(script.tree, {name: function.stub for name, function in script.hosts.items()})
    waiting = {name for name, one in script.hosts.items() if not one.sequential}
    yield from unawaited(script.tree, waiting | coroutine_functions(script.tree))


def _start(finding: Diagnostic) -> tuple[int, int]:
    return finding.line, finding.column


def is_wrong(case: Case) -> bool:
    """Return whether one finding is certainly an error."""
    judge = None if is_provided(case.finding, case.script.functions) else _RULES.get(case.finding.rule)
    if judge is None or _UNAWAITED.search(case.finding.message):
        return judge is not None
    record = re.search(r'(?:on|for) TypedDict `(\w+)`', case.finding.message)
    if record is not None and record[1] in case.script.own_classes:
        # Python ignores the annotations of the script.
        return False
    if '_lru_cache_wrapper.' in case.finding.message or '.__call__`' in case.finding.message:
        # The checker does not bind the first as a method, and takes `cls(...)` in a class method for the second.
        return False
    if not case.script.enumerations.isdisjoint(case.quoted):
        return False
    if case.is_demonstrated():
        return False
    return judge(case) and not is_attempted(case.script.tree, case.finding.line, case.finding.rule)


def _has_too_many(case: Case) -> bool:
    # The checker takes `*values` for as many arguments as there are parameters left.
    arguments = case.call.args if isinstance(case.call, ast.Call) else ()
    return _is_of_function(case) and not any(isinstance(one, ast.Starred) for one in arguments)


def _is_unknown_name(case: Case) -> bool:
    name, script = case.quoted[0], case.script
    if name not in script.snippet.computed or name in script.snippet.bound:
        return False
    return script.functions.get(name.removeprefix(HOST)) is None


def _is_unknown_key(case: Case) -> bool:
    if _NO_KEY.search(case.finding.message):
        return case.is_certain()
    key = re.search(r'Unknown key "([^"]*)"', case.finding.message)
    if key is None or _SEVERAL_RECORDS.search(case.finding.message):
        return False
    match case.call:
        case ast.Call(func=ast.Attribute(attr='pop'), args=[_, _]):
            # It has a default.
            return False
        case _:
            return key[1] not in case.script.provenance.stored_keys


def _lacks_key(case: Case) -> bool:
    """Return whether a literal argument of a host function lacks a key."""
    node, parents = case.node, case.script.parents
    if not isinstance(node, ast.Dict) or None in node.keys:
        return False
    parent = parents.get(node)
    while isinstance(parent, _WRITTEN_OUT):
        parent = parents.get(parent)
    return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id in case.script.hosts


def _is_of_function(case: Case) -> bool:
    """Return whether a call is wrong for a function or class, and not only for an annotation of the script."""
    call = case.node if isinstance(case.node, ast.Call) else case.call
    named = call.func.id if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else ''
    return named in case.script.own_classes or re.search(' (?:of|to) [a-z ]*`', case.finding.message) is not None


def _is_unknown_word(case: Case) -> bool:
    if not _is_of_function(case):
        return False
    match case.call:
        case ast.Call(func=ast.Attribute(attr='update')) if 'update' not in case.script.own_names:
            # A record is a dict, which takes any key.
            return False
        case _:
            pass
    # `*args` may also be passed by name, as a list.
    hosts = case.script.hosts
    function = next((hosts[name] for name in case.quoted if name in hosts), None)
    takes = None if function is None else parameters_of(function.stub)
    return takes is None or takes.variadic not in case.quoted


def _is_wrong_argument(case: Case) -> bool:
    key = re.search(
        r'cannot be called with key of type `(Literal\["[^`]*)` on object of type `([^`]*)`', case.finding.message
    )
    if key is not None:
        return key[2].startswith(('list[', 'tuple[', 'str', 'Literal[')) and case.is_certain()
    if _GROWING.search(case.finding.message):
        return False
    unordered = _UNORDERED.search(case.finding.message)
    if unordered is not None:
        return unordered[1] in case.script.records and case.is_certain()
    types = _EXPECTED.search(case.finding.message) or _DECLARED.search(case.finding.message)
    if types is None:
        return False
    if _METHOD.match(types[2]):
        return types[1].startswith(_COLLECTIONS) and case.is_certain()
    taker = _TAKER.match(case.finding.message)
    if taker is None:
        # The constructor of a class of the script, or the field of a record.
        return _DECLARED.search(case.finding.message) is not None and _cannot_fit(types[1], types[2])
    if taker[1] in case.script.hosts:
        return _cannot_fit(types[1], types[2])
    # Python ignores the annotations of the script's own functions.
    own = taker[1].partition('.')[0] in case.script.own_names
    # Any value can be a flag.
    if own or 'bool' in types[1].split(' | '):
        return False
    return _is_plain(types[2]) and not types[2].startswith('list[') and case.is_certain()


def _cannot_fit(expected: str, found: str) -> bool:
    """Return whether no value of the found type is valid. A value that a tool might convert is valid."""
    if re.fullmatch(r'Literal\[[^\]|,]*\]|None', found):
        return not ({'int', 'float', 'bool'} & set(expected.split(' | ')) and _CONVERTED.fullmatch(found))
    container = re.match(r'(list|dict|set|tuple)\[', found)
    if container is None or '|' in found:
        return False
    wanted = {type_name.partition('[')[0] for type_name in expected.split(' | ')}
    return wanted <= _SCALARS | (_SEQUENCES if container[1] == 'dict' else {'dict'})


def _is_wrong_operation(case: Case) -> bool:
    if case.quoted[0] == '+=' and all(one.startswith('list[') for one in case.quoted[1:]):
        # Only what the script says about the items differs.
        return False
    return len(case.quoted) > 1 and all(map(_is_plain, case.quoted[1:])) and case.is_certain()


def _is_plain(type_name: str) -> bool:
    if type_name in _SCALARS - {'None'} or _METHOD.match(type_name) or re.fullmatch(r'Literal\[[^\]|,]*\]', type_name):
        return True
    return type_name.startswith('list[') and ' | ' not in type_name and 'Unknown' not in type_name


def _has_no_items(case: Case) -> bool:
    itemless = len(case.quoted) > 0 and (case.quoted[0] in _ITEMLESS or _METHOD.match(case.quoted[0]) is not None)
    return itemless and case.is_certain()


def _is_unknown_attribute(case: Case) -> bool:
    message = case.finding.message
    # Instances of the script's own classes may get attributes in ways that the checker does not see.
    own = re.match(r"Object of type `(?:<class ')?(\w+)", message)
    snippet, known = case.script.snippet, case.script.known
    if isinstance(case.node, ast.Attribute) and case.node.attr in case.script.asked_attributes:
        return False
    if own is None or own[1] in ('object', 'Self') or own[1] in snippet.bound or own[1] in known:
        return False
    kind = getattr(builtins, own[1], None)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        # `except Exception as e` also catches errors of the script's own classes.
        return not any(all_of(tree, ast.ClassDef) for tree in case.script.trees)
    return case.is_certain()


def _gathers_results(case: Case) -> bool:
    """Return whether `gather` gets what certain functions returned at once."""
    return case.quoted == ['gather'] and any(function.sequential for function in case.script.hosts.values())


_UNAWAITED = re.compile(r'^(?!.*Expected `[^`]*(?:Awaitable|Coroutine)|.* on type `def ).*CoroutineType\[')
_METHOD = re.compile(r'bound method `?\w+(?:\[.*?\])?\.\w+\(')
"""A dict method where a key was meant: `page.items[0]`."""
_TAKER = re.compile(r'Argument to (?:function|constructor|bound method) `([\w.]+)`')
_COLLECTIONS = ('Sized', 'Iterable', 'Collection', 'Sequence', 'Container')
_SCALARS = frozenset(['int', 'float', 'str', 'bool', 'bytes', 'None'])
_SEQUENCES = {'list', 'set', 'tuple'}
_EXPECTED = re.compile(r'Expected `([^`]*)`, found `([^`]*)`')
_DECLARED = re.compile(r'declared type `([^`]*)` on TypedDict `[^`]*`: value of type `([^`]*)`')
_SEVERAL_RECORDS = re.compile(r'subscripted object has type `(?!None)[^`|]*\| (?!None)')
# If a value may be one of several records, the finding is about only one of them.
_GROWING = re.compile(r'bound method `(?:list|dict|set|deque|Counter|defaultdict|OrderedDict|bytearray)\b')
_UNORDERED = re.compile(r'Argument type `(\w+)` does not satisfy upper bound `SupportsDunderLT')
_NO_KEY = re.compile(r'can only be subscripted with a string literal key, got key of type `(?:Literal\[\d+\]|int)`')
_CONVERTED = re.compile(
    r'Literal\["\s*(?:[+-]?[\d_]+\.?\d*(?:e[+-]?\d+)?|true|false|yes|no|on|off|[tfyn])\s*"\]|Literal\[(?:True|False|0|1)\]',
    re.IGNORECASE,
)
"""Literals that validators commonly convert to numbers and booleans."""
# The first items of a container say little about what else a script puts into it.
_ITEMLESS = frozenset(['int', 'float', 'bool'])
_RULES: dict[str, Judge] = {
    'unresolved-reference': _is_unknown_name,
    'unused-awaitable': lambda _: False,
    'invalid-key': _is_unknown_key,
    'missing-argument': _is_of_function,
    'unknown-argument': _is_unknown_word,
    'too-many-positional-arguments': _has_too_many,
    'parameter-already-assigned': _is_of_function,
    'not-subscriptable': _has_no_items,
    'not-iterable': _has_no_items,
    'unsupported-operator': _is_wrong_operation,
    'unresolved-attribute': _is_unknown_attribute,
    'invalid-argument-type': _is_wrong_argument,
    'unresolved-import': lambda _: True,
    'invalid-await': lambda case: ' | ' not in case.quoted[0] or case.is_certain(),
    'missing-typed-dict-key': _lacks_key,
    'no-matching-overload': _gathers_results,
}
_WRITTEN_OUT = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.UnaryOp, ast.Constant, ast.Name, ast.keyword)
_OF_VALUES = frozenset(['invalid-argument-type', 'invalid-key', 'missing-typed-dict-key'])
SECONDS = 5.0
"""Seconds of processor time for the findings of one script."""
_MAX_FINDINGS = 20
"""The maximum number of findings reported."""
