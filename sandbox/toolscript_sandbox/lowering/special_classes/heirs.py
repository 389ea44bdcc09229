"""Heirs of `list`, `dict` and `OrderedDict`, which Monty's classes cannot be: each object keeps one instead.

In the place of the builtin type, a class inherits from a stand-in in the script, whose methods are the guest's
(`guest/heirs.py`); what inherits from it is flattened as every class is (`inheritance.py`). Given away, shown, compared
and gone through, an object is what it keeps. Where only a builtin value will do, it is refused.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from toolscript_sandbox.lowering.classes.kinds import LINES
from toolscript_sandbox.lowering.classes.lineage import Family, dataclass_mark, methods
from toolscript_sandbox.lowering.classes.ordering import COMPARISONS
from toolscript_sandbox.lowering.guest_modules import NATIVES, guest
from toolscript_sandbox.lowering.parts import is_repeatable, method_names, piece
from toolscript_sandbox.lowering.program import Program
from toolscript_sandbox.lowering.rewriter import Node, Rewriter, Rules
from toolscript_sandbox.lowering.scene import Scene
from toolscript_sandbox.text.refusals import Refused, refusal
from toolscript_sandbox.text.source import NEW_LINE, Edit
from toolscript_sandbox.text.syntax import all_of, walk

from .heir_members import MEMBERS


def with_heirs(program: Program) -> Program:
    """The snippet with stand-ins in the place of builtin types that its classes inherit from."""
    scene = program.scene
    if HEIRS not in scene.kin and 'class' not in program.source.text:
        return program
    bases = {base: kind for node in all_of(program.tree, ast.ClassDef) for base, kind in _bases(node, scene)}
    if not bases and HEIRS not in scene.kin:
        return program
    _refuse(program)
    scene.pieces |= {module for kind in bases.values() for module, _ in MEMBERS[kind].values()} | {'heirs', NATIVES}
    scene.flattened = True
    scene.kin.update(dict.fromkeys([HEIRS, LINES, *COMPARISONS, *_ASKED], ()))
    if '__eq__' in method_names(program.tree):
        # Python's lists and dicts have `!=` of their own.
        scene.kin['__ne__'] = ()
    if any(_stores(node, '__getattr__') for node in all_of(program.tree, ast.Assign)):
        scene.kin['__getattr__'] = ()
    edits = [_in_front(program, list(dict.fromkeys(bases.values())))] if bases else []
    edits += [program.source.replace(base, _STAND_INS[kind]) for base, kind in bases.items()]
    edits += Rewriter(program, _RULES).edits()
    return program.edited([*edits, *_born(program)])


HEIRS = 'builtin.heirs'
"""Among the kin of a session: that it has classes that inherit from builtin types."""


def _bases(node: ast.ClassDef, scene: Scene) -> Iterator[tuple[ast.expr, str]]:
    for base in node.bases:
        kind = _kind(base.value if isinstance(base, ast.Subscript) else base, scene)
        if kind is not None:
            yield base, kind


def _kind(value: ast.expr, scene: Scene) -> str | None:
    if isinstance(value, ast.Name) and value.id in ('list', 'dict') and scene.is_free(value):
        return value.id
    return _IMPORTED.get(scene.member(value) or ('', ''))


def _in_front(program: Program, kinds: Sequence[str]) -> Edit:
    first = next(node for node in program.tree.body if not _must_be_first(node))
    marks = getattr(first, 'decorator_list', [])
    place = program.source.start(marks[0]) - 1 if marks else program.source.start(first)
    return Edit(place, place, ''.join(line + NEW_LINE for kind in kinds for line in _stand_in(kind)))


def _stand_in(kind: str) -> Iterator[str]:
    yield f'class {_STAND_INS[kind]}:'
    for name, place in MEMBERS[kind].items():
        yield f'    {name} = {_piece(place)}'
    if kind == 'OrderedDict':
        yield '    _ordered_ = True'
    if kind != 'list':
        yield '    @classmethod'
        yield f'    def fromkeys(cls, *args): return {_piece(("heirs", "from_keys"))}(cls, *args)'


def _born(program: Program) -> Iterator[Edit]:
    """What is said behind each class that inherits from a builtin type."""
    classes = all_of(program.tree, ast.ClassDef)
    family = Family({node.name: node for node in classes})
    for node in classes:
        kinds = [kind for one in family.line(node) for _, kind in _bases(one, program.scene)]
        if kinds:
            end, indent = program.source.end(node), NEW_LINE + ' ' * node.col_offset
            if len(set(kinds)) > 1:
                raise Refused([refusal(node, f'{node.name} cannot inherit from several builtin types here.')])
            kept = _piece((NATIVES, 'list' if kinds[0] == 'list' else 'dict'))
            yield Edit(end, end, f'{indent}{_piece(("heirs", "born"))}({node.name}, {_STAND_INS[kinds[0]]}, {kept})')


def _refuse(program: Program) -> None:
    """Raises `Refused` for what asks for more than an object that keeps a value."""
    for node in all_of(program.tree, ast.Match):
        if any(isinstance(part, _PATTERNS) for case in node.cases for part in walk(case.pattern)):
            raise Refused(
                [refusal(node.subject, f'A pattern does not know heirs of {_TYPES} here. Ask with isinstance.')]
            )
    heirs = [node for node in all_of(program.tree, ast.ClassDef) if any(True for _ in _bases(node, program.scene))]
    kinds = {kind for node in heirs for _, kind in _bases(node, program.scene)}
    for node in heirs:
        if dataclass_mark(node) is not None:
            raise Refused([refusal(node, f'A dataclass cannot inherit from {_TYPES} here. Write __init__.')])
    for node in all_of(program.tree, ast.Attribute):
        if node.attr == '__dict__' and isinstance(node.ctx, ast.Store):
            said = 'The attributes of an object cannot be replaced here. Write __getattr__, which asks self[name].'
            raise Refused([refusal(node, said)])
    if 'OrderedDict' in kinds:
        for node in all_of(program.tree, ast.Attribute):
            if node.attr in _LINES:
                raise Refused([refusal(node, f'{node.attr} does not tell of OrderedDict here. Ask with isinstance.')])
    copying = next((node for node in _loaded(program.tree) if program.scene.member(node) in _COPYING), None)
    stored = {method.name for node in heirs for method in methods(node)} & _STORING
    if copying is not None and (stored or 'OrderedDict' in kinds):
        said = f'A copy is made with {min(stored | {"__init__"})} of the class, which is not so here.'
        said = f'{said} Write a method that copies.'
        raise Refused([refusal(copying, said)])


def _loaded(tree: ast.Module) -> Iterator[ast.expr]:
    for kind in (ast.Name, ast.Attribute):
        yield from (node for node in all_of(tree, kind) if isinstance(node.ctx, ast.Load))


def _of_type(node: Node, r: Rewriter) -> str | None:
    """`dict.get(self, key)`: the guest's method, which takes heirs, too."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return None
    kind = _kind(node.value, r.scene)
    if kind is None or node.attr not in MEMBERS[kind]:
        return None
    return piece(r, *MEMBERS[kind][node.attr])


