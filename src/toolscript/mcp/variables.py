"""The `${...}` of clients' configurations."""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_VARIABLE = re.compile(r'\$\{([^{}]*)\}')
_ENVIRONMENT = re.compile(r'(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-(.*))?', re.DOTALL)
_FOLDERS_OF_CLIENTS = frozenset({'.vscode', '.cursor', '.claude'})


class NoValue(ValueError):
    """A variable that has no value; the message says how to give it one."""


@dataclass(frozen=True)
class Input:
    """A value that VS Code asks for: an entry of `inputs`."""

    id: str
    description: str = ''
    default: str | None = None
    options: tuple[str, ...] = ()
    """Where there are any, the value is one of them."""
    secret: bool = False


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
    """Asks somebody for an input; `None` where nobody is there."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    answers: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    """What was asked for already."""

    @property
    def folder(self) -> Path:
        """The workspace: around `.vscode`, `.cursor` or `.claude`, and elsewhere where the file is."""
        folder = self.file.resolve().parent
        return folder.parent if folder.name in _FOLDERS_OF_CLIENTS else folder

    def fill(self, text: str) -> str:
        """The text with its variables replaced.

        Raises:
            NoValue: One of them has no value here.
        """
        return _VARIABLE.sub(lambda found: self._value(found[1]), text)

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
            raise NoValue(f'${{{name}}} has a value in the client alone; write the value itself, or ${{env:NAME}}.')
        if found[1] in self.environment:
            return self.environment[found[1]]
        if found[2] is None:
            default = f'${{{found[1]}:-value}}'
            raise NoValue(f'the environment variable {found[1]} is not set; set it, or write {default} for a default.')
        return found[3]

    def _input(self, id: str) -> str:
        if id in self.given:
            return self.given[id]
        if (value := self.environment.get(variable := _variable_of(id))) is not None:
            return value
        known = self.inputs.get(id)
        if known is None:
            raise NoValue(f'there is no input {id!r} under "inputs"; add it there, or give --input {id}=VALUE.')
        if id not in self.answers:
            if self.ask is not None:
                self.answers[id] = self.ask(known)
            elif known.default is not None:
                return known.default
            else:
                raise NoValue(f'nobody is here to ask for {id!r}; set {variable}, or give --input {id}=VALUE.')
        return self.answers[id]


def _variable_of(id: str) -> str:
    """The environment variable that an input may be given by."""
    return f'TOOLSCRIPT_INPUT_{re.sub(r"[^A-Za-z0-9]", "_", id).upper()}'
