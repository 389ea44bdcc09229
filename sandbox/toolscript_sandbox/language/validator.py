"""One walk that refuses what the table of the dialect does not list, before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.text.refusals import Refusal, refusal

from .advice import about_member
from .analysis import Analysis
from .dialect import BUILTINS, FILES, MODULES, SYNTAX, names_of_module
from .files import file_refusals
from .waiting import waiting_refusals


def refusals(analysis: Analysis) -> list[Refusal]:
    """What the script may not do, with what to write instead, in the order of the text."""
    found = [
        *_syntax(analysis),
        *_imports(analysis),
        *_names(analysis),
        *file_refusals(analysis),
        *waiting_refusals(analysis),
    ]
    return sorted(found, key=lambda one: (one.line, one.column))


def _syntax(analysis: Analysis) -> Iterator[Refusal]:
    for kind, advice in SYNTAX.items():
        for node in analysis.all(kind):
            if isinstance(node, (ast.expr, ast.stmt)):
                yield refusal(node, advice)


def _imports(analysis: Analysis) -> Iterator[Refusal]:
    """Modules are left to Monty, whose error a script may handle; names of known modules are refused."""
    ready = _tried(analysis)
    for alias in analysis.all(ast.alias) if analysis.has_files else ():
        above = analysis.index.parents[alias]
        module = above.module or '' if isinstance(above, ast.ImportFrom) else alias.name
        if module in FILES and module not in MODULES:
            yield refusal(alias, f'There is no module {module} here. {FILES[module].refused["*"]}')
    for node in analysis.all(ast.ImportFrom):
        module = 'typing' if node.module == 'typing_extensions' else node.module or ''
        if module not in MODULES or node in ready:
            continue
        for alias in node.names:
            dotted = f'{module}.{alias.name}'
            if dotted not in MODULES and alias.name != '*' and analysis.functions.get(alias.name) is None:
                yield from _lacking(alias, module, alias.name, analysis)


def _names(analysis: Analysis) -> Iterator[Refusal]:
    ready = _tried(analysis)
    for node in analysis.all(ast.Attribute):
        whole: str = getattr(node.value, 'means', None) or ''
        if whole in MODULES and node not in ready and f'{whole}.{node.attr}' not in MODULES:
            yield from _lacking(node, whole, node.attr, analysis)
    for node in analysis.all(ast.Name):
        dotted = getattr(node, 'means', None)
        if dotted is not None and dotted.startswith('builtins.') and node not in ready:
            advice = BUILTINS.refused.get(node.id)
            if advice is not None:
                yield refusal(node, f'There is no {node.id} here. {advice}'.rstrip())


def _lacking(node: ast.expr | ast.alias, module: str, name: str, analysis: Analysis) -> Iterator[Refusal]:
    offered = names_of_module(module, has_files=analysis.has_files).providers
    if name not in offered and not name.startswith('__'):
        yield refusal(node, about_member(module, name, has_files=analysis.has_files))


def _tried(analysis: Analysis) -> set[ast.AST]:
    """What stands in a `try` that handles a missing name: the script asks what there is."""
    found = set[ast.AST]()
    for node in analysis.all(ast.Try):
        kinds = [handler.type for handler in node.handlers]
        named = {part.id for kind in kinds if kind is not None for part in ast.walk(kind) if isinstance(part, ast.Name)}
        if None in kinds or named & _HANDLED:
            found.update(part for statement in node.body for part in ast.walk(statement))
    return found


_HANDLED = frozenset(['ImportError', 'ModuleNotFoundError', 'AttributeError', 'Exception'])
