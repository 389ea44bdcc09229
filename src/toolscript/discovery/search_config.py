"""Settings of tool search, from files or data."""

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_serializer
from pydantic_ai.capabilities import AbstractCapability, ToolSearch

from toolscript.guards import fields, is_object
from toolscript.mistakes import ConfigError, listed, mistakes_in, written

from .native_tool_search import NativeToolSearch
from .search_options import ToolSearchOptions

_SECTION = 'tool_search'


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError('must not be blank')
    return text


_Text = Annotated[str, AfterValidator(_not_blank)]


class ToolSearchConfig(BaseModel):
    """Which tools of an agent are deferred, and how they are found.

    ```yaml
    tool_search:
      enabled: true
      strategy: bm25
      eager_tools:
        github: ["search_*", "get_issue"]
    ```
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(strict=True, extra='forbid', frozen=True)

    enabled: bool = False
    """Whether anything is deferred."""
    scope: Literal['mcp'] = 'mcp'
    """Whose tools are deferred: those of MCP servers. Other tools decide for themselves."""
    strategy: Literal['auto', 'bm25', 'regex'] = 'auto'
    """How tools are searched: by the provider if the model can, otherwise here. `'auto'` leaves the choice."""
    eager_tools: dict[_Text, list[_Text]] = Field(default_factory=dict)
    """By server id, patterns (`search_*`) of the tools that are not deferred, for the names that the server itself
    uses: without prefixes. A server or a pattern that matches nothing has no effect."""
    prefetch: int | None = Field(default=None, ge=0)
    """How many tools each user prompt shows before the model searches: see `ToolSearchOptions.prefetch`."""

    @classmethod
    def from_data(cls, data: object, *, source: str = 'settings') -> Self:
        """Create settings from parsed YAML, JSON or TOML; `None` gives the defaults.

        Args:
            data: The settings, or a mapping that has them under `tool_search`, whatever else it contains.
            source: Where the data came from, for errors.

        Raises:
            ConfigError: A field is unknown or has a value of the wrong type; the message names each.
        """
        within = [_SECTION] if _SECTION in fields(data) else []
        section = fields(data).get(_SECTION, data)
        if section is not None and not is_object(section):
            raise ConfigError(f'{source}: {written(within) or "all of it"}: Input should be a mapping of settings.')
        try:
            return cls.model_validate(section or {})
        except ValidationError as error:
            raise ConfigError(listed(source, mistakes_in(error, lambda _: cls.model_fields, within))) from error

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Create settings from a YAML, JSON or TOML file.

        Raises:
            ConfigError: The file cannot be read, or a field in it is invalid; the message names both.
        """
        return cls.from_data(read_settings(Path(path)), source=str(path))

    def options(self) -> ToolSearchOptions:
        """Return the same settings for a `SearchableToolset` or `CodeMode(search=...)`."""
        return ToolSearchOptions(algorithm=None if self.strategy == 'auto' else self.strategy, prefetch=self.prefetch)

    def capability(self) -> AbstractCapability[Any]:
        """Return the capability to give to an agent: `Agent(..., capabilities=[config.capability()])`."""
        if not self.enabled:
            return ToolSearch()
        return NativeToolSearch(eager_tools=self.eager_tools, options=self.options())

    @model_serializer(mode='wrap')
    def _what_differs(self, dump: Any) -> Mapping[str, Any]:
        default: Mapping[str, Any] = type(self)().__dict__
        return {key: value for key, value in dump(self).items() if getattr(self, key) != default[key]}


def read_settings(path: Path) -> Any:
    """Return the data in a JSON, TOML or YAML file. Raises `ConfigError` if it cannot be read."""
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise ConfigError(f'{path}: settings are read from {", ".join(sorted(_READERS))} files.')
    try:
        return read(path.read_text('utf-8'))
    except OSError as error:
        raise ConfigError(f'{path}: {error.strerror}') from error
    except ModuleNotFoundError as error:
        raise ConfigError(f"{path}: YAML needs PyYAML; install 'toolscript[yaml]', or use JSON or TOML.") from error
    except ValueError as error:
        raise ConfigError(f'{path}: not valid {_KINDS[path.suffix.lower()]}: {error}') from error


def _yaml(text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f' at line {mark.line + 1}, column {mark.column + 1}' if mark else ''
        raise ValueError(f'{error.problem}{where}') from error
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


_READERS: Mapping[str, Callable[[str], Any]] = {
    '.json': json.loads,
    '.toml': tomllib.loads,
    '.yaml': _yaml,
    '.yml': _yaml,
}
_KINDS = {'.json': 'JSON', '.toml': 'TOML', '.yaml': 'YAML', '.yml': 'YAML'}
