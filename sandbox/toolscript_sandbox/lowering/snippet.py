"""From what a model sent to a snippet that can run."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.text.fences import unfenced
from toolscript_sandbox.text.names import Names, names_of
from toolscript_sandbox.text.quotes import with_other_quotes
from toolscript_sandbox.text.refusals import Refusal, Refused
from toolscript_sandbox.text.source import Source
from toolscript_sandbox.text.syntax import all_of, uncollected

from .classes.variables import NAMESPACES
from .guest_modules import ASKED_OF_GUESTS, NATIVES, guest, native_names, with_needs
from .names.imports import imported_modules, scene_of
from .names.result import named_result
from .names.stars import with_named_stars
from .names.unused_imports import without_unused_imports
from .parts import BYTE_ARRAYS
from .passes import LOWERINGS, REPAIRS, Pass, marks_of
from .program import Program
from .refusals.offered import unoffered
from .refusals.unvouched import unvouched
from .rules.comparators import keeps_keys, order_of_keys
from .rules.task_limits import unkept_of_tasks
from .rules.tasks import needs_tasks
from .values.set_order import SETS
from .values.shown_values import ORDERED

_OF_VALUES = frozenset([NAMESPACES, ORDERED, SETS])
"""Kin of a session that are no classes."""


@dataclass(frozen=True)
class Code:
    """Text that was made of what a model wrote."""

    text: str
    lines: tuple[int, ...] = ()
    """For each line, its number in the model's text; empty where that is its place."""

    def line(self, number: int) -> int:
        """The model's number of a line."""
        return _numbered(self.lines, number)


def _numbered(lines: tuple[int, ...], number: int) -> int:
    return lines[number - 1] if 0 < number <= len(lines) else number


@dataclass(frozen=True)
class Snippet:
    """Code that is ready to be checked and run."""

    text: str
    """What the model wrote, without what stood around it."""
    code: str
    """What runs."""
    checked: Code = Code('')
    """What is checked before: the text as it was meant, in the whole of Python."""
    lines: tuple[int, ...] = ()
    """For each line of `code`, its number in `text`."""
    repairs: tuple[str, ...] = ()
    """What was changed, a sentence each."""
    name: str | None = None
    """Variable that will hold the result."""
    used: frozenset[str] = frozenset()
    """Names that it reads."""
    computed: frozenset[str] = frozenset()
    """Those of them that it reads outside annotations."""
    helpers: frozenset[str] = frozenset()
    """Names that the repairs read."""
    bound: frozenset[str] = frozenset()
    """Names that it binds for the next snippets."""
    imports: tuple[str, ...] = ()
    """Statements to run before it."""
    defined: frozenset[str] = frozenset()
    """Those of them that are functions, classes and modules."""
    hosts: frozenset[str] = frozenset()
    """Host functions that it calls though variables hide them."""
    pieces: tuple[str, ...] = ()
    """Guest modules that it needs."""
    modules: Mapping[str, str] = field(default_factory=dict[str, str])
    """Modules that it and earlier ones imported, by the names they gave them."""
    kin: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The heirs of classes that it and earlier ones defined; as names behind a dot, their properties."""
    flattened: bool = False
    """Whether its classes, or those of earlier snippets, were taken out of their inheritance."""
    tasks: bool = False
    """Whether it runs with the guest's `asyncio`."""
    interleaves: bool = False
    """Whether coroutines of its own may wait side by side."""

    def line(self, number: int) -> int:
        """The model's number of a line of the code that runs."""
        return _numbered(self.lines, number)


