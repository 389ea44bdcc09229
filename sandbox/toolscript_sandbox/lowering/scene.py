"""What the repairs know of the place where a snippet will run, and what they note down."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from toolscript_sandbox.contract.functions import Function, Functions
from toolscript_sandbox.text.names import Names
from toolscript_sandbox.text.scopes import Scope, Scopes, scopes_of
from toolscript_sandbox.text.syntax import all_of


@dataclass
class Scene:
    """One per snippet; the repairs of that snippet fill `pieces`, `imports` and `notes`."""

    functions: Functions
    names: Names
    tree: ast.Module
    """The tree that is being lowered, after what was done to it so far."""
    known: frozenset[str]
    """Variables that exist already."""
    defined: frozenset[str] = frozenset()
    """Those of them that are functions, classes and modules."""
    modules: dict[str, str] = field(default_factory=dict[str, str])
    """Modules by the name that the snippet gives them at its top level, or an earlier one gave them."""
    members: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """What is imported from modules in the snippet's stead: module and name there, by the name here."""
    pieces: set[str] = field(default_factory=set[str])
    """Guest modules that the snippet needs."""
    hosts: set[str] = field(default_factory=set[str])
    """Host functions that the snippet calls though variables hide them."""
    imports: list[str] = field(default_factory=list[str])
    """Import statements that the snippet lacks."""
    notes: list[str] = field(default_factory=list[str])
    """What was changed, a sentence each."""
    tasks: bool = False
    """Whether the snippet runs with the guest's `asyncio`."""
    errors: bool = False
    """Whether exceptions with more than a text may be on their way in the session."""
    has_files: bool = False
    """Whether there are folders that it sees."""
    zones: bool = False
    """Whether moments may be in zones whose offsets change."""
    keys: bool = False
    """Whether a missing key must be kept."""
    result: str | None = None
    """The variable that holds the snippet's value."""
    kin: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The heirs of classes, and, as names behind a dot, the properties, of this snippet and of earlier ones."""
    flattened: bool = False
    """Whether classes were taken out of their inheritance."""
    _read: Scopes | None = None

    @property
    def scopes(self) -> Scopes:
        """Whose the names of the tree are."""
        if self._read is None or self._read.module.node is not self.tree:
            self._read = scopes_of(self.tree)
        return self._read

    def note(self, text: str) -> None:
        """Remember a change, once."""
        if text not in self.notes:
            self.notes.append(text)

    def owner(self, name: ast.Name) -> Scope | None:
        """The scope of the snippet whose name it is."""
        return self.scopes.owner(name)

    def is_free(self, name: ast.Name) -> bool:
        """Whether no variable has that name, so that it is a builtin's or a host function's."""
        owner = self.owner(name)
        if owner is None:
            return name.id not in self.known
        return owner.kind == 'module' and name.id not in self.names.bound and name.id not in self.known

    def function(self, name: str) -> Function | None:
        """The host function that the name means at the top level, if it means one."""
        if name in self.names.bound or name in self.known:
            return None
        return self.functions.get(name)

    def called(self, node: ast.expr) -> Function | None:
        """The host function that an expression names, if it names one."""
        return self.functions.get(node.id) if isinstance(node, ast.Name) and self.is_free(node) else None

    def hidden(self, name: ast.Name) -> bool:
        """Whether a variable hides the host function of that name, which the snippet calls all the same."""
        owner = self.owner(name)
        if owner is not None and owner.kind != 'module':
            return False
        if name.id in self.names.defined or self.functions.get(name.id) is None:
            return False
        return name.id in self.names.bound or (name.id in self.known and name.id not in self.defined)

    @property
    def may_call_plainly(self) -> bool:
        """Whether a function of the snippet may call one of the host, or sleep, without `await`.

        Of functions of earlier snippets nobody knows.
        """
        functions = (self.functions.get(name) for name in self.names.used)
        sleeps = 'time' in self.modules.values() or 'sleep' in self.names.used
        return sleeps or bool(self.defined & self.names.used) or any(found.sequential for found in functions if found)

    def member(self, node: ast.expr) -> tuple[str, str] | None:
        """Module and name of `module.name` or of a name imported from a module."""
        if isinstance(node, ast.Name):
            found = self._imported(node)
            return found if isinstance(found, tuple) else None
        if not isinstance(node, ast.Attribute):
            return None
        module = self.module(node.value)
        return None if module is None else (module, node.attr)

    def module(self, node: ast.expr) -> str | None:
        """The module that an expression names, submodules included."""
        if isinstance(node, ast.Name):
            found = self._imported(node)
            return found if isinstance(found, str) else None
        if isinstance(node, ast.Attribute):
            package = self.module(node.value)
            name = f'{package}.{node.attr}'
            return name if package is not None and name in SUBMODULES else None
        return None

    @property
    def has_modules(self) -> bool:
        """Whether any name may mean a module, or what is in one."""
        return bool(self.scopes.imported or self.modules or self.members)

    def may_name(self, module: str) -> bool:
        """Whether any name may mean the module, or what is in it; submodules have no say of their own."""
        known = {*self.modules.values(), *(home for home, _ in self.members.values())}
        known |= {alias.name for node in all_of(self.tree, ast.Import) for alias in node.names}
        known |= {node.module or '' for node in all_of(self.tree, ast.ImportFrom)}
        return any(name.partition('.')[0] == module for name in known)

    def _imported(self, name: ast.Name) -> str | tuple[str, str] | None:
        if name.id not in self.scopes.imported and name.id not in self.modules and name.id not in self.members:
            return None
        owner = self.owner(name)
        if owner is None:
            return self.members.get(name.id) or self.modules.get(name.id)
        imports = owner.bound[name.id]
        if not all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in imports):
            return None
        return dict(imported_by(imports[-1])).get(name.id)


def imported_by(node: ast.AST) -> Iterator[tuple[str, str | tuple[str, str]]]:
    """The names that an import binds, each with its module, or with module and name there."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.split('.')[0]
            yield alias.asname or first, alias.name if alias.asname else first
    if isinstance(node, ast.ImportFrom):
        module = node.module or ''
        for alias in node.names:
            whole = f'{module}.{alias.name}'
            yield alias.asname or alias.name, whole if whole in SUBMODULES else (module, alias.name)


SUBMODULES = {'urllib.parse', 'collections.abc', 'os.path', 'concurrent.futures'}
