"""Classes that inherit, and methods with decorators, as Monty can have them: members are copied from class to class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit, Source
from toolscript_sandbox.text.syntax import all_of, children, walk

from .class_features import WITHOUT_EFFECT
from .guest_modules import guest
from .monty_features import METHODS_OF_TYPES
from .program import Program
from .scene import Scene
from .truth import asked_for_truth

Method = ast.FunctionDef | ast.AsyncFunctionDef


def flattened(program: Program) -> Program:
    """The snippet with its classes standing alone."""
    source, scene = program.source, program.scene
    family = _Family({node.name: node for node in source.tree.body if isinstance(node, ast.ClassDef)}, dict(scene.kin))
    edits = [edit for node in family.classes.values() for edit in _edits(node, family, source)]
    edits += _uses(source, family, scene)
    if any(not _own(node).isdisjoint(['__bool__', '__len__']) for node in family.classes.values()):
        edits += asked_for_truth(source, scene, family.properties)
    if not edits:
        return program
    scene.kin.update({name: heirs for name in family.classes if (heirs := tuple(family.heirs(name)))})
    scene.kin.update({f'.{name}': () for name in family.properties})
    scene.note('Copied what classes inherit, and wrote properties and static methods as plain ones.')
    scene.flattened = True
    scene.pieces.add('members')
    return program.edited(edits)


def _piece(name: str) -> str:
    version = guest('members')
    assert version is not None
    return version.prefixed(name)


@dataclass(frozen=True)
class _Family:
    classes: dict[str, ast.ClassDef]
    earlier: dict[str, tuple[str, ...]]
    """Heirs of the classes of earlier snippets, and properties."""

    def base(self, node: ast.ClassDef) -> ast.ClassDef | None:
        """The class of this snippet that it inherits from, if that is all it inherits from."""
        match node.bases:
            case [ast.Name(id=name)] if name != node.name and not node.keywords and _may_inherit(node):
                return self.classes.get(name)
            case _:
                return None

    def members(self, node: ast.ClassDef) -> set[str]:
        """What the class has, inherited members included."""
        base = self.base(node)
        return _own(node) | (self.members(base) if base is not None else set())

    def heirs(self, name: str) -> list[str]:
        """Classes below one."""
        if name in self.earlier and name not in self.classes:
            return list(self.earlier[name])
        return [heir for child in self._children.get(name, ()) for heir in (child, *self.heirs(child))]

    @cached_property
    def _children(self) -> dict[str, list[str]]:
        """The classes directly below each, looked for once."""
        found = dict[str, list[str]]()
        for node in self.classes.values():
            if (base := self.base(node)) is not None:
                found.setdefault(base.name, []).append(node.name)
        return found

    def decorated(self, *decorators: str) -> frozenset[str]:
        """Methods with one of these decorators."""
        every = (method for node in self.classes.values() for method in _methods(node))
        return frozenset(method.name for method in every if _decorator(method) in decorators)

    @property
    def properties(self) -> frozenset[str]:
        """Names that may be a property of an object."""
        earlier = (name[1:] for name in self.earlier if name.startswith('.'))
        return self.decorated('property', 'cached_property').union(earlier)

    def kind(self, node: ast.ClassDef, name: str) -> str | None:
        """What decorates the method that a class has under a name; None where it has no such method."""
        kinds = [_decorator(method) or '' for method in _methods(node) if method.name == name]
        base = self.base(node)
        return kinds[0] if kinds else None if base is None else self.kind(base, name)

    def fields(self, node: ast.ClassDef) -> dict[str, ast.AnnAssign]:
        """The annotated fields of a class, inherited ones first."""
        base = self.base(node)
        own = [part for part in node.body if isinstance(part, ast.AnnAssign) and not _is_of_class(part)]
        inherited = self.fields(base) if base is not None else {}
        return {**inherited, **{part.target.id: part for part in own if isinstance(part.target, ast.Name)}}


def _edits(node: ast.ClassDef, family: _Family, source: Source) -> Iterator[Edit]:
    base = family.base(node)
    behind = [statement for method in _methods(node) for statement in _made(method, node)]
    if base is not None:
        opening = source.text.index('(', source.start(node))
        yield Edit(opening, source.text.index(')', source.end(node.bases[0])) + 1, '')
        yield from _inherited_fields(node, family, source)
        copied = sorted(family.members(base) - _own(node) - _made_anew(node))
        behind += [f'{node.name}.{name} = {_inherited(node, base, name, family)}' for name in copied]
    if '__getitem__' in family.members(node) and '__iter__' not in family.members(node):
        behind.append(f'{node.name}.__iter__ = {_piece("by_index")}')
    yield from _order(node, family, source)
    if behind:
        end, indent = source.end(node), ' ' * node.col_offset
        yield Edit(end, end, ''.join(f'{NEW_LINE}{indent}{statement}' for statement in behind))
    for method in _methods(node):
        yield from _super_calls(method, node, family, source)
        yield from _undecorated(method, source)


def _order(node: ast.ClassDef, family: _Family, source: Source) -> Iterator[Edit]:
    """The comparisons of a dataclass with `order=True`."""
    for mark in node.decorator_list:
        words = mark.keywords if isinstance(mark, ast.Call) and _last_name(mark) == 'dataclass' else []
        order = next((word for word in words if word.arg == 'order'), None)
        if order is None or not isinstance(mark, ast.Call):
            continue
        first = node.body[0]
        fields = [name for name, field in family.fields(node).items() if isinstance(field.target, ast.Name)]
        if not isinstance(order.value, ast.Constant) or first.lineno == node.lineno:
            raise Refused([refusal(order.value, 'Write order=True, and the fields on lines of their own.')])
        left = ', '.join(ast.unparse(word) for word in words if word is not order)
        yield source.replace(mark, f'{ast.unparse(mark.func)}({left})')
        if order.value.value is not True:
            continue
        if _own(node) & set(_SIGNS_OF_ORDER):
            raise Refused([refusal(order.value, 'Leave order out: the class has a comparison of its own.')])
        mine, others = (''.join(f'{whose}.{name}, ' for name in fields) for whose in ('self', 'other'))
        end, indent = source.end(node), NEW_LINE + ' ' * first.col_offset
        yield Edit(
            end,
            end,
            ''.join(
                f'{indent}def {name}(self, other): '
                f'return {_piece("ordered")}(self, other, {sign!r}) and ({mine}) {sign} ({others})'
                for name, sign in _SIGNS_OF_ORDER.items()
            ),
        )
        _refuse_order_within(source)


def _refuse_order_within(source: Source) -> None:
    """Refuses what compares objects by itself: Monty asks no method there."""
    for node in walk(source.tree):
        names = [node.module] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, (ast.Import, ast.ImportFrom)) and not {'heapq', 'bisect'}.isdisjoint(names):
            raise Refused([refusal(node, 'This does not compare dataclasses with order=True here: keep tuples in it.')])
        match node:
            case ast.Call(func=ast.Attribute(attr='sort'), keywords=words) if not any(w.arg == 'key' for w in words):
                raise Refused([refusal(node, 'Write sorted(...) here, or give .sort a key: a dataclass has an order.')])
            case _:
                pass


def _made(method: Method, node: ast.ClassDef) -> Iterator[str]:
    """What makes of a method what its decorator says."""
    member, name = f'{node.name}.{method.name}', method.name
    if (cache := _cache(method)) is not None:
        yield f'{member} = {_piece("kept")}({ast.unparse(cache)}, {member})'
    match _decorator(method):
        case 'staticmethod':
            yield f'{member} = {_piece("Static")}({member})'
        case 'classmethod':
            yield f'{member} = {_piece("OfClass")}({member}, {node.name})'
        case 'property' | 'cached_property' as kind:
            setters = [other for other in _methods(node) if _decorator(other) == 'setter' and other.name == name]
            setter = f'{node.name}._set_{name}' if setters else 'None'
            yield f'{member} = {_piece("Property")}({member}, {setter}, {name!r}, {kind == "cached_property"})'
        case _:
            pass


def _inherited(node: ast.ClassDef, base: ast.ClassDef, name: str, family: _Family) -> str:
    of_base = f'{base.name}.{name}'
    return f'{_piece("inherited")}({of_base}, {node.name})' if family.kind(base, name) == 'classmethod' else of_base


def _made_anew(node: ast.ClassDef) -> frozenset[str]:
    """What Python makes for the class itself, so that it inherits none."""
    if _is_dataclass(node):
        return frozenset(['__init__', '__repr__', '__eq__', '__hash__', '__post_init__'])
    return frozenset(['__hash__'] if '__eq__' in _own(node) else [])


def _super_calls(method: Method, node: ast.ClassDef, family: _Family, source: Source) -> Iterator[Edit]:
    first = method.args.args[0].arg if method.args.args else 'self'
    base = family.base(node)
    if base is None and any(_last_name(kind) not in WITHOUT_EFFECT for kind in node.bases):
        return
    called = {part.func: part for part in walk(method) if isinstance(part, ast.Call)}
    for part in walk(method):
        match part:
            case ast.Attribute(value=ast.Call(func=ast.Name(id='super'), args=args), attr=name) if _is_plain_super(
                args, node.name, first
            ):
                if base is not None:
                    yield from _super_read(part, called.get(part), first, base, family, source)
                elif name == '__init__' and (call := called.get(part)) and not call.args and not call.keywords:
                    yield source.replace(call, 'None')
            case _:
                pass


def _is_plain_super(args: list[ast.expr], name: str, first: str) -> bool:
    return not args or [ast.unparse(argument) for argument in args] == [name, first]


def _super_read(
    part: ast.Attribute, call: ast.Call | None, first: str, base: ast.ClassDef, family: _Family, source: Source
) -> Iterator[Edit]:
    kind, member = family.kind(base, part.attr), f'{base.name}.{part.attr}'
    if kind in ('property', 'cached_property') and call is None:
        yield source.replace(part, f'{member}.getter({first})')
    elif call is None:
        raise Refused([refusal(part, f'Call super().{part.attr}(...) here, or {base.name}.{part.attr}.')])
    elif part.attr not in family.members(base) and not (_is_dataclass(base) and part.attr == '__init__'):
        if part.attr not in ('__init__', '__post_init__') or call.args or call.keywords:
            raise Refused([refusal(part, f'{base.name} has no {part.attr} of its own to be called here.')])
        yield source.replace(call, 'None')
    else:
        glue = ', ' if call.args or call.keywords else ''
        opening = source.text.index('(', source.end(part))
        start = {'staticmethod': f'{member}(', 'classmethod': f'{member}.function({first}{glue}'}
        yield Edit(source.start(part), opening + 1, start.get(kind or '', f'{member}({first}{glue}'))


def _inherited_fields(node: ast.ClassDef, family: _Family, source: Source) -> Iterator[Edit]:
    if not _is_dataclass(node):
        return
    fields, first = family.fields(node), node.body[0]
    missing = [source.segment(field) for field in fields.values() if field not in node.body]
    base = family.base(node)
    if base is not None and '__post_init__' in family.members(base) - _own(node):
        missing.append(f'__post_init__ = {base.name}.__post_init__')
    glue = NEW_LINE + ' ' * first.col_offset if first.lineno > node.lineno else '; '
    start = source.start(first)
    yield Edit(start, start, ''.join(f'{field}{glue}' for field in missing))


def _undecorated(method: Method, source: Source) -> Iterator[Edit]:
    decorator = _decorator(method)
    if decorator is None:
        return
    for mark in method.decorator_list:
        yield Edit(source.start(mark) - 1, source.end(mark), '')
    # The method stands where the decorator did, so that what is left of the line is only its indentation.
    if decorator == 'setter':
        start = source.text.index(method.name, source.start(method))
        yield Edit(start, start, '_set_')


def _uses(source: Source, family: _Family, scene: Scene) -> Iterator[Edit]:
    properties = family.properties
    plain = properties & METHODS_OF_TYPES
    called = {node.func for node in walk(source.tree) if isinstance(node, ast.Call)}
    marks = {mark for node in family.classes.values() for method in _methods(node) for mark in method.decorator_list}
    quotes = _quotes(source) if properties else {}
    parents = {child: node for node in walk(source.tree) for child in children(node)}
    for node in walk(source.tree):
        match node:
            case ast.Attribute(value=value, attr=name) if name in properties and scene.module(value) is None:
                if isinstance(value, ast.Call) and ast.unparse(value.func) == 'super':
                    continue
                if isinstance(node.ctx, ast.Load) and not (name in plain and node in called) and node not in marks:
                    yield from _read(node, quotes.get(node, "'"), source)
                elif isinstance(node.ctx, ast.Store):
                    yield from _stored(node, parents[node], source)
            case ast.Call(func=ast.Name(id='isinstance'), args=[_, kinds]):
                yield from _with_heirs(kinds, family, source)
            case ast.Call(func=ast.Name(id='issubclass') as func, args=[kind, kinds]):
                if names := _named(kinds, family):
                    every = [heir for name in names for heir in (name, *family.heirs(name))]
                    yield Edit(source.start(func), source.start(kind), '((')
                    yield Edit(source.end(kind), source.end(node), f') in ({", ".join(every)},))')
            case ast.Call(func=ast.Name(id='getattr' | 'setattr' | 'attrgetter' as word), args=args) if properties:
                _refuse_by_name(node, word, args, properties)
            case _:
                pass


def _named(kinds: ast.expr, family: _Family) -> list[str]:
    """The classes that are asked for, where all are the snippet's own."""
    parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    names = [
        part.id
        for part in parts
        if isinstance(part, ast.Name) and (part.id in family.classes or part.id in family.earlier)
    ]
    return names if len(names) == len(parts) else []