def _consumed(node: Node, r: Rewriter) -> str | None:
    """A call of what takes only builtin values: what an heir keeps is given."""
    if not isinstance(node, ast.Call):
        return None
    member = r.scene.member(node.func)
    if member == ('copy', 'copy'):
        return f'{piece(r, "heirs", "unshared")}({r.inside(node)})'
    places = _CONSUMING.get(member or ('', ''), _CONSUMING.get(((member or ('', ''))[0], ''), ()))
    if member is not None:
        return _given(node, r, places) if places else None
    if not isinstance(node.func, ast.Attribute) or r.scene.module(node.func.value) is not None:
        return None
    if node.func.attr == 'format_map' and len(node.args) == 1:
        return f'{piece(r, "heirs", "formatted")}({r.text(node.func.value)}, {r.text(node.args[0])})'
    return _given(node, r, (0,), node.func) if node.func.attr in _METHODS else None


def _given(node: ast.Call, r: Rewriter, places: tuple[int, ...], method: ast.Attribute | None = None) -> str | None:
    if not any(place < len(node.args) and isinstance(node.args[place], _ANYTHING) for place in places):
        return None
    opening = f'{piece(r, "heirs", "plain")}('
    if method is not None and method.attr in method_names(r.source.tree):
        if not is_repeatable(method.value):
            said = f'Classes here have {method.attr}, too: keep the object in a variable, and call its method then.'
            raise Refused([refusal(node, said)])
        opening = f'{piece(r, "heirs", "given")}({r.text(method.value)}, {method.attr!r}, '
    parts = [
        f'{opening}{r.text(part)})' if place in places and isinstance(part, _ANYTHING) else r.text(part)
        for place, part in enumerate(node.args)
    ]
    parts += [f'{word.arg}={r.text(word.value)}' if word.arg else f'**{r.text(word.value)}' for word in node.keywords]
    return f'{r.text(node.func)}({", ".join(parts)})'


