"""From what a model sent to a script that Monty runs: read, analysed, validated, transformed, written, linked."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from .contract.functions import Functions
from .language.analysis import Analysis, Session, analysed
from .language.validator import refusals
from .language.waiting import deadline_refusals
from .polyfills import linker
from .text.fences import unfenced
from .text.names import names_of
from .text.quotes import with_other_quotes
from .text.refusals import Refused
from .text.source import Source
from .text.syntax import module_of, uncollected
from .transforms.features import FEATURES
from .transforms.fixes import fixed
from .transforms.result import with_result
from .transforms.tasks import uses_tasks
from .transforms.transform import Context
from .transforms.writer import write


@dataclass(frozen=True)
class Code:
    """Text that was made of what a model wrote."""

    text: str
    lines: tuple[int, ...] = ()
    """For each line, its number in the model's text; empty where that is its place."""

    def line(self, number: int) -> int:
        """The model's number of a line."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else number


@dataclass(frozen=True)
class Snippet:
    """A script that is ready to be checked and run."""

    text: str
    """What the model wrote, without what stood around it."""
    code: str
    """What runs."""
    checked: Code = Code('')
    """What is checked before: the text with its fixes."""
    lines: tuple[int, ...] = ()
    """For each line of `code`, its number in `text`; empty where that is its place."""
    repairs: tuple[str, ...] = ()
    """What was changed, a sentence each."""
    name: str | None = None
    """The variable that will hold the result."""
    used: frozenset[str] = frozenset()
    """Names that it reads."""
    computed: frozenset[str] = frozenset()
    """Those of them that it reads outside annotations."""
    bound: frozenset[str] = frozenset()
    """Names that it binds for the next scripts."""
    defined: frozenset[str] = frozenset()
    """Those of them that are functions, classes and modules."""
    imports: tuple[str, ...] = ()
    """Imports that it lacks: statements to run before it."""
    hosts: frozenset[str] = frozenset()
    """Host functions that it calls although variables hide them."""
    pieces: tuple[str, ...] = ()
    """Polyfills that it needs, in the order in which they are loaded."""
    meanings: Mapping[str, str] = field(default_factory=dict[str, str])
    """What imported names mean, of it and of earlier scripts."""
    facts: frozenset[str] = frozenset()
    """What transforms noted, of it and of earlier scripts."""
    tasks: bool = False
    """Whether it runs with the polyfill of asyncio's tasks."""
    interleaves: bool = False
    """Whether coroutines of its own may wait side by side."""

    def line(self, number: int) -> int:
        """The model's number of a line of the code that runs."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else number


_NEW = Session()


@uncollected()
def prepared(
    text: str, functions: Functions, session: Session = _NEW, *, ordered: bool = False, has_files: bool = False
) -> Snippet:
    """The script, ready to be checked and run. `ordered`: it may be replayed, and must then do the same.

    Raises `SyntaxError` (or `ValueError` for null bytes) for what is no Python, `Refused` for what the dialect lacks.
    """
    text, unwrapped = unfenced(text)
    source, rescued = _parsed(text)
    tree = module_of(source.text)
    analysis = analysed(source.text, tree, functions, session, has_files=has_files)
    context = Context(analysis, uses_tasks=uses_tasks(analysis))
    for note in (unwrapped, rescued):
        if note:
            context.fixed(note)
    refused = [*refusals(analysis), *(deadline_refusals(analysis) if ordered else ())]
    if refused:
        raise Refused(refused)
    names = analysis.names
    tree = fixed(tree, context)
    name = with_result(tree, names.bound | session.variables | names.used)
    checked = write(tree, source.text)
    for feature in FEATURES:
        if feature.needed(analysis):
            tree = feature.apply(tree, context)
    written = write(tree, source.text, context.patches)
    imports = [ast.unparse(node) for node in analysis.forgotten]
    needed = linker.needed_by(written.text)
    result = frozenset[str]() if name is None else frozenset([name])
    return Snippet(
        text=text,
        code=written.text,
        checked=Code(checked.text, checked.lines),
        lines=written.lines,
        repairs=tuple(context.fixes),
        name=name,
        used=names.used | result | {f'_host_{hidden}' for hidden in context.hidden},
        computed=names.computed | result,
        bound=names.bound | (result - names.used),
        defined=names.defined,
        imports=tuple(imports),
        hosts=frozenset(context.hidden),
        pieces=linker.in_order(needed),
        meanings={name: dotted for name, dotted in analysis.meanings.items() if _still_means(name, analysis)},
        facts=session.facts | context.facts,
        tasks=context.uses_tasks,
        interleaves=context.uses_tasks
        or ast.AsyncFunctionDef in analysis.kinds
        or bool(names.used & session.callables),
    )


def _still_means(name: str, analysis: Analysis) -> bool:
    """Whether the next script finds the import under the name: nothing else was assigned to it."""
    nodes = analysis.scopes.module.bound.get(name, [])
    return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in nodes)


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
    (textwrap.dedent, 'Removed indentation.'),
)


def variables_of(text: str) -> frozenset[str]:
    """The variables that a script sets, functions and imports among them; none where the text is no Python."""
    try:
        return names_of(_parsed(text)[0].tree).bound
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def prelude(snippet: Snippet, loaded: frozenset[str]) -> str:
    """What must run before the script, in a session that has loaded these polyfills."""
    missing = [piece for piece in snippet.pieces if piece not in loaded]
    return '\n'.join([*snippet.imports, *([linker.code_of(missing)] if missing else [])])
