"""An attribute of somebody's module."""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import cast

from pydantic_ai.agent import AbstractAgent
from pydantic_ai.toolsets import AbstractToolset

from toolscript.mcp.mistakes import TargetError


def load_object(module: str, attribute: str, text: str) -> object:
    """What `module:attribute` names; modules are looked for in the current folder too, and `path/to/file.py` is one.

    Raises:
        TargetError: There is no such module or attribute, or the module cannot be imported.
    """
    loaded = _loaded(module, text)
    found: object = loaded
    for step in attribute.split('.'):
        if not hasattr(found, step):
            raise TargetError(text, [f'{module} has no {attribute!r}. {_what_there_is(loaded)}'])
        found = getattr(found, step)
    return found


def _loaded(module: str, text: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return _from_file(Path(module)) if module.endswith('.py') else importlib.import_module(module)
    except FileNotFoundError as error:
        raise TargetError(text, [f'there is no file {module}.']) from error
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(f'{error.name}.')):
            advice = f'there is no module {error.name!r}. It is looked for in {here} and among what is installed.'
            raise TargetError(text, [advice]) from error
        raise TargetError(text, [f'importing {module} failed: {error}. Install what it needs.']) from error
    except Exception as error:
        # Somebody's module may raise whatever it likes.
        raise TargetError(text, [f'importing {module} failed with {type(error).__name__}: {error}']) from error


def _from_file(file: Path) -> ModuleType:
    if not file.is_file():
        raise FileNotFoundError(file)
    folder = str(file.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def _what_there_is(module: ModuleType) -> str:
    kinds = (AbstractToolset, AbstractAgent)
    usable = [
        f'{name} ({type(value).__name__})'
        for name, value in cast(dict[str, object], vars(module)).items()
        if issubclass(type(value), kinds)
    ]
    return f'It has {", ".join(usable)}.' if usable else 'It has no toolset and no agent.'
