"""The functions of many tools."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolscript_signatures.catalog.tool_function import Rendering, ToolFunction, estimate_tokens, render_all
from toolscript_signatures.render.function_text import Detail
from toolscript_signatures.render.template import Notes, TypeNames
from toolscript_signatures.types.identifiers import distinct, function_name, reserved_callables
from toolscript_signatures.types.spec import ToolSpec


class Rendered(NamedTuple):
    """The text of a catalog, or of a part of it."""

    text: str
    shown: tuple[str, ...]
    """The names of the tools whose functions are in the text, in order."""
    total: int
    """The number of all tools."""


class Catalog:
    """Python names and texts for a set of tools.

    Names depend on the whole set: the same tools in the same order always get the same names. Texts are written when
    needed, and cached by content.
    """

    def __init__(self, tools: Iterable[ToolSpec], *, reserved: Collection[str] = ()) -> None:
        """`reserved` are identifiers that tools must not have, besides Python's keywords and builtins."""
        specs = tuple(tools)
        taken = reserved_callables(frozenset(reserved))
        names = distinct([spec.name for spec in specs], spell=function_name, taken=taken)
        self.names: frozenset[str] = frozenset(names)
        """The Python names of all functions."""
        self._functions = tuple(map(ToolFunction, specs, names))
        self._by_name = dict(zip(names, self._functions, strict=True))
        self._by_tool = {function.spec.name: function for function in reversed(self._functions)}
        self.keeps_names: bool = all(function.name == function.spec.name for function in self._functions)
        """Whether each tool keeps its own name in Python, so further tools would not change any name."""

    def get(self, python_name: str) -> ToolFunction | None:
        """The function with a Python name, or `None`."""
        return self._by_name.get(python_name)

    def of(self, tool_name: str) -> ToolFunction:
        """The function of a tool. Raises `KeyError` if the catalog has no such tool."""
        return self._by_tool[tool_name]

    def __iter__(self) -> Iterator[ToolFunction]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def render(
        self,
        names: Iterable[str] | None = None,
        *,
        detail: Detail = 'full',
        budget: int | None = None,
        known: Iterable[str] = (),
        total: int | None = None,
    ) -> Rendered:
        """The text of the named tools, or of all tools, types first.

        `budget` is in tokens, as `estimate_tokens` counts them. `known` are the tools that were shown before, in that
        order: their types are not repeated, and new types get other names. Equal types are written once. `total` is the
        number of all tools, if a search could find more than the named ones.
        """
        return _rendered(self, None if names is None else tuple(names), detail, budget, tuple(known), total)


@lru_cache(maxsize=8)
def _rendered(
    catalog: Catalog,
    names: tuple[str, ...] | None,
    detail: Detail,
    budget: int | None,
    known: tuple[str, ...],
    total: int | None,
) -> Rendered:
    wanted = [*catalog] if names is None else [catalog.of(name) for name in names]
    tools = {function.spec.name for function in catalog} if known else ()
    before = tuple(catalog.of(name).rendering for name in known if name in tools)
    total = len(wanted) if total is None else total
    if budget is None:
        return _text_of(wanted, catalog.names, total, detail, before)
    taken = within_budget(wanted, detail, budget - estimate_tokens(_header(0, total, True)))
    while True:
        found = _text_of([wanted[index] for index in sorted(taken)], catalog.names, total, detail, before)
        if not taken or estimate_tokens(found.text) <= budget:
            return found
        taken.pop()


def _text_of(
    shown: Sequence[ToolFunction], names: frozenset[str], total: int, detail: Detail, known: tuple[Rendering, ...]
) -> Rendered:
    notes = Notes()
    text = render_all([function.rendering for function in shown], detail, TypeNames(names), notes, known)
    parts = filter(None, [_header(len(shown), total, notes.repeats), text])
    return Rendered('\n\n'.join(parts), tuple(function.spec.name for function in shown), total)


def _header(shown: int, total: int, repeats: bool) -> str:
    remarks = [f'{shown} of {total} functions; search for the rest'] if shown < total else []
    remarks += ['"same" is the last note on that name'] if repeats else []
    return f'# {"; ".join(remarks)}' if remarks else ''


_MAX_MISSES = 50


def within_budget(functions: Sequence[ToolFunction], detail: Detail, budget: int) -> list[int]:
    """The positions of functions whose texts fit into a number of tokens, in the order of their selection.

    Pinned functions come first, then one of each server in turn. Functions that do not fit are skipped; after fifty of
    them in a row, the selection ends.
    """
    left, misses = budget, 0
    taken: list[int] = []
    for index in _round_robin(functions):
        cost = functions[index].rendering.cost(detail) + 1
        fits = cost <= left
        misses = 0 if fits else misses + 1
        if fits:
            left -= cost
            taken.append(index)
        if misses >= _MAX_MISSES:
            break
    return taken


def _round_robin(functions: Sequence[ToolFunction]) -> Iterator[int]:
    yield from (index for index, function in enumerate(functions) if function.spec.pinned)
    queues: dict[str | None, list[int]] = {}
    for index, function in enumerate(functions):
        if not function.spec.pinned:
            queues.setdefault(function.spec.server, []).append(index)
    for turn in range(max(map(len, queues.values()), default=0)):
        yield from (queue[turn] for queue in queues.values() if turn < len(queue))
