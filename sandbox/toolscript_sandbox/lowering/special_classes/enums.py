"""Enumerations, as Monty can have them: an object that holds the members, made from the class that lists them.

Stands in for metaclasses and classes that inherit, which Monty lacks. Members are objects of the class; those that are
texts or numbers too have all methods and signs of these, and where a text must be a text (`join`, `isinstance`,
`json.dumps`), it is asked for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from toolscript_sandbox.lowering.class_features import ENUMERATIONS
from toolscript_sandbox.lowering.classes.lineage import named_parts
from toolscript_sandbox.lowering.classes.ordering import COMPARISONS
from toolscript_sandbox.lowering.guest_modules import guest
from toolscript_sandbox.lowering.parts import is_builtin, method_names, piece
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Rewriter, named
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, walk


def with_enums(program: Program) -> Program:
    """The snippet with each enumeration built after its class, and with what asks for members rewritten to match."""
    source, scene = program.source, program.scene
    found = _enumerations(source.tree, scene)
    if not found and ENUMERATIONS not in scene.kin:
        return program
    scene.kin.update({name: () for one in found.values() for name in one.asked_for})
    edits = list(_uses(source, scene, found))
    edits += [edit for one in found.values() for edit in one.edits(source, scene)]
    if found:
        scene.pieces.add('enum')
        scene.flattened = True
        scene.note('Built the members of enumerations by hand: classes cannot inherit here.')
        scene.kin[ENUMERATIONS] = ()
    return program.edited(edits)


TYPE_OF_ERROR = '_errors_type_of'
TEXTS = 'enum.StrEnum'
"""Among the kin of a session: that members of enumerations may be texts."""
MEMBERS_THAT_ARE_DATA = 'enum.IntEnum'
"""Among the kin of a session: that members of enumerations may be texts or numbers."""


def _piece(name: str) -> str:
    version = guest('enum')
    assert version is not None
    return version.prefixed(name)


@dataclass(frozen=True)
class _Enumeration:
    node: ast.ClassDef
    kind: str
    """The base of `enum`, or `str` or `int` where one of these stands before `Enum`."""
    base: ast.ClassDef | None = None
    """An enumeration without members that it inherits from."""

    @property
    def asked_for(self) -> Iterator[str]:
        """What the rules must know of it."""
        if self.kind in ('str', 'StrEnum'):
            yield TEXTS
        if self.kind not in ('Enum', 'Flag'):
            yield from (MEMBERS_THAT_ARE_DATA, *COMPARISONS)
        values = [value for _, value in _members(self.node)]
        if 'Flag' in self.kind or (self.kind != 'Enum' and not all(map(_is_true, values))):
            yield '__bool__'

    def edits(self, source: Source, scene: Scene) -> Iterator[Edit]:
        """What makes it."""
        node = self.node
        _refuse_what_differs(node, scene)
        opening = source.text.index('(', source.start(node))
        yield Edit(opening, source.text.index(')', source.end(node.bases[-1])) + 1, '')
        for mark in node.decorator_list:
            yield Edit(source.start(mark) - 1, source.end(mark), '')
        names = list(dict.fromkeys(name for name, _ in _members(node)))
        functions = [part.name for part in node.body if isinstance(part, _METHODS)]
        base = f', {self.base.name}' if self.base is not None else ''
        made = f'{_piece("made")}({node.name}, {node.name!r}, {self.kind!r}, {names!r}, {functions!r}{base})'
        made = f'{_piece("unique")}({made})' if node.decorator_list else made
        end = source.end(node)
        yield Edit(end, end, f'{NEW_LINE}{" " * node.col_offset}{node.name} = {made}')
        yield from _numbered(self, source)


def _enumerations(tree: ast.Module, scene: Scene) -> dict[str, _Enumeration]:
    found = dict[str, _Enumeration]()
    for node in sorted(all_of(tree, ast.ClassDef), key=lambda node: node.lineno):
        match node.bases:
            case [ast.Name(id=name)] if name in found and not node.keywords:
                found[node.name] = _Enumeration(node, found[name].kind, found[name].node)
            case _:
                kind = _kind(node, scene)
                if kind is not None:
                    found[node.name] = _Enumeration(node, kind)
    return found


def _kind(node: ast.ClassDef, scene: Scene) -> str | None:
    if not node.bases or node.keywords:
        return None
    *mixins, base = node.bases
    member = scene.member(base)
    if member is None or member[0] != 'enum' or member[1] not in _KINDS:
        return None
    match mixins:
        case []:
            return member[1]
        case [ast.Name(id='str' | 'int' as name)] if member[1] == 'Enum':
            return name
        case _:
            return None


def _members(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """The names that a class binds to members, and their values."""
    for part in node.body:
        match part:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    match target, value:
                        case ast.Name(id=name), _:
                            yield from [(name, value)] if _is_member(name, node.name) else []
                        case _:
                            said = 'Give each member of an enumeration a line of its own.'
                            raise Refused([refusal(part, said)])
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if _is_member(name, node.name):
                yield name, value
            case _:
                pass


def _is_member(name: str, cls: str) -> bool:
    if name.startswith(f'_{cls.lstrip("_")}__'):
        # Private names are none.
        return False
    return not name.startswith('__') and not (name.startswith('_') and name.endswith('_'))


def _is_true(value: ast.expr) -> bool:
    return bool(value.value) if isinstance(value, ast.Constant) else _is_auto(value)


def _is_auto(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value) in ('auto()', 'enum.auto()')


def _refuse_what_differs(node: ast.ClassDef, scene: Scene) -> None:
    for mark in node.decorator_list:
        if scene.member(mark) != ('enum', 'unique'):
            raise Refused([refusal(mark, 'An enumeration can only be decorated with unique here.')])
    for part in node.body:
        match part:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name in _NOT_ASKED:
                raise Refused([refusal(part, f'{name} is not asked for here. {_NOT_ASKED[name]}')])
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in ('_ignore_', '_order_', '__slots__'):
                raise Refused([refusal(value, f'There is no {name} in an enumeration here. Leave it out.')])
            case ast.ClassDef() | ast.If() | ast.For() | ast.While() | ast.With() | ast.Try():
                raise Refused([refusal(part, 'An enumeration has only members and methods here. Write it outside.')])
            case _:
                pass
    if len({name for name, _ in _members(node)}) < len(list(_members(node))):
        raise Refused([refusal(node, 'A member stands twice in this enumeration. Give each its own name.')])


def _numbered(one: _Enumeration, source: Source) -> Iterator[Edit]:
    """Numbers in the place of `auto()` in flags: members that stand for several are made of those before them."""
    known = dict[str, int]()
    for name, value in _members(one.node) if 'Flag' in one.kind else ():
        if _is_auto(value):
            known[name] = 2 ** max(known.values(), default=0).bit_length()
            yield source.replace(value, str(known[name]))
            continue
        number = _number(value, known)
        if number is None:
            raise Refused([refusal(value, 'Write the number of this flag out, or make it of flags before it with |.')])
        known[name] = number


def _number(value: ast.expr, known: dict[str, int]) -> int | None:
    match value:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return known.get(name)
        case ast.BinOp(left=left, op=op, right=right):
            first, second = _number(left, known), _number(right, known)
            if first is None or second is None:
                return None
            match op:
                case ast.BitOr():
                    return first | second
                case ast.BitAnd():
                    return first & second
                case ast.BitXor():
                    return first ^ second
                case ast.LShift():
                    return first << second
                case _:
                    return None
        case _:
            return None


def _uses(source: Source, scene: Scene, found: dict[str, _Enumeration]) -> Iterator[Edit]:
    tree = source.tree
    _refuse_unknown_members(tree, found)
    for node in all_of(tree, ast.Call):
        match node:
            case ast.Call(func=ast.Name(id='setattr'), args=[whose, ast.Constant(value='value' | 'name' as name), _]):
                yield from source.wrap(whose, f'{_piece("changeable")}(', f', {name!r})')
            case ast.Call(func=ast.Attribute(attr=name), args=args) if name in _OF_TEXTS_ONLY:
                yield from (edit for part in args for edit in _as_text(part, source, found))
            case _:
                pass
    others = _of_no_member(tree, found)
    for node in all_of(tree, ast.Attribute):
        match node:
            case ast.Attribute(
                value=ast.Attribute(value=ast.Name(id=name)), attr='value' | 'name', ctx=ast.Store()
            ) if name in found:
                raise Refused([refusal(node, f'Members of {name} stay as they are. Write them in the class.')])
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()) if name in found:
                raise Refused([refusal(node, f'Members of {name} stay as they are. Write them in the class.')])
            case ast.Attribute(value=whose, attr='value' | 'name' as name, ctx=ast.Store()) if node not in others:
                # Whether it is a member's is known when it is stored.
                yield from source.wrap(whose, f'{_piece("changeable")}(', f', {name!r})')
            case _:
                pass
    for node in all_of(tree, ast.Compare):
        if isinstance(node.ops[0], (ast.In, ast.NotIn)):
            yield from _as_text(node.left, source, found)


def _of_no_member(tree: ast.Module, found: dict[str, _Enumeration]) -> set[ast.AST]:
    """Attributes of functions and of classes, and those of `self` in what is no enumeration."""
    classes = all_of(tree, ast.ClassDef)
    defined = {node.name for kind in (*_METHODS, ast.ClassDef) for node in all_of(tree, kind)}
    inner = {part for node in classes if node.name not in found for part in walk(node)}
    read = ((node, node.value.id) for node in all_of(tree, ast.Attribute) if isinstance(node.value, ast.Name))
    return {node for node, name in read if name in defined or (name == 'self' and node in inner)}


def _refuse_unknown_members(tree: ast.Module, found: dict[str, _Enumeration]) -> None:
    """`Status.CLOSED`, where there is no such member; a script with `try` may be about to find that out."""
    if not found or all_of(tree, ast.Try):
        return
    names = dict[str, set[str]]()
    for name, one in found.items():
        above = names[one.base.name] if one.base is not None else set[str]()
        names[name] = above.union(named_parts(one.node))
    for node in all_of(tree, ast.Attribute):
        name = node.value.id if isinstance(node.value, ast.Name) else ''
        if name in found and not node.attr.startswith('_') and node.attr not in names[name]:
            members = ', '.join(member for member, _ in _members(found[name].node))
            raise Refused([refusal(node, f'{name} has no {node.attr}. Its members: {members or "none"}.')])


def _as_text(part: ast.expr, source: Source, found: dict[str, _Enumeration]) -> Iterator[Edit]:
    """Edits that give the text of a member that is one where only texts are taken."""
    match part:
        case ast.Attribute(value=ast.Name(id=name)) if name in found and found[name].kind in ('str', 'StrEnum'):
            end = source.end(part)
            yield Edit(end, end, '.value')
        case _:
            pass


def _asked(node: ast.Call, r: Rewriter) -> str | None:
    """`type(state)` and `', '.join(states)`."""
    module, name = r.scene.member(node.func) or ('', '')
    if module == 'enum' and name in _KINDS and node.args:
        raise Refused([refusal(node, 'Write the enumeration as a class here, a line for each member.')])
    if ENUMERATIONS not in r.scene.kin or node.keywords or any(isinstance(part, ast.Starred) for part in node.args):
        return None
    if (is_builtin(node, 'type', r) or is_type_of_error(node)) and len(node.args) == 1:
        return f'{piece(r, "enum", "as_members")}({r.inside(node)})'
    func = node.func
    if not isinstance(func, ast.Attribute) or func.attr != 'join' or len(node.args) != 1 or TEXTS not in r.scene.kin:
        return None
    if r.scene.module(func.value) is not None or 'join' in method_names(r.source.tree):
        return None
    return f'{r.text(func.value)}.join(map({piece(r, "enum", "plain")}, {r.text(node.args[0])}))'


def is_type_of_error(node: ast.expr) -> bool:
    """Whether it is what `type(x)` became where exceptions are objects of the guest's."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == TYPE_OF_ERROR


_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
_KINDS = frozenset(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag'])
_OF_TEXTS_ONLY = frozenset(
    [
        *('split', 'rsplit', 'startswith', 'endswith', 'replace', 'partition', 'rpartition', 'removeprefix'),
        *('removesuffix', 'strip', 'lstrip', 'rstrip'),
    ]
)
_NOT_ASKED = {
    '__new__': 'Give the members tuples, and take them apart in __init__.',
    '__format__': 'Write a method that gives the text, and call it.',
    '__init_subclass__': 'Write a function, and call it behind the class.',
    '__getattr__': 'Write a method that takes the name.',
    '__setattr__': 'Write a method that sets it.',
}
ENUM_RULES = (named(_asked, 'type', TYPE_OF_ERROR, 'join', *_KINDS),)
