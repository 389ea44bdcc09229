"""Prepares a model's script for Monty: parses, analyzes, validates, transforms, writes and links it."""

import ast
import textwrap
from contextlib import suppress

from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.language.analysis import Analysis, SessionFacts, analysed
from toolscript_sandbox.language.dialect import MODULES
from toolscript_sandbox.language.fences import unfenced, with_other_quotes
from toolscript_sandbox.language.names import names_of, polyfill
from toolscript_sandbox.language.refusals import Refused
from toolscript_sandbox.language.snippet import Snippet
from toolscript_sandbox.language.syntax import module_of, uncollected
from toolscript_sandbox.language.validator import refusals
from toolscript_sandbox.polyfills import linker

from .assignments import Assignments
from .calls import ToolCalls
from .class_table import class_refusals
from .classes import Classes
from .closing import Closing
from .comparisons import Comparisons, Keys
from .comprehension_names import ComprehensionNames
from .contexts import Contexts
from .exceptions import Exceptions
from .fixes import fixed
from .generators import Generators
from .iteration import Iteration
from .methods import Methods
from .patterns import Patterns
from .provided_names import ProvidedNames
from .result import with_result
from .tasks import LaterTasks, SettledGather, Tasks, uses_tasks
from .transform import Context, Transform
from .writer import write
from .zones import Zones

FEATURES: tuple[type[Transform], ...] = (
    ComprehensionNames,
    Keys,
    ToolCalls,
    Closing,
    Iteration,
    Contexts,
    Patterns,
    Exceptions,
    SettledGather,
    LaterTasks,
    Tasks,
    Classes,
    Zones,
    Methods,
    ProvidedNames,
    Assignments,
    Comparisons,
    Generators,
)
"""The transforms in the order in which they run. Each names those that must run before it (`after`)."""
_NEW = SessionFacts()


@uncollected()
def prepared(text: str, functions: Functions, session: SessionFacts = _NEW, *, has_files: bool = False) -> Snippet:
    """Return the script, ready to be checked and run.

    Raises `SyntaxError` (or `ValueError` for null bytes) for invalid Python, `Refused` for what the dialect lacks.
    """
    text, unwrapped = unfenced(text)
    source, tree, rescued = _parsed(text)
    analysis = analysed(source, tree, functions, session, has_files=has_files)
    context = Context(analysis, uses_tasks=uses_tasks(analysis))
    for note in (unwrapped, rescued):
        if note:
            context.fixed(note)
    refused = [*refusals(analysis), *class_refusals(analysis)]
    if refused:
        raise Refused(sorted(refused, key=lambda one: (one.line, one.column)))
    names = analysis.names
    tree = fixed(tree, context)
    name = with_result(tree, names.bound | session.variables | names.used)
    checked = write(tree, source)
    features = [feature for feature in FEATURES if feature.needed(analysis)]
    for feature in features:
        tree = feature(context).applied(tree)
    written = write(tree, source, context.patches) if features or context.patches else checked
    imports = [ast.unparse(node) for node in analysis.forgotten]
    needed = linker.needed_by(written.text)
    if any(polyfill(linker.NATIVES, name) in linker.natives() for name in names.bound):
        # Polyfills of later scripts also need the builtins of these names.
        needed |= linker.natives()
    result = frozenset[str]() if name is None else frozenset([name])
    return Snippet(
        text=text,
        code=written,
        checked=checked,
        fixes=tuple(context.fixes),
        name=name,
        used=names.used | result | {f'_host_{hidden}' for hidden in context.hidden},
        computed=names.computed | result,
        bound=names.bound | (result - names.used),
        defined=names.defined,
        imports=tuple(imports),
        hosts=frozenset(context.hidden),
        polyfills=linker.in_order(needed),
        meanings={name: dotted for name, dotted in analysis.meanings.items() if _still_means(name, analysis)},
        facts=session.facts | context.facts,
        tasks=context.uses_tasks,
        interleaves=context.uses_tasks
        or ast.AsyncFunctionDef in analysis.kinds
        or bool((names.used & session.callables) - analysis.meanings.keys()),
    )


def _still_means(name: str, analysis: Analysis) -> bool:
    """Return whether the name still refers to the import after the script: nothing else was assigned to it."""
    nodes = analysis.scopes.module.bound.get(name, [])
    return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in nodes)


def _parsed(text: str) -> tuple[str, ast.Module, str | None]:
    try:
        return text, module_of(text), None
    except SyntaxError:
        for change, note in _RESCUES:
            other = change(text)
            with suppress(SyntaxError, ValueError):
                return other, module_of(other), note
        raise


_RESCUES = ((with_other_quotes, 'Changed quotes inside an f-string.'), (textwrap.dedent, 'Removed indentation.'))


def variables_of(text: str) -> frozenset[str]:
    """Return the variables that a script sets, including functions and imports; none if the text is not Python."""
    try:
        return names_of(_parsed(text)[1]).bound
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def _is_native(statement: str) -> bool:
    """Return whether Monty has the module of an added import; for others a polyfill is loaded."""
    word, _, module = statement.partition(' ')
    return word != 'import' or module not in MODULES or bool(MODULES[module].monty)


def prelude(snippet: Snippet, loaded: frozenset[str]) -> str:
    """Return the code that must run before the script in a session that has loaded these polyfills."""
    missing = [name for name in snippet.polyfills if name not in loaded]
    imports = [one for one in snippet.imports if _is_native(one)]
    return '\n'.join([*imports, *([linker.code_of(missing)] if missing else [])])
