"""The `${...}` variables in clients' configurations."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from toolscript.guards import is_array, is_object

_VARIABLE = re.compile(r'\$\{([^{}]*)\}')
_ENVIRONMENT = re.compile(r'(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-(.*))?', re.DOTALL)
_CLIENT_FOLDERS = frozenset({'.vscode', '.cursor', '.claude'})


class NoValue(ValueError):
    """A variable that has no value; the message says how to give it one."""


class Input(BaseModel, frozen=True):
    """A value that VS Code asks for: an entry of `inputs`."""

    id: str
    description: str = ''
    default: str | None = None
    options: tuple[str, ...] = ()
    """If there are any, the value is one of them."""
    password: bool = False


@dataclass
class Variables:
    """Values for the variables of one configuration, as the clients define them.

    `${env:NAME}` (VS Code, Cursor), `${NAME}` and `${NAME:-default}` (Claude Code), `${input:id}`,
    `${workspaceFolder}`, `${workspaceFolderBasename}`, `${userHome}`, `${pathSeparator}` and `${/}`.
    """

    file: Path
    inputs: Mapping[str, Input] = field(default_factory=dict[str, Input])
    given: Mapping[str, str] = field(default_factory=dict[str, str])
    """Values for inputs, by their id."""
    ask: Callable[[Input], str] | None = None
    """Asks the user for an input; `None` if there is no user."""
    answers: dict[str, str] = field(default_factory=dict[str, str], repr=False)

    @property
    def folder(self) -> Path:
        """The workspace: the parent of `.vscode`, `.cursor` or `.claude`, otherwise the folder of the file."""
        folder = self.file.resolve().parent
        return folder.parent if folder.name in _CLIENT_FOLDERS else folder

    def fill(self, value: Any) -> Any:
        """Returns the value with the variables in all its texts replaced. Raises `NoValue` if one has no value here."""
        if isinstance(value, str):
            return _VARIABLE.sub(lambda found: self._value(found[1]), value)
        if is_object(value):
            return {key: self.fill(inner) for key, inner in value.items()}
        return [self.fill(inner) for inner in value] if is_array(value) else value

    def _value(self, name: str) -> str:
        if name.startswith('input:'):
            return self._input(name.removeprefix('input:'))
        places = {
            'workspaceFolder': str(self.folder),
            'workspaceFolderBasename': self.folder.name,
            'userHome': str(Path.home()),
            'pathSeparator': os.sep,
            '/': os.sep,
        }
        if name in places:
            return places[name]
        found = _ENVIRONMENT.fullmatch(name)
        if found is None:
            raise NoValue(f'${{{name}}} exists only in the client; write the value itself, or ${{env:NAME}}.')
        if found[1] in os.environ:
            return os.environ[found[1]]
        if found[2] is None:
            default = f'${{{found[1]}:-value}}'
            raise NoValue(f'the environment variable {found[1]} is not set; set it, or write {default} for a default.')
        return found[3]

    def _input(self, id: str) -> str:
        variable = f'TOOLSCRIPT_INPUT_{re.sub(r"[^A-Za-z0-9]", "_", id).upper()}'
        for values, name in ((self.given, id), (os.environ, variable), (self.answers, id)):
            if name in values:
                return values[name]
        known = self.inputs.get(id)
        if known is None:
            raise NoValue(f'there is no input {id!r} under "inputs"; add it there, or give --input {id}=VALUE.')
        if self.ask is not None:
            self.answers[id] = self.ask(known)
            return self.answers[id]
        if known.default is None:
            raise NoValue(f'there is no terminal to ask for {id!r}; set {variable}, or use --input {id}=VALUE.')
        return known.default
