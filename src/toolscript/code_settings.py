"""What code mode is told, whichever door it comes through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, get_args

from toolscript_sandbox import Limits

from .catalog.observations import Observations
from .checks import at_least, flag, instance_of, one_of
from .results.tool_errors import ToolErrors
from .routing.callers import AllowedCallers
from .routing.rules import ToolRule, check_rules

if TYPE_CHECKING:
    from toolscript_sandbox import Sandbox

    from .durability.snapshots import Snapshots
    from .sessions.files import Files
    from .sessions.saved_functions import Functions
    from .sessions.sessions import Sessions


class CodeSettings(Protocol):
    """What `CodeModeToolset` and `CodeMode` are both told."""

    default_callers: AllowedCallers
    catalog: Literal['description', 'append']
    catalog_tokens: int | None
    limits: Limits
    max_result_chars: int
    max_retries: int
    snapshots: Snapshots
    sessions: Sessions | None
    functions: Functions | None
    files: Files | None
    reuse_results: bool
    tool_errors: ToolErrors
    hint_after: int | None
    observe: bool
    observations: Observations | None
    rules: Sequence[ToolRule]
    sandbox: Sandbox | None


def check_code_settings(settings: CodeSettings) -> None:
    """Refuse what cannot be meant.

    Raises:
        UserError: A setting has a value that may not stand there.
    """
    from . import in_runs

    one_of('default_callers', settings.default_callers, get_args(AllowedCallers))
    one_of('catalog', settings.catalog, ('description', 'append'))
    at_least('catalog_tokens', settings.catalog_tokens, 1, or_none=True)
    instance_of('limits', settings.limits, Limits)
    at_least('max_result_chars', settings.max_result_chars, 1)
    at_least('max_retries', settings.max_retries, 0)
    instance_of('snapshots', settings.snapshots, in_runs.Snapshots)
    instance_of('sessions', settings.sessions, in_runs.Sessions, or_none=True)
    instance_of('functions', settings.functions, in_runs.Functions, or_none=True)
    instance_of('files', settings.files, in_runs.Files, or_none=True)
    flag('reuse_results', settings.reuse_results)
    at_least('hint_after', settings.hint_after, 1, or_none=True)
    one_of('tool_errors', settings.tool_errors, get_args(ToolErrors))
    flag('observe', settings.observe)
    instance_of('observations', settings.observations, Observations, or_none=True)
    check_rules(settings.rules)
    instance_of('sandbox', settings.sandbox, in_runs.Sandbox, or_none=True)
