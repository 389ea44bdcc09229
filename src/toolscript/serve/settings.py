"""`toolscript.toml`: how a target is served."""

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError
from pydantic_ai.toolsets import AbstractToolset

from toolscript.code_mode_toolset import CodeModeToolset
from toolscript.discovery.search_options import ToolSearchOptions
from toolscript.discovery.searchable_toolset import SearchableToolset
from toolscript.from_data import FromData, names_at
from toolscript.mcp.mistakes import TargetError, mistakes_in
from toolscript.results.tool_errors import ToolErrors
from toolscript.routing.callers import AllowedCallers
from toolscript.routing.rules import ToolRule
from toolscript_sandbox import Limits

FILE = 'toolscript.toml'
_WHOLE = 8_000_000
"""So much of a result reaches the server, which stores what is longer than `max_result_chars`."""


class ServeSettings(BaseModel, frozen=True, extra='forbid', strict=True):
    """How a target is served."""

    default_callers: AllowedCallers = 'code'
    """Who may call the tools whose callers no rule sets."""
    defer: Literal['marked', 'auto', 'all'] = 'auto'
    """Which tools wait until a search finds them: those that say so, or all once there are many, or all."""
    catalog: Literal['description', 'append'] = 'append'
    """Where the signature of a tool that a search found is: in the answer to the search, which each client shows its
    model; or in `run_code`'s description, for clients that read their tools again."""
    max_result_chars: Annotated[int, Field(ge=1)] = 20_000
    tool_errors: ToolErrors = 'type'
    start_seconds: float = 8.0
    """How long a list of tools waits for servers that start; clients themselves wait for half a minute or so."""
    limits: Annotated[Limits, FromData()] = Limits()
    search: Annotated[ToolSearchOptions, FromData()] = ToolSearchOptions()
    rules: list[Annotated[ToolRule, FromData()]] = []

    def offered(self, toolset: AbstractToolset[Any]) -> CodeModeToolset[Any]:
        """The toolset in code mode, behind a search."""
        rules = [_at_hand(rule) for rule in self.rules]
        if self.defer == 'all':
            rules.append(ToolRule(defer_loading=True))
        return CodeModeToolset(
            SearchableToolset(toolset, self.search, defer='marked' if self.defer == 'all' else self.defer),
            default_callers=self.default_callers,
            catalog=self.catalog,
            limits=self.limits,
            max_result_chars=_WHOLE,
            tool_errors=self.tool_errors,
            rules=rules,
            start_seconds=self.start_seconds,
        )


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
        settings = ServeSettings.model_validate(data, strict=True)
    except OSError as error:
        raise TargetError(str(file), [f'{error.strerror}.']) from error
    except UnicodeDecodeError as error:
        raise TargetError(str(file), ['it is not UTF-8 text; save it as UTF-8.']) from error
    except tomllib.TOMLDecodeError as error:
        raise TargetError(str(file), [f'not valid TOML: {error}.']) from error
    except ValidationError as error:
        raise TargetError(str(file), mistakes_in(error, _keys_of)) from error
    return settings


def settings_beside(target: str, given: Path | None) -> tuple[ServeSettings, Path | None]:
    """The settings for a target: in the file given, or in `toolscript.toml` beside the target or in this folder.

    Raises:
        TargetError: See `read_settings`.
    """
    beside = [Path(target).parent / FILE, Path(FILE)] if Path(target).is_file() else [Path(FILE)]
    file = given or next((place for place in beside if place.is_file()), None)
    return (ServeSettings(), None) if file is None else (read_settings(file), file)


def _keys_of(place: Sequence[str | int]) -> Iterable[str]:
    kinds: dict[str | int, type] = {'limits': Limits, 'search': ToolSearchOptions, 'rules': ToolRule}
    return names_at(kinds[place[0]], ()) if place and place[0] in kinds else ServeSettings.model_fields
