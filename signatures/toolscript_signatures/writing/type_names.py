"""Names for the types of many tools."""

from collections.abc import Collection
from dataclasses import dataclass, field

from toolscript_signatures.shapes.identifiers import type_name


@dataclass
class TypeNames:
    """Gives equal types one name, and different types different names."""

    reserved: Collection[str] = ()
    names: dict[str, str] = field(default_factory=dict[str, str])
    """The name by the key of the type."""
    _used: set[str] = field(default_factory=set[str])

    def name(self, key: str, hint: str, tool: str) -> str:
        """The name of a type: its own, else with the tool's name in front, else with a number at the end."""
        if key not in self.names:
            self.names[key] = self._free(type_name(hint), type_name(tool, hint))
            self._used.add(self.names[key])
        return self.names[key]

    def _free(self, short: str, long: str) -> str:
        for name in (short, long):
            if name not in self._used and name not in self.reserved:
                return name
        number = 2
        while f'{long}{number}' in self._used or f'{long}{number}' in self.reserved:
            number += 1
        return f'{long}{number}'
