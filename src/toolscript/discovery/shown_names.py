"""The names by which the model knows a toolset's tools, if toolsets around it rename them.

A toolset sees only its own names. What is around it is read from the run's toolsets, from the outermost one down. If it
cannot be found there (inside a toolset that hides its contents), its names are assumed to be the model's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic_ai.toolsets import AbstractToolset, CombinedToolset, PrefixedToolset, RenamedToolset, WrapperToolset

_Layer = str | Mapping[str, str]
"""A prefix, or the names that the model sees, mapped to the real ones."""


@dataclass(frozen=True)
class ShownNames:
    """What the toolsets around a toolset do to the names of its tools."""

    layers: tuple[_Layer, ...] = ()
    """The innermost one last."""

    def of(self, name: str) -> str:
        """Returns the name that the model sees for a tool of the toolset."""
        for layer in reversed(self.layers):
            if isinstance(layer, str):
                name = f'{layer}_{name}'
            else:
                name = next((shown for shown, own in layer.items() if own == name), name)
        return name

    def own(self, shown: str) -> str:
        """Returns the toolset's own name of a tool that the model knows as `shown`."""
        for layer in self.layers:
            shown = shown.removeprefix(f'{layer}_') if isinstance(layer, str) else layer.get(shown, shown)
        return shown


def shown_names(outermost: AbstractToolset[Any], toolset: AbstractToolset[Any]) -> ShownNames:
    """Returns the names of a toolset's tools as they are seen outside of `outermost`."""
    return ShownNames(_layers(outermost, toolset) or ())


def _layers(around: AbstractToolset[Any], toolset: AbstractToolset[Any]) -> tuple[_Layer, ...] | None:
    if around is toolset:
        return ()
    if isinstance(around, CombinedToolset):
        ways = (_layers(inner, toolset) for inner in around.toolsets)
        return next((way for way in ways if way is not None), None)
    if not isinstance(around, WrapperToolset):
        return None
    below = _layers(around.wrapped, toolset)
    return None if below is None else (*_layer(around), *below)


def _layer(around: WrapperToolset[Any]) -> tuple[_Layer, ...]:
    if isinstance(around, PrefixedToolset):
        return (around.prefix,)
    return (around.name_map,) if isinstance(around, RenamedToolset) else ()