@uncollected()
def prepared(
    text: str,
    functions: Functions,
    known: frozenset[str],
    modules: Mapping[str, str],
    defined: frozenset[str] = frozenset(),
    loaded: frozenset[str] = frozenset(),
    kin: Mapping[str, tuple[str, ...]] | None = None,
    *,
    ordered: bool = False,
    has_files: bool = False,
) -> Snippet:
    """The snippet, repaired.

    Raises `SyntaxError` (or `ValueError`) for what is no Python, `Refused` for what cannot be had here.

    `known` are the variables that it finds, `modules` those of them that are modules, `defined` those and its functions
    and classes, `loaded` the guest modules that the session has,
    `kin` the heirs of classes (and properties) of earlier snippets. `ordered` says that it may be replayed,
    `has_files` that there are folders that it sees.
    """
    text, unwrapped = unfenced(text)
    source, rescued = _parsed(text)
    source, left_out = without_unused_imports(with_named_stars(source))
    tree = source.tree
    scene = scene_of(tree, functions, known, defined, dict(modules))
    scene.has_files = has_files
    scene.kin = {name: heirs for name, heirs in (kin or {}).items() if name not in scene.names.bound}
    imported = imported_modules(tree)
    scene.kin.update({name: () for module in imported for name in ASKED_OF_GUESTS.get(module, ())})
    if 'bytearray' in names_of(tree).used:
        scene.kin.update(dict.fromkeys([BYTE_ARRAYS, '__bool__', '__len__', '__delitem__', '__getitem__'], ()))
    if 'functools' in imported and keeps_keys(tree, scene):
        scene.kin.update(order_of_keys())
    for note in (unwrapped, rescued, *left_out):
        if note:
            scene.note(note)
    missing = unoffered(tree, scene) or unvouched(tree, scene)
    if missing:
        raise Refused(missing)
    scene.tasks = needs_tasks(tree, scene, loaded)
    unkept = unkept_of_tasks(tree, scene, ordered=ordered)
    if unkept:
        raise Refused(unkept)
    scene.errors = 'errors' in loaded or 'errors' in with_needs(imported)
    scene.zones = 'zoneinfo' in loaded or 'zoneinfo' in imported
    names = names_of(tree)
    # What meant a module before does so no longer for the next snippet.
    given = names.bound - scene.scopes.imported
    if not (names.bound | known).isdisjoint(native_names()):
        scene.pieces.add(NATIVES)
    repaired, taken = _lowered(Program(source, scene), REPAIRS), names.bound | known | names.used
    program, name = named_result(repaired, taken)
    scene.result = name
    checked, run = program.source, _lowered(program, LOWERINGS).source
    final = _with(names, name, taken) if repaired.source is source else names_of(checked.tree)
    return Snippet(
        text=text,
        checked=Code(checked.text, checked.numbers),
        code=run.text,
        lines=run.numbers,
        repairs=tuple(scene.notes),
        name=name,
        used=names.used,
        computed=names.computed,
        helpers=final.computed - names.used,
        bound=final.bound,
        defined=names.defined,
        hosts=frozenset(scene.hosts),
        imports=tuple(scene.imports),
        pieces=with_needs(scene.pieces),
        modules={name: module for name, module in scene.modules.items() if name not in given},
        kin=scene.kin,
        flattened=scene.flattened or bool(scene.kin.keys() - _OF_VALUES),
        tasks=scene.tasks,
        # No module has coroutines of the session's own.
        interleaves=scene.tasks or _interleaves(tree, (names.used & defined) - modules.keys()),
    )


def _with(names: Names, result: str | None, taken: Container[str]) -> Names:
    """The names of a snippet of which nothing changed but that it keeps and reads its result."""
    read = frozenset[str]() if result is None else frozenset([result])
    bound = frozenset(name for name in read if name not in taken)
    return replace(names, computed=names.computed | read, bound=names.bound | bound)


def _lowered(program: Program, passes: Sequence[Pass]) -> Program:
    marks, kin = marks_of(program), program.scene.kin.keys()
    for one in passes:
        if one.marks and not (one.marks & marks or one.marks & kin):
            continue
        try:
            lowered = one.lowering(program)
        except Refused as refused:
            raise Refused([_in_text(refusal, program.source) for refusal in refused.refusals]) from None
        if lowered is not program:
            program, marks = lowered, marks_of(lowered)
    return program


def _in_text(refusal: Refusal, source: Source) -> Refusal:
    return replace(refusal, line=source.number(refusal.line))


def _interleaves(tree: ast.Module, reused: frozenset[str]) -> bool:
    """Whether coroutines may run side by side. `reused` are functions of earlier snippets."""
    return bool(reused) or bool(all_of(tree, ast.AsyncFunctionDef))


def variables_of(text: str) -> frozenset[str]:
    """The variables that a snippet sets, functions and imports among them; none where the text is no Python."""
    try:
        return names_of(_parsed(text)[0].tree).bound
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def prelude(snippet: Snippet, missing: frozenset[str]) -> str:
    """What must have run before the snippet, where of its guest modules these are missing."""
    return '\n'.join([*snippet.imports, code_of_pieces(missing)])


def code_of_pieces(missing: frozenset[str]) -> str:
    """What gives a session these guest modules."""
    ordered = [piece for piece in with_needs(missing) if piece in missing]
    return '\n'.join(version.code for piece in ordered if (version := guest(piece)) is not None)


def _parsed(text: str) -> tuple[Source, str | None]:
    source = Source(text)
    try:
        _ = source.tree
    except SyntaxError:
        for change, note in _RESCUES:
            if (other := Source(change(text))).is_python:
                return other, note
        raise
    return source, None


_RESCUES = (
    (with_other_quotes, 'Changed quotes inside an f-string.'),
    (textwrap.dedent, 'Took away indentation.'),
)
