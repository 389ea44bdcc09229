"""One walk that refuses what the table of the dialect does not list, before anything runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from toolscript_sandbox.text.refusals import Refusal, refusal

from .analysis import Analysis
from .dialect import ADVICE, BUILTINS, MODULES, SYNTAX, Names
from .waiting import waiting_refusals


def refusals(analysis: Analysis) -> list[Refusal]:
    """What the script may not do, with what to write instead, in the order of the text."""
    found = [
        *_syntax(analysis),
        *_imports(analysis),
        *_names(analysis),
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
    for node in analysis.all(ast.ImportFrom):
        module = 'typing' if node.module == 'typing_extensions' else node.module or ''
        if module not in MODULES or node in ready:
            continue
        for alias in node.names:
            dotted = f'{module}.{alias.name}'
            if dotted not in MODULES and alias.name != '*' and analysis.functions.get(alias.name) is None:
                yield from _lacking(alias, module, alias.name, MODULES[module])


def _names(analysis: Analysis) -> Iterator[Refusal]:
    ready = _tried(analysis)
    for node in analysis.all(ast.Attribute):
        whole = getattr(node.value, 'means', None)
        if whole in MODULES and node not in ready and f'{whole}.{node.attr}' not in MODULES:
            yield from _lacking(node, whole, node.attr, MODULES[whole])
    for node in analysis.all(ast.Name):
        dotted = getattr(node, 'means', None)
        if dotted is not None and dotted.startswith('builtins.') and node not in ready:
            advice = BUILTINS.refused.get(node.id)
            if advice is not None:
                yield refusal(node, f'There is no {node.id} here. {advice}'.rstrip())


def _lacking(node: ast.expr | ast.alias, module: str, name: str, names: Names) -> Iterator[Refusal]:
    if name in names.providers or name.startswith('__'):
        return
    yield refusal(node, about_lacking(module, name, names))


def about_lacking(module: str, name: str, names: Names) -> str:
    """What to say of a name that a module does not have here."""
    said = f'There is no {module}.{name} here.'
    if name in names.refused:
        return f'{said} {names.refused[name]}'
    offered = sorted(names.providers)
    return f'{said} {module} has: {", ".join(offered[:_SHOWN])}{", ..." if len(offered) > _SHOWN else "."}'


def about_module(module: str) -> str:
    """What to say of a module that is not here."""
    said = f'There is no module {module} here.'
    return f'{said} {ADVICE[module]}' if module in ADVICE else said


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
_SHOWN = 40
