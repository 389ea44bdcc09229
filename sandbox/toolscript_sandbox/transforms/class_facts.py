"""Facts about the classes of a script and of earlier ones: what they inherit, and which attributes are properties."""

import ast
from collections.abc import Iterable, Iterator

from toolscript_sandbox.language.analysis import Analysis
from toolscript_sandbox.language.syntax import words
from toolscript_sandbox.language.waiting import waiting_of

from .assignments import IN_PLACE
from .class_table import NOTED, Class, ClassTable, annotated, lists_attributes
from .provided_names import is_polyfilled
from .transform import Context
from .tree import is_call_of, meaning

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class ClassFacts:
    """Facts about the classes of the script and of earlier ones."""

    def __init__(self, context: Context) -> None:
        analysis = context.analysis
        self.table = ClassTable(analysis).found
        classes = self.table.values()
        self.kinds = {one.node.name: one for one in classes}
        plain = [one for one in classes if one.family == 'plain']
        orders = any(one.family == 'enum' and one.kind != 'Enum' for one in classes)
        options = {
            word.arg
            for node in analysis.all(ast.Call)
            if meaning(node.func) in ('dataclasses.dataclass', 'dataclasses.field')
            for word in node.keywords
        }
        holding = {
            'subclass': any(one.bases for one in plain) or 'typing.runtime_checkable' in analysis.meant,
            'enums': any(one.family == 'enum' for one in classes),
            'text enums': any(one.kind in ('str', 'StrEnum') for one in classes),
            'number enums': any(one.kind in ('int', 'IntEnum') for one in classes),
            'dataclasses': bool(options - {'default', 'default_factory', 'frozen', 'eq'}) or _starts_waiting(analysis),
            'method __lt__': orders or 'order' in options or 'functools.total_ordering' in analysis.meant,
            'method __bool__': orders,
            'method keys': not MAPPINGS.isdisjoint(analysis.words),
            'attributes': lists_attributes(analysis),
        }
        noted = {fact for fact, holds in holding.items() if holds}
        noted |= {f'property {name}' for one in classes for name in properties_of(one) | one.members}
        noted |= {f'property {name}' for name in function_attributes(analysis)}
        noted |= {f'property {name}' for name in deleted_attributes(analysis)}
        noted |= {'property __doc__'} & {f'property {name}' for name in analysis.words}
        noted |= {f'method {name}' for one in classes for name in one.names if name in _METHODS}
        noted |= {f'{one.family} {one.node.name}' for one in classes if one.family in NOTED}
        noted |= {f'text method {name}' for one in classes if one.family == 'enum' for name in one.names & OF_TEXTS}
        noted |= {f'tuple field {name}' for name in _tuple_fields(analysis, classes)}
        noted |= {f'base {base.id}' for one in plain for base in one.bases if isinstance(base, ast.Name)}
        noted |= {f'own {part.name}' for one in plain for part in one.node.body if isinstance(part, FunctionNode)}
        context.facts |= noted
        self.inherits, self.has_enums = context.has('subclass'), context.has('enums')
        self.has_text_enums = context.has('text enums')
        self.has_mappings = context.has('method keys')
        self.lists_attributes = context.has('attributes')
        self.formats = self.has_enums or context.has('method __format__')
        facts = [fact.split() for fact in (*noted, *analysis.session.facts)]
        self.properties = {fact[1] for fact in facts if fact[0] == 'property'}
        self.methods = {fact[1] for fact in facts if fact[0] == 'own'}
        self.members = {
            name for one in classes for name in (one.names | {*annotated(one.node.body)}) - properties_of(one)
        }
        self.bases = {fact[1] for fact in facts if fact[0] == 'base'}
        self.unlisted = [fact[1] for fact in facts if fact[0] == 'member']
        context.facts |= set() if self.inherits else {f'member {name}' for one in plain for name in one.names}
        # Names of classes are not Monty's then.
        stored = [node.attr for node in analysis.all(ast.Attribute) if isinstance(node.ctx, ast.Store)]
        self.renames = (
            '__name__' in stored
            or 'builtins.object' in analysis.meant
            or any(is_polyfilled(one) and one.rpartition('.')[2][:1].isupper() for one in analysis.meant)
        )

    def functions(self) -> dict[str, str]:
        """The polyfills of builtins and similar functions that support these classes."""
        found = dict(_ALWAYS)
        asks = self.inherits or self.has_enums or bool(self.properties)
        if asks or any(one.is_abstract for one in self.kinds.values()):
            found |= {'builtins.isinstance': '_classes__is_a', 'builtins.issubclass': '_classes__is_below'}
        if self.properties or self.inherits:
            found['builtins.getattr'] = '_classes__get'
        if self.properties or self.inherits or self.lists_attributes:
            found['builtins.setattr'] = '_classes__store'
        if self.has_enums:
            found['builtins.len'] = '_comparisons__length'
        if self.formats:
            found['builtins.format'] = '_classes__formatted'
        return found