def _with_heirs(kinds: ast.expr, family: _Family, source: Source) -> Iterator[Edit]:
    """Where a class is asked for, its heirs are too."""
    for part in walk(kinds):
        if isinstance(part, ast.Name) and (heirs := family.heirs(part.id)):
            if isinstance(kinds, ast.BinOp):
                raise Refused([refusal(kinds, 'Write a tuple of classes here.')])
            star = '' if part is kinds else '*'
            yield source.replace(part, f'{star}({", ".join([part.id, *heirs])})')


def _last_name(base: ast.expr) -> str:
    base = base.value if isinstance(base, ast.Subscript) else base.func if isinstance(base, ast.Call) else base
    return base.attr if isinstance(base, ast.Attribute) else base.id if isinstance(base, ast.Name) else ''


def _read(node: ast.Attribute, quote: str, source: Source) -> Iterator[Edit]:
    start, end = source.start(node), source.end(node)
    dot = source.text.rindex('.', start, end - len(node.attr))
    yield Edit(start, start, f'{_piece("read")}(')
    yield Edit(dot, end, f', {quote}{node.attr}{quote})')


def _quotes(source: Source) -> dict[ast.AST, str]:
    """For what stands in f-strings, the quote that does not end them."""
    found = dict[ast.AST, str]()
    for string in all_of(source.tree, ast.JoinedStr):
        opening = source.segment(string).lstrip('fFrR')[:1]
        found.update(dict.fromkeys(walk(string), "'" if opening == '"' else '"'))
    return found