def _filled_in(node: Node, r: Rewriter) -> str | None:
    """`'%(name)s' % row`."""
    match node:
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right) if isinstance(right, _ANYTHING):
            keys = list(dict.fromkeys(_KEYS.findall(text.replace('%%', ''))))
            if not keys:
                return None
            return f'{r.text(node.left)} % {piece(r, "heirs", "chosen")}({r.text(right)}, {keys!r})'
        case _:
            return None


def _length(node: Node, r: Rewriter) -> str | None:
    """`key=len`, where nobody calls it by its name."""
    if not isinstance(node, ast.Name) or node.id != 'len' or not isinstance(node.ctx, ast.Load):
        return None
    parent = r.parent(node)
    is_called = isinstance(parent, ast.Call) and parent.func is node
    return piece(r, 'builtins', 'length') if not is_called and r.scene.is_free(node) else None


def _stores(node: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in node.targets)


def _must_be_first(node: ast.stmt) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or (isinstance(node, ast.ImportFrom) and node.module == '__future__')


def _piece(place: tuple[str, str]) -> str:
    module, name = place
    version = guest(module)
    assert version is not None
    return version.prefixed(name)


_TYPES = 'list or dict'
_LINES = ('__mro__', '__bases__')
_COPYING = {('copy', 'copy'), ('copy', 'deepcopy')}
_STORING = frozenset(['append', 'extend', '__setitem__', '__iter__', 'items'])
"""Methods that Python's copies are made with."""
_PATTERNS = (ast.MatchSequence, ast.MatchMapping, ast.MatchClass)
_ANYTHING = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.IfExp, ast.BoolOp, ast.BinOp, ast.Await)
_KEYS = re.compile(r'%\(([^()]*)\)')
_METHODS = frozenset(
    ['update', 'subtract', 'substitute', 'safe_substitute', 'writerow', 'choice', 'choices', 'sample', 'shuffle']
)
"""Methods of builtin types, and of the library's, that take nothing but builtin values."""
_CONSUMING: dict[tuple[str, str], tuple[int, ...]] = {
    ('heapq', ''): (0,),
    ('bisect', ''): (0,),
    ('random', 'choice'): (0,),
    ('random', 'choices'): (0,),
    ('random', 'sample'): (0,),
    ('random', 'shuffle'): (0,),
    ('operator', 'length_hint'): (0,),
    ('collections', 'Counter'): (0,),
    ('collections', 'OrderedDict'): (0,),
    ('collections', 'defaultdict'): (1,),
}
"""Functions that take nothing but builtin values, and which of their arguments these are; '' for the whole module."""
_STAND_INS = {'list': '_List', 'dict': '_Dict', 'OrderedDict': '_OrderedDict'}
_IMPORTED = {
    ('typing', 'List'): 'list',
    ('typing', 'Dict'): 'dict',
    ('typing', 'OrderedDict'): 'OrderedDict',
    ('collections', 'OrderedDict'): 'OrderedDict',
}
_ASKED = ('__len__', '__getitem__', '__delitem__', '__reversed__', '__iadd__', '__imul__', '__ior__', 'keys')
_RULES = Rules({ast.Attribute: (_of_type,), ast.Call: (_consumed,), ast.BinOp: (_filled_in,), ast.Name: (_length,)})
