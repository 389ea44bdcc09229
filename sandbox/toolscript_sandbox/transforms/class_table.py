"""Classifies the classes of a script by their bases, which decide how they are provided or refused."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast

from toolscript_sandbox.language.advice import about_module
from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.dialect import CLASS_MEMBERS, MODULES
from toolscript_sandbox.language.refusals import Refusal, refusal

from .exceptions import BUILTIN
from .tree import is_call_of, meaning

Family: TypeAlias = Literal['plain', 'enum', 'tuple', 'typed dict', 'foreign']


@dataclass(frozen=True)
class Class:
    """A class statement."""

    node: ast.ClassDef
    family: Family = 'plain'
    bases: tuple[ast.expr, ...] = ()
    """The bases that it inherits members from: classes of scripts."""
    kind: str = ''
    """Of an enum: `'Enum'`, `'IntEnum'`, or `'str'` for `(str, Enum)`. Of a foreign class: its foreign base. Of a named
    tuple that inherits from another one: this base."""
    is_abstract: bool = False
    """Whether it inherits from `ABC` or `Protocol`, so that abstract methods count."""
    iterates: bool = False
    """Whether it inherits `__iter__` from `Iterator`."""
    is_generic: bool = False
    """Whether it can be subscripted."""
    names: frozenset[str] = field(default_factory=frozenset[str])
    """The names that its body binds; private ones as Python changes them."""

    @property
    def members(self) -> frozenset[str]:
        """What a named tuple has beside its fields."""
        return self.names - {'__slots__', *annotated(self.node.body)} if self.family == 'tuple' else frozenset()


_SHADOWED = {'__eq__': '__eq__', **{f'__r{name[2:]}': name for name in dir(int) if f'__r{name[2:]}' in dir(int)}}
"""Methods of a right side that Python calls before the other one of a base, on the left. Monty asks the left side."""


def made_tuple(node: ast.ClassDef) -> ast.Call | None:
    """Return the call in `class Point(namedtuple('Point', 'x y'))`."""
    match node.bases:
        case [ast.Call(func=function, args=[_, _, *_]) as call, *_] if meaning(function) == 'collections.namedtuple':
            return call
        case _:
            return None


def private_name(node: ast.ClassDef, name: str) -> str:
    """Return a name in a class body as Python changes it if it is private: `__x` of `C` is `_C__x`."""
    if not name.startswith('__') or name.endswith('__'):
        return name
    return f'_{node.name.lstrip("_")}{name}'


class ClassTable:
    """All class statements of a script, including nested ones."""

    def __init__(self, analysis: Analysis) -> None:
        self._facts = analysis.session.facts
        classes = analysis.all(ast.ClassDef)
        self._named = {node.name: node for node in reversed(classes)}
        self._tuples = {
            target.id
            for node in analysis.all(ast.Assign)
            if isinstance(node.value, ast.Call) and meaning(node.value.func) in _TUPLES
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self.found = dict[ast.ClassDef, Class]()
        for node in classes:
            self._class(node)

    def _class(self, node: ast.ClassDef) -> Class:
        if node not in self.found:
            self.found[node] = Class(node)  # For a class that refers to itself.
            self.found[node] = self._made(node)
        return self.found[node]

    def _made(self, node: ast.ClassDef) -> Class:
        wholes = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
        meant = {meaning(whole) or '' for whole in wholes}
        families = [self._family(whole, meaning(whole) or '') for whole in wholes]
        special = [one for one in families if one not in ('plain', 'foreign')]
        family, kind = special[-1] if special else 'plain', ''
        if family == 'enum':
            kinds = [name.rpartition('.')[2] for name in meant if name.startswith('enum.') or name in _DATA]
            kind = next((one for one in kinds if one != 'Enum'), 'Enum')
        elif family == 'tuple':
            is_known = meant == {'typing.NamedTuple'} or (len(wholes) == 1 and made_tuple(node) is not None)
            kind = '' if is_known else ast.unparse(wholes[0])
        elif 'foreign' in families:
            family, kind = 'foreign', ast.unparse(wholes[families.index('foreign')])
        metaclasses = {meaning(word.value) for word in node.keywords if word.arg == 'metaclass'}
        return Class(
            node,
            cast('Family', family),
            tuple(
                whole
                for whole, above in zip(wholes, families, strict=True)
                if above in ('plain', 'enum') and not (meaning(whole) or '').startswith(('enum.', *_WITHOUT_EFFECT))
            ),
            kind,
            not _ABSTRACT.isdisjoint(meant) or 'abc.ABCMeta' in metaclasses,
            not _ITERATORS.isdisjoint(meant),
            bool(node.bases),
            frozenset(
                private_name(node, name)
                for name in (*assigned(node.body), *(part.name for part in node.body if isinstance(part, _NAMED)))
            ),
        )

    def _family(self, base: ast.expr, dotted: str) -> Family:
        if dotted in _TUPLES or (isinstance(base, ast.Call) and meaning(base.func) in _TUPLES):
            return 'tuple'
        if dotted.startswith('enum.'):
            return 'enum'
        if dotted == 'typing.TypedDict':
            return 'typed dict'
        if dotted:
            is_plain = dotted in _WITHOUT_EFFECT or dotted in BUILTIN or dotted.endswith(_INHERITED)
            return 'plain' if is_plain else 'foreign'
        if not isinstance(base, ast.Name):
            return 'plain'
        if base.id in self._named:
            return self._class(self._named[base.id]).family
        if base.id in self._tuples:
            return 'tuple'
        for family in NOTED:
            if f'{family} {base.id}' in self._facts:
                return family
        return 'plain'


def class_refusals(analysis: Analysis) -> Iterator[Refusal]:
    """Yield refusals of class statements that cannot be provided."""
    yield from _listing_refusals(analysis) if lists_attributes(analysis) else ()
    table = ClassTable(analysis).found
    named = {one.node.name: one for one in table.values()}
    for node, found in table.items():
        if found.family == 'foreign':
            modules = [(meaning(base) or '').rpartition('.')[0] for base in node.bases]
            absent = [module for module in modules if module not in ('', 'builtins', *MODULES)]
            yield refusal(node, about_module(absent[0]) if absent else _FOREIGN.format(found.kind))
        if any(word.arg == 'metaclass' and meaning(word.value) != 'abc.ABCMeta' for word in node.keywords):
            yield refusal(node, 'There are no metaclasses here. Use a class decorator.')
        elif found.family != 'typed dict' and any(word.arg != 'metaclass' for word in node.keywords):
            yield refusal(node, 'A class statement takes no keywords here. Set attributes in its body.')
        if found.family == 'tuple' and found.kind:
            yield refusal(node, f'A class cannot inherit from {found.kind} here. Use @dataclass(frozen=True).')
        for name in sorted(found.members):
            if name.startswith('__'):
                yield refusal(node, f'A named tuple cannot define {name} here. Use @dataclass(frozen=True).')
        yield from (
            refusal(node, f'{node.name} cannot define {name} here, as its base has {left}. Test the types in that one.')
            for name, left in _SHADOWED.items()
            if name in found.names and _inherits(left, found, named, analysis)
        )
        for part in node.body:
            name = getattr(part, 'name', '')
            if name in CLASS_MEMBERS:
                yield refusal(part, f'{name} of a class is not supported here. {CLASS_MEMBERS[name]}')
        words = [word.arg for mark in node.decorator_list if isinstance(mark, ast.Call) for word in mark.keywords]
        is_open = 'frozen' not in words and ('slots' in words or '__slots__' in found.names)
        if is_open and 'AttributeError' in analysis.words:
            yield refusal(node, '__slots__ does not prevent other attributes here. Remove it.')


def lists_attributes(analysis: Analysis) -> bool:
    """Return whether the script lists the attributes of objects."""
    return '__dict__' in analysis.words or not analysis.meant.isdisjoint(['builtins.vars', _NAMESPACE])


def _listing_refusals(analysis: Analysis) -> Iterator[Refusal]:
    """Yield refusals of attributes as a dict where they are not known, or where the script could change the dict."""
    calls = [call for call in analysis.all(ast.Call) if meaning(call.func) == 'builtins.vars']
    reads = [node for node in analysis.all(ast.Attribute) if node.attr == '__dict__']
    uses = [node for kind in (ast.Name, ast.Attribute) for node in analysis.all(kind) if meaning(node) == _NAMESPACE]
    classes = {'cls', *(node.name for node in analysis.all(ast.ClassDef))}
    session = analysis.session
    is_late = bool(session.callables - session.meanings.keys()) and 'attributes' not in session.facts
    for node in (*calls, *reads, *uses):
        owner = [node.value] if isinstance(node, ast.Attribute) else getattr(node, 'args', [node])
        is_class = [is_call_of(one, 'builtins.type') or getattr(one, 'id', '') in classes for one in owner] != [False]
        if is_class or is_late or '__setattr__' in analysis.words:
            yield refusal(node, 'The attributes are not known here. Name them in a dict, or use asdict of a dataclass.')
        elif node not in uses and not _is_only_read(node, analysis):
            yield refusal(node, 'This dict is a copy here. Keep dict(vars(x)), and set attributes with setattr.')


def _is_only_read(node: ast.expr, analysis: Analysis) -> bool:
    """Return whether the script reads the dict at once, so that nothing changes it or the object meanwhile."""
    match above := analysis.index.parents[node]:
        case ast.Attribute(attr=name):
            return name in ('items', 'keys', 'values', 'get', 'copy')
        case ast.Call(func=func):
            return meaning(func) is not None or getattr(func, 'attr', '') == 'update'
        case ast.Dict(keys=keys, values=values) if keys[values.index(node)] is None:
            return True
        case ast.List() | ast.Tuple() | ast.ListComp() | ast.GeneratorExp() | ast.Dict() | ast.IfExp():
            return _is_only_read(above, analysis)
        case ast.Subscript():
            return isinstance(above.ctx, ast.Load)
        case _:
            return isinstance(above, _READING)


def _inherits(name: str, found: Class, named: Mapping[str, Class], analysis: Analysis) -> bool:
    """Return whether a base class defines the method."""
    above = [named.get(base.id) for base in found.bases if isinstance(base, ast.Name)]
    if None in above and f'method {name}' in analysis.session.facts:
        return True
    return any(one is not None and (name in one.names or _inherits(name, one, named, analysis)) for one in above)


def assigned(body: list[ast.stmt]) -> list[str]:
    """Return the variables that the body of a class sets."""
    targets = [target for node in body if isinstance(node, ast.Assign) for target in node.targets]
    targets += [node.target for node in body if isinstance(node, ast.AnnAssign) and node.value is not None]
    targets = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def annotated(body: list[ast.stmt]) -> list[str]:
    """Return the fields that the body of a class annotates."""
    targets = [node.target for node in body if isinstance(node, ast.AnnAssign)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


NOTED: tuple[Family, ...] = ('enum', 'tuple', 'typed dict')
"""Families that are recorded as facts for later scripts: `'enum Color'`."""
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DATA = ('builtins.str', 'builtins.int')
_TUPLES = frozenset(['typing.NamedTuple', 'collections.namedtuple'])
_ABSTRACT = frozenset(['abc.ABC', 'typing.Protocol'])
_ITERATORS = frozenset(['collections.abc.Iterator', 'typing.Iterator'])
_INTERFACES = (
    *('AsyncIterable', 'Awaitable', 'Callable', 'Collection', 'Container', 'Hashable', 'Iterable', 'Iterator'),
    *('Reversible', 'Sized'),
)
_WITHOUT_EFFECT = (
    *('builtins.object', 'abc.ABC', 'typing.Generic', 'typing.Protocol'),
    *(f'{module}.{name}' for module in ('typing', 'collections.abc') for name in _INTERFACES),
)
"""Bases without members, or with members that a subclass must define itself."""
_INHERITED = ('Error', 'Exception', 'json.JSONEncoder')
"""Endings of the names of library classes that scripts can inherit from."""
_NAMESPACE = 'types.SimpleNamespace'
_READING = (
    *(ast.For, ast.comprehension, ast.Compare, ast.FormattedValue, ast.Starred, ast.BinOp, ast.Lambda),
    *(ast.Expr, ast.keyword),
)
_FOREIGN = """\
A class cannot inherit from {} here. Keep one in an attribute, and write the methods that you need."""
