"""Imports point only to earlier layers, and to public names of others."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

_REPOSITORY = Path(__file__).parent.parent
_SOURCES = [_REPOSITORY / folder for folder in ('signatures', 'sandbox', 'src')]


def test_signatures_import_neither_an_agent_nor_a_sandbox() -> None:
    loaded = _modules_after_importing('toolscript_signatures')
    assert loaded.isdisjoint({'toolscript', 'toolscript_sandbox', 'pydantic_ai', 'pydantic_monty'})


def test_the_sandbox_imports_neither_an_agent_nor_signatures() -> None:
    loaded = _modules_after_importing('toolscript_sandbox')
    assert loaded.isdisjoint({'toolscript', 'toolscript_signatures', 'pydantic_ai'})


def test_only_the_sandbox_imports_monty() -> None:
    knowing = {folder.name for folder in _SOURCES for _, name in _imports(folder) if name.startswith('pydantic_monty')}
    assert knowing == {'sandbox'}


def test_building_code_mode_loads_only_settings_and_the_first_run_loads_the_rest() -> None:
    imported, built, ran, _ = _loaded()
    inside = {name for name in built if name.startswith('toolscript') and name.count('.') == 2}
    packages = {name.split('.')[1] for name in inside if name.startswith('toolscript.')}
    assert packages == {'discovery', 'durability', 'mcp', 'observability', 'results', 'routing', 'stores'}
    assert {name for name in inside if name.startswith('toolscript_sandbox.') and '.contract.' not in name} == {
        'toolscript_sandbox.event_loop.loop_turns'
    }
    assert (imported | built).isdisjoint(
        {'pydantic_monty', 'toolscript_signatures', 'toolscript.search', *_CALCULATING}
    )
    assert ran >= {'pydantic_monty', 'toolscript.scripts.script', 'toolscript_sandbox.session'}
    assert ran.isdisjoint({*_ON_DEMAND, *_CALCULATING})


def test_scripts_without_flow_rules_plans_and_undo_load_nothing_of_them() -> None:
    # The module of the links is imported where they are added.
    assert 'toolscript.scripts.chain' in _loaded()[-1]
    unused = ('toolscript.flows', 'toolscript.scripts.flowed', 'toolscript.plans', 'toolscript.undo')
    assert not [name for name in _loaded()[-1] if name.startswith(unused)]


_ON_DEMAND = {
    'toolscript.scripts.speculation',
    'toolscript.search',
    'toolscript.sessions',
    'toolscript_sandbox.replay',
    'toolscript_sandbox.speculation',
    'toolscript_sandbox.steps',
}
_CALCULATING = {'numpy', 'rank_bm25', 'rapidfuzz', 'regex', 'sqlite3'}
_IMPORT_AND_BUILD = """
import gc, sys
from toolscript import CodeMode, CodeModeToolset
assert gc.isenabled()
print(*sys.modules)
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel
from pydantic_ai.toolsets import FunctionToolset
toolset = CodeModeToolset(FunctionToolset())
Agent(TestModel(), capabilities=[CodeMode()])
print(*sys.modules)
Agent(TestModel(), toolsets=[toolset]).run_sync('Nothing to do.')
print(*sys.modules)
from toolscript.testing import script_model
def echo(n: int) -> int:
    return n
