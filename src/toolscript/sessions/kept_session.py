"""What one script left to those that come after it, in this run or another."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic_ai.messages import BinaryContent, MultiModalContent

from toolscript.catalog.code_catalog import CodeCatalog
from toolscript.results.kept_json import KeptJson


@dataclass(frozen=True)
class ToolNamed:
    """The tool behind a name that scripts used."""

    tool_name: str
    digest: str
    """Of its signature."""


@dataclass(frozen=True)
class KeptSession:
    """The variables that a script left."""

    number: int
    """How many scripts were kept before it, of all runs."""
    after: str
    """What the script is known by."""
    saved_at: float
    """Seconds since 1970."""
    variables: tuple[str, ...]
    """What they are, in a few words each."""
    state: bytes
    """The sandbox's part."""
    tools: dict[str, ToolNamed] = field(default_factory=dict[str, ToolNamed])
    """By Python name, the tools that the scripts named, and that functions among the variables may call."""
    files: dict[str, MultiModalContent] = field(default_factory=dict[str, MultiModalContent])
    kept_functions: dict[str, str] = field(default_factory=dict[str, str])
    """Those among them that are kept elsewhere, with the digests of their texts, and what they import."""

    def to_bytes(self) -> bytes:
        """As JSON."""
        return _json.dump(self)

    @classmethod
    def from_bytes(cls, data: bytes) -> 'KeptSession':
        """The session again.

        Raises:
            ValidationError: Another version wrote it.
        """
        return _json.load(data)

    def changed_tools(self, catalog: CodeCatalog) -> list[str]:
        """The names that mean another tool now, or one that takes or gives something else.

        A tool that is not there any more is none of them: nobody can call it, whoever holds a function that would.
        """
        now = tools_named(self.tools, catalog)
        return [name for name, tool in self.tools.items() if name in now and now[name] != tool]


def tools_named(names: Iterable[str], catalog: CodeCatalog) -> dict[str, ToolNamed]:
    """The tools behind names, as far as there are some."""
    functions = {name: function for name in names if (function := catalog.get(name)) is not None}
    return {name: ToolNamed(function.spec.name, _digest(function.stub)) for name, function in functions.items()}


def files_that_fit(files: Mapping[str, MultiModalContent], room: int) -> dict[str, MultiModalContent]:
    """The newest files that there is room for, in bytes."""
    kept = dict[str, MultiModalContent]()
    for name, file in reversed(list(files.items())):
        room -= len(file.data) if isinstance(file, BinaryContent) else 1_000
        if room < 0:
            break
        kept[name] = file
    return kept


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


_json = KeptJson(KeptSession)
