"""The functions of many tools."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .budget import within_budget
from .function_text import Detail
from .identifiers import distinct, function_name, reserved_callables
from .spec import ToolSpec
from .template import Telling
from .tool_function import ToolFunction
from .type_names import TypeNames


@dataclass(frozen=True)
class Rendered:
    """The text of a catalog, or of a part of it."""

    text: str
    shown: tuple[str, ...]
    """Names of the tools whose functions are in the text, in its order."""
    total: int
    """How many tools were asked for."""

    @property
    def complete(self) -> bool:
        """Whether all of them are in the text."""
        return len(self.shown) == self.total


class Catalog:
    """Python names and texts for a set of tools.

    Names are given over the whole set, in order: the same tools in the same order always get the same names. Texts are
    made when they are asked for, and kept by content.
    """

    def __init__(self, tools: Iterable[ToolSpec], *, reserved: Collection[str] = ()) -> None:
        """`reserved` are identifiers that no tool may have, besides Python's keywords and builtins."""
        specs = list(tools)
        names = distinct((spec.name for spec in specs), spell=function_name, taken=reserved_callables(reserved))
        self._functions = [ToolFunction(spec, name) for spec, name in zip(specs, names, strict=True)]
        self._by_name = {function.name: function for function in self._functions}
        self._by_tool = {function.spec.name: function for function in reversed(self._functions)}

    def get(self, python_name: str) -> ToolFunction | None:
        """The function of a Python name."""
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
    ) -> Rendered:
        """The text of the named tools, types first; of all tools if none are named.

        `budget` is in tokens, as `estimate_tokens` counts them. `known` are tools whose text was shown before, in
        the order of that showing: their types are not repeated, and new ones get other names. Equal types are written
        once.
        """
        wanted = self._functions if names is None else [self.of(name) for name in names]
        type_names = TypeNames(reserved=self._by_name.keys())
        written = _name_types([self._by_tool[name] for name in known if name in self._by_tool], detail, type_names)
        shown = wanted if budget is None else within_budget(wanted, detail, budget)
        telling = Telling()
        parts = _body(shown, detail, type_names, telling, set(written))
        header = _header(len(shown), len(wanted), telling.repeats)
        return Rendered('\n\n'.join([header, *parts]), tuple(function.spec.name for function in shown), len(wanted))


def _header(shown: int, total: int, repeats: bool) -> str:
    text = f'# all {total} functions' if shown == total else f'# {shown} of {total} functions; search for the rest'
    return f'{text}; "same" is the last note on that name' if repeats else text


def _name_types(functions: Sequence[ToolFunction], detail: Detail, names: TypeNames) -> list[str]:
    """Give the types of functions their names, and return the keys."""
    keys: list[str] = []
    for function in functions:
        for type_ in function.text(detail).types:
            names.name(type_.key, type_.hint, function.spec.name)
            keys.append(type_.key)
    return keys


def _body(
    functions: Sequence[ToolFunction], detail: Detail, names: TypeNames, telling: Telling, written: set[str]
) -> list[str]:
    types: list[str] = []
    chosen: list[list[str]] = []
    texts = [function.text(detail) for function in functions]
    for function, text in zip(functions, texts, strict=True):
        chosen.append([names.name(type_.key, type_.hint, function.spec.name) for type_ in text.types])
        for type_ in text.types:
            if type_.key not in written:
                written.add(type_.key)
                types.append(telling.fill(type_.source, chosen[-1], names.names[type_.key]))
    shown = [
        telling.fill(text.head, named, function.name) + text.body
        for function, text, named in zip(functions, texts, chosen, strict=True)
    ]
    return [*types, ('\n' if detail == 'brief' else '\n\n').join(shown)] if shown else []
