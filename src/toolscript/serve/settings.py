"""`toolscript.toml`: how a target is served."""

import os
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex
from typing import Any, ClassVar, Literal

from pydantic import TypeAdapter, ValidationError
from pydantic_ai import UserError
from pydantic_ai.toolsets import AbstractToolset

from toolscript.code_mode_toolset import CodeModeToolset
from toolscript.discovery.searchable_toolset import SearchableToolset
from toolscript.durability.snapshots import KEY_VARIABLE, Snapshots
from toolscript.from_data import names_at, spec_of
from toolscript.mcp.mistakes import TargetError, mistakes_in
from toolscript.routing.rules import ToolRule
from toolscript.settings import SearchableCodeModeSettings
from toolscript.stores import MemoryStore

FILE = 'toolscript.toml'
_WHOLE = 8_000_000
"""So much of a result reaches the server, which stores what is longer than `max_result_chars`."""


@dataclass(kw_only=True)
class ServeSettings(SearchableCodeModeSettings):
    """How a target is served: the settings of code mode, of which a server has other defaults."""

    catalog: Literal['description', 'append'] = 'append'
    """Clients show their model the answer to a search, and few of them read the description of `run_code` again."""
    defer: Literal['marked', 'auto'] = 'auto'
    start_seconds: float = 8.0
    """Clients themselves wait for half a minute or so."""
    _brings_store: ClassVar[bool] = True

    def offered(self, toolset: AbstractToolset[Any]) -> CodeModeToolset[Any]:
        """The toolset in code mode, behind a search."""
        rules = [_at_hand(rule) for rule in self.rules]
        searchable = SearchableToolset(toolset, self.search, defer=self.defer)
        changes: dict[str, Any] = {'max_result_chars': _WHOLE, 'rules': rules}
        if self.sessions is None and self.snapshots == Snapshots() and not os.environ.get(KEY_VARIABLE):
            # A script that waits resumes in this process, or never: nothing else needs the key.
            changes['snapshots'] = Snapshots(key=token_hex())
        if (self.undo_tool or self.undo_on) and self.snapshots.store is None:
            changes['snapshots'] = replace(changes.get('snapshots', self.snapshots), store=MemoryStore())
        return CodeModeToolset(searchable, **self.shared(**changes))


def _at_hand(rule: ToolRule) -> ToolRule:
    """The rule; a tool that it lets clients call directly is in their list, unless the rule defers it."""
    direct = rule.allowed_callers in ('direct', 'both') and rule.defer_loading is None
    return replace(rule, defer_loading=False) if direct else rule


def read_settings(file: Path) -> ServeSettings:
    """The settings in a file.

    Raises:
        TargetError: It cannot be read or used; the message has all mistakes.
    """
    try:
        data = tomllib.loads(file.read_text('utf-8'))
        settings = ServeSettings(**TypeAdapter[Any](spec_of(ServeSettings)).validate_python(data, strict=True))
        settings.check()
    except OSError as error:
        raise TargetError(str(file), [f'{error.strerror}.']) from error
    except UnicodeDecodeError as error:
        raise TargetError(str(file), ['it is not UTF-8 text; save it as UTF-8.']) from error
    except tomllib.TOMLDecodeError as error:
        raise TargetError(str(file), [f'not valid TOML: {error}.']) from error
    except ValidationError as error:
        raise TargetError(str(file), mistakes_in(error, lambda place: names_at(ServeSettings, place))) from error
    except UserError as error:
        raise TargetError(str(file), [error.message]) from error
    return settings


def settings_beside(target: str, given: Path | None) -> tuple[ServeSettings, Path | None]:
    """The settings for a target: in the file given, or in `toolscript.toml` beside the target or in this folder.

    Raises:
        TargetError: See `read_settings`.
    """
    beside = [Path(target).parent / FILE, Path(FILE)] if Path(target).is_file() else [Path(FILE)]
    file = given or next((place for place in beside if place.is_file()), None)
    return (ServeSettings(), None) if file is None else (read_settings(file), file)
