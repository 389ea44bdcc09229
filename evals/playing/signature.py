"""What a model has read about a function: its parameters, its result and its purpose."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_CLASS = re.compile(r'^([ \t]*)class (\w+)\([^)]*TypedDict[^)]*\):.*\n((?:\1[ \t]+.*\n?)*)', re.MULTILINE)
_FIELD = re.compile(r'^[ \t]+(\w+): ([^#\n]+)', re.MULTILINE)
_FUNCTIONAL = re.compile(r'(\w+) = TypedDict\(\s*\'\w+\',\s*\{(.*?)\}', re.DOTALL)
_ITEM = re.compile(r'\'([^\']+)\'\s*:\s*([^,#\n]+)')
_WORD = re.compile(r'[A-Za-z_]\w*')
_QUOTED = re.compile(r'\'[^\']*\'|"[^"]*"')
_BASE = ['str', 'int', 'float', 'bool', 'bytes', 'None', 'list', 'tuple', 'set']
_OF_PYTHON = frozenset([*_BASE, 'Literal', 'Required', 'NotRequired', 'ReadOnly', 'Annotated'])

Records = Mapping[str, Mapping[str, str]]
"""The shown records: their names, the names of their keys, and the types of these."""


@dataclass(frozen=True)
class Signature:
    """The shown part of a signature."""

    parameters: Mapping[str, str]
    """The types of the parameters as shown; empty if unknown."""
    returns: str = ''
    """The return type; empty if unknown."""
    described: bool = False
    """Whether any text says what it is for."""
    waits: bool = True
    """Whether it is awaited."""

    @property
    def tells_its_result(self) -> bool:
        """Whether a program may be written before any result was seen."""
        return self.described and self.returns not in ('', 'Any')

    def keys(self, records: Records) -> frozenset[str]:
        """Return the keys of all records that its result may hold."""
        return frozenset(key for name in self._reached(records) for key in records.get(name, ()))

    def is_open(self, records: Records) -> bool:
        """Return whether its result may hold keys that were not shown."""
        return any(name not in records and name not in _OF_PYTHON for name in self._reached(records))

    def _reached(self, records: Records) -> list[str]:
        """Return the names of all types that its result consists of, including those inside records."""
        names = dict.fromkeys(_names(self.returns))
        waiting = list(names)
        while waiting:
            new = [
                name for text in records.get(waiting.pop(), {}).values() for name in _names(text) if name not in names
            ]
            names |= dict.fromkeys(new)
            waiting += new
        return list(names)


def records_in(texts: Iterable[str]) -> Records:
    found: dict[str, Mapping[str, str]] = {}
    for text in texts:
        if 'TypedDict' in text:
            found |= {match[2]: dict(_FIELD.findall(match[3])) for match in _CLASS.finditer(text)}
            found |= {match[1]: dict(_ITEM.findall(match[2])) for match in _FUNCTIONAL.finditer(text)}
    return found


def _names(annotation: str) -> list[str]:
    return _WORD.findall(_QUOTED.sub('', annotation))