def _stored(node: ast.Attribute, statement: ast.AST, source: Source) -> Iterator[Edit]:
    start, end = source.start(node), source.end(node)
    dot = source.text.rindex('.', start, end - len(node.attr))
    match statement:
        case ast.Assign(targets=[_]) | ast.AnnAssign(value=ast.expr()):
            middle = f', {node.attr!r}, ('
        case ast.AugAssign(target=ast.Attribute(value=ast.Name(id=name)), op=op):
            middle = f', {node.attr!r}, {_piece("read")}({name}, {node.attr!r}) {_sign(op)} ('
        case _:
            raise Refused([refusal(node, f'{node.attr} is a property: store in it by a statement of its own.')])
    first = source.text.index('=', end) + 1
    yield Edit(start, start, f'{_piece("stored")}(')
    yield Edit(dot, first, middle)
    # A value may stand in brackets of its own.
    closed = source.end(statement)
    yield Edit(closed, closed, '))')


def _sign(op: ast.operator) -> str:
    return ast.unparse(ast.BinOp(ast.Constant(0), op, ast.Constant(0)))[1:-1].strip()


def _refuse_by_name(node: ast.Call, word: str, args: list[ast.expr], properties: frozenset[str]) -> None:
    names = args if word == 'attrgetter' else args[1:2]
    for name in names:
        if not isinstance(name, ast.Constant) or name.value in properties:
            raise Refused([refusal(node, f'{word} does not know properties here. Write .{min(properties)} and so on.')])


