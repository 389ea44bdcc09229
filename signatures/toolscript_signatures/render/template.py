"""Source text with holes, for what only the whole catalog decides: names of types, and which notes to repeat."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from toolscript_signatures.types.identifiers import numbered, type_name
from toolscript_signatures.types.visible import with_visible

_HOLE = re.compile('\x01([0-9]+)\x02|\x03([^\x02]*)\x02([^\x04]*)\x04')
_NAME = re.compile('\x01([0-9]+)\x02')
_SHORT = 20
_LONG = 60


class TypeText(NamedTuple):
    """The definition of a type that is not named yet."""

    key: str
    """Equal for types that are equal."""
    hint: str
    source: str
    """With holes."""


def name_hole(index: int) -> str:
    """Where the name of the tool's type of this number goes."""
    return f'\x01{index}\x02'


def fill_names(source: str, names: Sequence[str]) -> str:
    """The source with its types named, notes not written."""
    return _NAME.sub(lambda hole: names[int(hole[1])], source)


def note_hole(key: str, note: str) -> str:
    """Where a comment goes that says the note about a parameter or key; nothing for an empty note."""
    about = with_visible(key if key.isprintable() else repr(key))
    return f'\x03{about}\x02{note}\x04' if note else ''


@dataclass
class Notes:
    """The notes of one text, in their order. Only short ones are repeated about the same name:

    `# same` means the last note about that name, `# as in User` the note about that name in `User`.
    """

    repeats: bool = False
    """Whether any note was pointed to."""
    _last: dict[str, str] = field(default_factory=dict[str, str])
    _first: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def fill(self, source: str, names: Sequence[str], owner: str) -> str:
        """The source of `owner`, a type or function, without holes: types named, notes written."""
        return _HOLE.sub(
            lambda hole: names[int(hole[1])] if hole[1] is not None else self._comment(hole[2], hole[3], owner), source
        )

    def _comment(self, key: str, note: str, owner: str) -> str:
        is_same = self._last.get(key) == note and len(note) >= _SHORT
        self._last[key] = note
        first = self._first.setdefault((key, note), owner)
        is_known = first != owner and len(note) >= _LONG
        self.repeats = self.repeats or is_same or is_known
        return ' # same' if is_same else f' # as in {first}' if is_known else f' # {note}'


class TypeNames:
    """Gives equal types one name, and different types different names."""

    def __init__(self, reserved: Collection[str] = ()) -> None:
        self.names: dict[str, str] = {}
        """The name by the key of the type."""
        self._used = {*reserved}

    def of(self, types: Iterable[TypeText], tool: str) -> list[str]:
        """The names of types: their own, else with the tool's name in front, else with a number at the end."""
        named = list[str]()
        for key, hint, _ in types:
            if key not in self.names:
                short = type_name(hint)
                self.names[key] = short if short not in self._used else numbered(type_name(tool, hint), self._used)
                self._used.add(self.names[key])
            named.append(self.names[key])
        return named
