"""A function that stays."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ConfigDict, ValidationError, with_config

from toolscript.results.kept_json import KeptJson
from toolscript_sandbox import function_in

_NAME = re.compile(r'[a-z_][a-z0-9_]{0,59}')


@with_config(ConfigDict(extra='forbid'))
@dataclass(frozen=True)
class SavedFunction:
    """One version of a function that stays: Python text, and where it comes from."""

    name: str
    description: str
    code: str
    """Imports that its first lines need, if any, and the function."""
    version: int = 0
    """From 1; 0 for functions of a folder."""
    tools: tuple[str, ...] = ()
    """The tools that it calls, with the signatures that they had when it was saved."""
    functions: tuple[str, ...] = ()
    """Names of the other kept functions that it called then."""
    saved_at: float = 0.0
    """Seconds since 1970; 0 for functions of a folder."""
    conversation_id: str | None = None
    """The conversation in which a script saved it."""
    tool_call_id: str | None = None
    """The call that saved it."""

    @property
    def tool_names(self) -> tuple[str, ...]:
        """The tools that it calls, by their names in code."""
        return tuple(name_in(signature) for signature in self.tools)

    @property
    def digest(self) -> str:
        """What tells its text from others."""
        return hashlib.sha256(self.code.encode()).hexdigest()[:16]

    def to_text(self) -> str:
        """As JSON, in ASCII."""
        return json.dumps(_json.dump_python(self))

    @classmethod
    def from_text(cls, text: str) -> 'SavedFunction | None':
        """The function again; `None` for what is none."""
        try:
            found = _json.load(text)
        except ValidationError:
            return None
        return found if function_in(found.code, found.name) is not None else None


def may_be_named(name: str) -> bool:
    """Whether a function of that name can be kept: a name that every store tells from all others."""
    return _NAME.fullmatch(name) is not None


def name_in(signature: str) -> str:
    """The name in a signature; a name by itself is one."""
    return signature.partition('(')[0].rpartition(' ')[2]


def callees(function: SavedFunction, others: Mapping[str, SavedFunction]) -> set[str]:
    """The names of the kept functions that it calls, or that those call, as far as they are among the others."""
    found, waiting = set[str](), [function]
    for one in waiting:
        new = [name for name in one.functions if name in others and name not in found]
        found.update(new)
        waiting += [others[name] for name in new]
    return found


def functions_to_bytes(functions: Sequence[SavedFunction]) -> bytes:
    """Some functions, as JSON."""
    return _list.dump([*functions])


def functions_from_bytes(data: bytes) -> list[SavedFunction]:
    """The functions again.

    Raises:
        ValidationError: Another version wrote them.
    """
    return _list.load(data)


_json = KeptJson(SavedFunction)
_list = KeptJson(list[SavedFunction])
