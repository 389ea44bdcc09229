"""The knowledge of a session about the scripts that it ran."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from toolscript_sandbox.checking.checker import CheckContext, defined_types
from toolscript_sandbox.checking.stubs import is_valid
from toolscript_sandbox.contract.functions import HOST, Function, Functions
from toolscript_sandbox.language.analysis import SessionFacts
from toolscript_sandbox.language.snippet import Snippet


@dataclass(frozen=True)
class Memory(SessionFacts):
    """The facts needed to prepare and check the next script."""

    untyped: frozenset[str] = frozenset()
    """Variables of unknown type: a failed script, or one too long ago, bound them."""
    history: tuple[str, ...] = ()
    """Code that ran to its end, oldest first."""
    functions: tuple[Function, ...] = ()
    """Host functions that the history names."""

    def after(self, snippet: Snippet, functions: Iterable[Function]) -> 'Memory':
        """Return the memory after the script has run to its end."""
        # A validator belongs to a run, and the memory outlives it.
        new = (replace(function, validate=None) for function in functions)
        known = {function.name: function for function in (*self.functions, *new)}
        return replace(
            self,
            variables=self.variables | snippet.bound,
            callables=(self.callables - snippet.bound) | snippet.defined,
            functions=tuple(known.values()),
            meanings=snippet.meanings,
            facts=snippet.facts,
            polyfills=self.polyfills | set(snippet.polyfills),
            history=(*self.history, '\n'.join([*snippet.imports, snippet.checked.text])),
            untyped=self.untyped - snippet.bound,
        )._shortened()

    def after_interruption(self, snippet: Snippet) -> 'Memory':
        """Return the memory after the script if it did not run to its end."""
        return replace(self, history=self.history[:-1], untyped=self.untyped | snippet.bound)

    def without(self, names: Collection[str]) -> 'Memory':
        if not names:
            return self
        meanings = {name: dotted for name, dotted in self.meanings.items() if name not in names}
        # The history is no longer true of these variables, and the types of others may depend on it.
        left, callables = self.variables.difference(names), self.callables.difference(names)
        return replace(self, variables=left, callables=callables, meanings=meanings, history=(), untyped=left)

    def offered(self, functions: Functions) -> 'Memory':
        """Return the memory with only those host functions that are offered now."""
        left = tuple(one for one in self.functions if functions.get(one.name.removeprefix(HOST)) is not None)
        if len(left) == len(self.functions):
            return self
        return replace(self, functions=left, history=(), untyped=self.variables)

    def context(self, snippet: Snippet, functions: Iterable[Function], predefined: frozenset[str]) -> CheckContext:
        """Return what the checker must know about the script's environment."""
        # If a variable has the name of a function, the checker must not confuse the two.
        hidden = self.variables | snippet.bound
        known = {f.name: f for f in (*self.functions, *functions)}
        named = {name: f for name, f in known.items() if name not in hidden and is_valid(f.stub)}
        invalid = known.keys() - named.keys()
        unknown = snippet.used - self.variables - predefined - named.keys() - snippet.bound
        return CheckContext(
            functions=tuple(named.values()),
            types=tuple(_types(unknown, named.values())),
            untyped=self.untyped | predefined | invalid,
            history=(*self.history, *snippet.imports),
        )

    def _shortened(self) -> 'Memory':
        # The whole history is checked again with each script, so it must stay short.
        memory = self
        while len(memory.history) > 1 and sum(map(len, memory.history)) > _HISTORY:
            memory = replace(memory, history=memory.history[1:], untyped=memory.variables)
        return memory


_HISTORY = 4_000


def named_functions(snippet: Snippet, known: frozenset[str], functions: Functions) -> tuple[Function, ...]:
    """Return the host functions that a script names, with one lookup per name, however many functions exist."""
    found = (functions.get(name) for name in sorted(snippet.used - known - snippet.bound))
    hidden = (functions.get(name) for name in sorted(snippet.hosts))
    renamed = (replace(function, name=f'{HOST}{function.name}') for function in hidden if function is not None)
    return (*(function for function in found if function is not None), *renamed)


def _types(names: Iterable[str], functions: Iterable[Function]) -> Iterable[tuple[str, Function]]:
    homes = {name: function for function in functions for name in defined_types(function.stub)}
    return [(name, homes[name]) for name in sorted(names) if name in homes]
