"""Source text with holes for what the whole catalog decides: the names of types, and which notes to repeat."""

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
    """The hole for the name of a type, by its number in the tool."""
    return f'\x01{index}\x02'


def fill_names(source: str, names: Sequence[str]) -> str:
    """The source with the names of its types, and still with holes for notes."""
    return _NAME.sub(lambda hole: names[int(hole[1])], source)


def note_hole(key: str, note: str) -> str:
    """The hole for a comment with the note about a parameter or key; empty for an empty note."""
    about = with_visible(key if key.isprintable() else repr(key))
    return f'\x03{about}\x02{note}\x04' if note else ''


@dataclass
class Notes:
    """The notes of one text, in order. Only short notes are repeated:

    `# same` refers to the last note about the same name, `# as in User` to the note about that name in `User`.
    """

    repeats: bool = False
    """Whether any note refers to an earlier one."""
    _last: dict[str, str] = field(default_factory=dict[str, str])
    _first: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def fill(self, source: str, names: Sequence[str], owner: str) -> str:
        """The source of `owner`, a type or function, with all holes filled."""
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
        """The names of types: their own, or with the tool's name in front, or with a number at the end."""
        named = list[str]()
        for key, hint, _ in types:
            if key not in self.names:
                short = type_name(hint)
                self.names[key] = short if short not in self._used else numbered(type_name(tool, hint), self._used)
                self._used.add(self.names[key])
            named.append(self.names[key])
        return named