def marks_of(node: FunctionNode) -> set[str | None]:
    return {meaning(mark.func if isinstance(mark, ast.Call) else mark) for mark in node.decorator_list}


def properties_of(found: Class) -> set[str]:
    """Return the names of attributes that the polyfill resolves."""
    names = set[str]()
    for part in found.node.body:
        match part:
            case ast.FunctionDef(name=name) if not marks_of(part).isdisjoint(_PROPERTIES):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)) if meaning(func) in _PROPERTIES:
                names.add(name)
            case _:
                pass
    return names


def _starts_waiting(analysis: Analysis) -> bool:
    """Return whether a `__post_init__` may wait, which Monty's own dataclasses call where a script cannot."""
    starts = [node.body for node in analysis.all(ast.FunctionDef) if node.name == '__post_init__']
    waiting = waiting_of(analysis, maybe=True) if starts else None
    return waiting is not None and any(waiting.inside(body) is not None for body in starts)


def function_attributes(analysis: Analysis) -> Iterator[str]:
    """Yield the attributes that the script sets on functions: its own, and those passed to its decorators."""
    for node in analysis.all(ast.Attribute):
        if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            name, owner = node.value.id, analysis.scopes.owner(node.value)
            if owner is not None and any(
                isinstance(one, FunctionNode) or (isinstance(one, ast.arg) and _returns(owner.node, name))
                for one in owner.bound[name]
            ):
                yield node.attr


def deleted_attributes(analysis: Analysis) -> Iterator[str]:
    """Yield the names of attributes that the script deletes."""
    for target in [target for node in analysis.all(ast.Delete) for target in node.targets]:
        if isinstance(target, ast.Attribute):
            yield target.attr
    for node in analysis.all(ast.Call) if 'builtins.delattr' in analysis.meant else ():
        match node.args:
            case [_, ast.Constant(value=str(name))] if is_call_of(node, 'builtins.delattr'):
                yield name
            case _:
                pass


def _tuple_fields(analysis: Analysis, classes: Iterable[Class]) -> Iterator[str]:
    """Yield the fields of the script's named tuples, as far as their names are literals."""
    for one in classes:
        yield from {*annotated(one.node.body)} | one.names if one.family == 'tuple' else ()
    for node in analysis.all(ast.Call) if 'collections.namedtuple' in analysis.meant else ():
        if is_call_of(node, 'collections.namedtuple'):
            for part in (part for argument in node.args[1:] for part in ast.walk(argument)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield from part.value.replace(',', ' ').split()


def _returns(node: ast.AST, name: str) -> bool:
    returned = [part.value for part in getattr(node, 'body', ()) if isinstance(part, ast.Return)]
    return any(isinstance(value, ast.Name) and value.id == name for value in returned)


OF_TEXTS = frozenset(name for name in dir(str) if not name.startswith('_')) - {'join', 'format'}
_PROPERTIES = frozenset(['builtins.property', 'functools.cached_property', 'abc.abstractproperty'])
_METHODS = words(
    '__lt__ __le__ __gt__ __ge__ __eq__ __ne__ __bool__ __len__ __format__ __hash__ __contains__ __reversed__ keys'
) | {*IN_PLACE.values()}
"""Methods that are facts for other transforms."""
_ALWAYS = {
    'builtins.property': '_classes__Property',
    'builtins.staticmethod': '_classes__Static',
    'builtins.classmethod': '_classes__OfClass',
    'builtins.hasattr': '_classes__has',
    'builtins.issubclass': '_classes__is_below',
    'builtins.vars': '_classes__vars',
    'functools.cached_property': '_classes__cached_property',
}
MAPPINGS = words('ChainMap configparser')
