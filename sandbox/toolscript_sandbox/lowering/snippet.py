"""From what a model sent to a snippet that can run."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.text.fences import unfenced
from toolscript_sandbox.text.names import names_of
from toolscript_sandbox.text.quotes import with_other_quotes
from toolscript_sandbox.text.refusals import Refused
from toolscript_sandbox.text.source import Source

from .attributes import attributes
from .calls import calls
from .classes import flattened
from .entry import with_main_called
from .enums import with_enums
from .expressions import expressions
from .generators import collected
from .guest_modules import guest
from .imports import scene_of
from .offered import unoffered
from .own_errors import with_own_errors
from .result import named_result
from .rewriter import Rewriter
from .statements import statements
from .turns import with_turns


@dataclass(frozen=True)
class Snippet:
    """Code that is ready to be checked and run."""

    text: str
    """What the model wrote, without what stood around it."""
    code: str
    """What runs."""
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
    flattened: bool = False
    """Whether its classes were taken out of their inheritance."""
    spawns: bool = False
    """Whether it starts calls without waiting for them."""

    def line(self, number: int) -> int:
        """The model's number of a line of the code."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else number


def prepared(
    text: str,
    functions: Functions,
    known: frozenset[str],
    modules: Mapping[str, str],
    defined: frozenset[str] = frozenset(),
) -> Snippet:
    """The snippet, repaired.

    Raises `SyntaxError` (or `ValueError`) for what is no Python, `Refused` for what cannot be had here.

    `known` are the variables that it finds, `modules` those of them that are modules, `defined` those and its functions
    and classes.
    """
    text, unwrapped = unfenced(text)
    source, rescued = _parsed(text)
    tree = source.tree
    scene = scene_of(tree, functions, known, defined, dict(modules))
    for note in (unwrapped, rescued):
        if note:
            scene.note(note)
    refused = unoffered(tree, scene)
    if refused:
        raise Refused(refused)
    source = with_main_called(source, scene)
    source = _checked(with_turns(source, scene), source)
    source = _checked(collected(source, scene), source)
    source = _checked(with_enums(source, scene), source)
    source = _checked(with_own_errors(source, scene), source)
    source = _checked(flattened(source, scene), source)
    source = _checked(Rewriter(source, scene, (calls, attributes, expressions, statements)).rewritten(), source)
    names = names_of(tree)
    named, name = named_result(source, names.bound | known | names.used)
    source, name = (named, name) if _parses(named) else (source, None)
    code, lines = source.numbered()
    final = names_of(source.tree)
    return Snippet(
        text=text,
        code=code,
        lines=lines,
        repairs=tuple(scene.notes),
        name=name,
        used=names.used,
        computed=names.computed,
        helpers=final.computed - names.used,
        bound=final.bound,
        defined=names.defined,
        hosts=frozenset(scene.hosts),
        imports=tuple(scene.imports),
        pieces=tuple(sorted(scene.pieces)),
        modules=scene.modules,
        flattened=scene.flattened,
        spawns=scene.spawns,
    )


def variables_of(text: str) -> frozenset[str]:
    """The variables that a snippet sets, functions and imports among them; none where the text is no Python."""
    try:
        return names_of(_parsed(text)[0].tree).bound
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def prelude(snippet: Snippet, missing: frozenset[str]) -> str:
    """What must have run before the snippet, where of its guest modules these are missing."""
    sources = [version.code for piece in sorted(missing) if (version := guest(piece)) is not None]
    return '\n'.join([*snippet.imports, *sources])


def _parsed(text: str) -> tuple[Source, str | None]:
    source = Source(text)
    try:
        _ = source.tree
    except SyntaxError:
        for change, note in _RESCUES:
            if _parses(other := Source(change(text))):
                return other, note
        raise
    return source, None


_RESCUES = (
    (with_other_quotes, 'Changed quotes inside an f-string.'),
    (textwrap.dedent, 'Took away indentation.'),
)


def _checked(source: Source, before: Source) -> Source:
    # A repair that makes no sense of the code must not make it worse.
    return source if _parses(source) else before


def _parses(source: Source) -> bool:
    try:
        return bool(source.tree)
    except (SyntaxError, ValueError):
        return False