toolset = CodeModeToolset(FunctionToolset([echo]))
assert Agent(script_model('await echo(n=1)'), toolsets=[toolset]).run_sync('Go.').output == '1'
print(*sys.modules)
"""


@cache
def _loaded() -> list[set[str]]:
    """Return the modules that a fresh interpreter has loaded after importing code mode, building a toolset, a run, and a script."""
    done = subprocess.run([sys.executable, '-c', _IMPORT_AND_BUILD], capture_output=True, text=True, check=True)
    return [set(line.split()) for line in done.stdout.splitlines()]


def test_programs_without_the_command_never_load_it() -> None:
    assert _loaded()[0].isdisjoint({'typer', 'dotenv', 'toolscript.cli'})


def test_nothing_imports_private_names_of_pydantic_ai() -> None:
    imports = [found for folder in _SOURCES for found in _imports(folder)]
    assert [(file, name) for file, name in imports if name.startswith('pydantic_ai') and '._' in name] == []
    assert any(name.startswith('pydantic_ai') for _, name in imports)


@pytest.mark.parametrize('folder', ['signatures', 'sandbox', 'src', 'demo', 'evals', 'examples'])
def test_only_the_provider_servers_of_evals_are_imported_from_tests(folder: str) -> None:
    found = [(file, name) for file, name in _imports(_REPOSITORY / folder) if name.startswith('tests.')]
    assert [(file, name) for file, name in found if folder != 'evals' or not name.startswith('tests.providers.')] == []


def _imports(folder: Path) -> Iterator[tuple[str, str]]:
    """Each import below the folder: the file, and the dotted name of what is imported."""
    for file in sorted(folder.rglob('*.py')):
        yield from ((file.name, name) for name in _imports_of(file))


@cache
def _imports_of(file: Path) -> list[str]:
    imports = list[str]()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            imports += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = file.relative_to(_REPOSITORY).parts[1 : -node.level] if node.level else ()
            module = '.'.join([*package, *([node.module] if node.module else [])])
            imports += [f'{module}.{alias.name}' for alias in node.names]
    return imports


_IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):
    if not module.name.endswith('.__main__'):
        importlib.import_module(module.name)
print(*{name.partition('.')[0] for name in sys.modules})
"""


def _modules_after_importing(package: str) -> set[str]:
    """Return the top-level modules that a fresh interpreter has loaded after importing every module of the package."""
    command = [sys.executable, '-c', _IMPORT_ALL, package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


_LAYERS = {
    source: names.split()
    for source, names in {
        'signatures/toolscript_signatures': 'types schemas render catalog',
        'sandbox/toolscript_sandbox': (
            'contract language polyfills transforms checking event_loop workers host_library serialization mounts '
            'messages speculation execution'
        ),
        'src/toolscript': (
            'search observability results routing catalog discovery run_code stores approvals durability sessions '
            'flows scripts plans undoing mcp history'
        ),
    }.items()
}
_FOR_ALL = {'src/toolscript': {'checks', 'guards', 'mistakes', 'stored_json', 'workflows'}}
"""Modules beside the layers that every layer may import."""


@pytest.mark.parametrize(
    ('source', 'layer'), [(source, layer) for source, layers in _LAYERS.items() for layer in layers]
)
def test_a_layer_imports_only_earlier_layers(source: str, layer: str) -> None:
    layers = _LAYERS[source]
    assert _looks_at(source, _REPOSITORY / source / layer) <= {
        *layers[: layers.index(layer) + 1],
        *_FOR_ALL.get(source, ()),
    }


@pytest.mark.parametrize(
    ('source', 'module'), [(source, module) for source, modules in _FOR_ALL.items() for module in sorted(modules)]
)
def test_shared_modules_import_no_layer(source: str, module: str) -> None:
    assert _looks_at(source, _REPOSITORY / source / f'{module}.py').isdisjoint(_LAYERS[source])


def _looks_at(source: str, place: Path) -> set[str]:
    """The layers of the source, and modules beside them, that a file or the files of a folder import."""
    package = '.'.join(Path(source).parts[1:]) + '.'
    imports = list(_imports(place)) if place.is_dir() else [(place.name, name) for name in _imports_of(place)]
    return {name.removeprefix(package).split('.')[0] for _, name in imports if name.startswith(package)}


@pytest.mark.parametrize('source', _LAYERS)
def test_every_layer_is_in_the_order(source: str) -> None:
    layers = {file.parent.name for file in (_REPOSITORY / source).glob('*/__init__.py')}
    assert layers <= {*_LAYERS[source], 'testing', 'serve', 'cli'}
