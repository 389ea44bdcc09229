"""`toolscript.toml`: settings for serving a target."""

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
from toolscript.mistakes import TargetError, mistakes_in
from toolscript.routing.rules import ToolRule
from toolscript.settings import SearchableCodeModeSettings
from toolscript.stores.store import MemoryStore

FILE = 'toolscript.toml'
_WHOLE = 8_000_000
"""The maximum size of a result that reaches the server, which stores results longer than `max_result_chars`."""


@dataclass(kw_only=True)
class ServeSettings(SearchableCodeModeSettings):
    """Settings for serving a target: those of code mode, with other defaults."""

    catalog: Literal['description', 'append'] = 'append'
    """Clients show the model the answer to a search, but few of them read the description of `run_code` again."""
    defer: Literal['marked', 'auto'] = 'auto'
    start_seconds: float = 8.0
    """Most clients time out after about half a minute."""
    _brings_store: ClassVar[bool] = True

    def offered(self, toolset: AbstractToolset[Any]) -> CodeModeToolset[Any]:
        """Return the toolset in code mode, with tool search."""
        rules = [_at_hand(rule) for rule in self.rules]
        searchable = SearchableToolset(toolset, self.search, defer=self.defer)
        changes: dict[str, Any] = {'max_result_chars': _WHOLE, 'rules': rules}
        if self.sessions is None and self.snapshots == Snapshots() and not os.environ.get(KEY_VARIABLE):
            # A waiting script can resume only in this process, so nothing else needs the key.
            changes['snapshots'] = Snapshots(key=token_hex())
        if (self.undo_tool or self.undo_on) and self.snapshots.store is None:
            changes['snapshots'] = replace(changes.get('snapshots', self.snapshots), store=MemoryStore())
        return CodeModeToolset(searchable, **self.shared(**changes))


def _at_hand(rule: ToolRule) -> ToolRule:
    """Return the rule. Tools that clients may call directly are listed, unless the rule defers them."""
    direct = rule.allowed_callers in ('direct', 'both') and rule.defer_loading is None
    return replace(rule, defer_loading=False) if direct else rule


def read_settings(file: Path) -> ServeSettings:
    """Read the settings in a file. Raises `TargetError`, with all mistakes, if it cannot be read or used."""
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
    """Return the settings for a target: from the given file, or `toolscript.toml` next to it or in this folder."""
    candidates = [Path(target).parent / FILE, Path(FILE)] if Path(target).is_file() else [Path(FILE)]
    file = given or next((place for place in candidates if place.is_file()), None)
    return (ServeSettings(), None) if file is None else (read_settings(file), file)