def _own(node: ast.ClassDef) -> set[str]:
    names = {f'_set_{method.name}' if _decorator(method) == 'setter' else method.name for method in _methods(node)}
    for part in node.body:
        if isinstance(part, ast.Assign):
            names |= {target.id for target in part.targets if isinstance(target, ast.Name)}
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.value is not None:
            names |= set() if _is_dataclass(node) and not _is_of_class(part) else {part.target.id}
    return names


def _is_of_class(part: ast.AnnAssign) -> bool:
    return 'ClassVar' in ast.unparse(part.annotation)


def _methods(node: ast.ClassDef) -> list[Method]:
    return [part for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))]


def _may_inherit(node: ast.ClassDef) -> bool:
    return not node.decorator_list or _is_dataclass(node)


def _is_dataclass(node: ast.ClassDef) -> bool:
    return any(
        ast.unparse(mark).partition('(')[0] in ('dataclass', 'dataclasses.dataclass') for mark in node.decorator_list
    )


def _decorator(method: Method) -> str | None:
    """What the decorators make of a method: '' for nothing that matters, None where that is not known."""
    names = [ast.unparse(mark).partition('(')[0].rpartition('.')[2] for mark in method.decorator_list]
    if not names or not set(names) <= _WITH_MEANING | _WITHOUT_MEANING | _CACHES:
        return None
    if not _CACHES.isdisjoint(names) and (names[-1] not in _CACHES or not _CACHES.isdisjoint(names[:-1])):
        return None
    return next((name for name in names if name in _WITH_MEANING), '')


def _cache(method: Method) -> ast.expr | None:
    """The decorator that keeps what a method gave."""
    *_, last = method.decorator_list or [None]
    return last if last is not None and _decorator(method) is not None and _last_name(last) in _CACHES else None


_SIGNS_OF_ORDER = {'__lt__': '<', '__le__': '<=', '__gt__': '>', '__ge__': '>='}
_CACHES = frozenset(['cache', 'lru_cache'])
_WITH_MEANING = frozenset(['property', 'cached_property', 'staticmethod', 'classmethod', 'setter'])
_WITHOUT_MEANING = frozenset(['abstractmethod', 'override', 'final', 'overload'])
