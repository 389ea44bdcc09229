"""What the repairs know of the place where a snippet will run, and what they note down."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from toolscript_sandbox.contract.functions import Function, Functions
from toolscript_sandbox.text.names import Names


@dataclass
class Scene:
    """One per snippet; the repairs of that snippet fill `pieces`, `imports` and `notes`."""

    functions: Functions
    names: Names
    known: frozenset[str]
    """Variables that exist already."""
    defined: frozenset[str] = frozenset()
    """Those of them that are functions, classes and modules."""
    modules: dict[str, str] = field(default_factory=dict[str, str])
    """Modules by the name that the snippet, or an earlier one, gives them."""
    members: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """What was imported from modules: module and name there, by the name here."""
    pieces: set[str] = field(default_factory=set[str])
    """Guest modules that the snippet needs."""
    hosts: set[str] = field(default_factory=set[str])
    """Host functions that the snippet calls though variables hide them."""
    imports: list[str] = field(default_factory=list[str])
    """Import statements that the snippet lacks."""
    notes: list[str] = field(default_factory=list[str])
    """What was changed, a sentence each."""
    spawns: bool = False
    """Whether the snippet starts tasks without waiting for them."""

    flattened: bool = False
    """Whether classes were taken out of their inheritance."""

    def note(self, text: str) -> None:
        """Remember a change, once."""
        if text not in self.notes:
            self.notes.append(text)

    def function(self, name: str) -> Function | None:
        """The host function that the name means here, if it means one."""
        if name in self.names.bound or name in self.known:
            return None
        return self.functions.get(name)

    def hidden(self, name: str) -> bool:
        """Whether a variable hides the host function of that name, which the snippet calls all the same."""
        variables = (self.names.bound - self.names.defined) | (self.known - self.defined)
        return name in variables and name not in self.names.defined and self.functions.get(name) is not None

    def member(self, node: ast.expr) -> tuple[str, str] | None:
        """Module and name of `module.name` or of a name imported from a module."""
        if isinstance(node, ast.Name):
            return self.members.get(node.id)
        if not isinstance(node, ast.Attribute):
            return None
        module = self.module(node.value)
        return None if module is None else (module, node.attr)

    def module(self, node: ast.expr) -> str | None:
        """The module that an expression names, submodules included."""
        if isinstance(node, ast.Name):
            return self.modules.get(node.id)
        if isinstance(node, ast.Attribute):
            package = self.module(node.value)
            name = f'{package}.{node.attr}'
            return name if package is not None and name in SUBMODULES else None
        return None


SUBMODULES = {'urllib.parse', 'collections.abc', 'os.path', 'concurrent.futures'}
