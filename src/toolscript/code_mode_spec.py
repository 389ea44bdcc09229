"""Code mode's settings as plain data, as an agent's spec in YAML or JSON has them."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, Literal, Required

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from pydantic_ai import UserError
from typing_extensions import TypedDict

from toolscript_sandbox import Folder, Limits

from .discovery.search_options import ToolSearchOptions
from .routing.callers import AllowedCallers
from .routing.rules import ToolRule
from .sessions.files import Files, Scratch
from .sessions.saved_functions import Functions
from .sessions.sessions import Sessions
from .stores import SqliteStore

_CLOSED = ConfigDict(extra='forbid')


@with_config(_CLOSED)
class SearchSpec(TypedDict, total=False):
    """The part of `ToolSearchOptions` that is plain data."""

    algorithm: Literal['ranked', 'bm25', 'regex', 'keywords']
    max_results: int
    prefetch: int
    prefetch_tokens: int
    tool_name: str
    on_unsupported: Literal['fallback', 'error']


@with_config(_CLOSED)
class LimitsSpec(TypedDict, total=False):
    """The bounds of one snippet, as in `Limits`."""

    script_seconds: float
    memory_bytes: int
    calls: int
    calls_in_flight: int
    printed_chars: int
    sleep_seconds: float
    result_bytes: int
    argument_bytes: int
    recursion_depth: int
    code_chars: int
    settle_seconds: float


@with_config(_CLOSED)
class SessionsSpec(TypedDict, total=False):
    """The part of `Sessions` that is plain data, and the SQLite file that is the store."""

    sqlite: str
    expires_after_hours: float
    max_bytes: int
    wait_seconds: float
    max_sessions: int
    max_total_bytes: int


@with_config(_CLOSED)
class ScratchSpec(TypedDict, total=False):
    """The part of `Scratch` that is plain data."""

    root: Required[str]
    max_bytes: int
    max_files: int
    expires_after_hours: float


@with_config(_CLOSED)
class FilesSpec(TypedDict, total=False):
    """The part of `Files` that is plain data: folders of the host by the names that scripts know them by."""

    read: dict[str, str]
    write: dict[str, str]
    scratch: str | ScratchSpec
    large_results: bool


@with_config(_CLOSED)
class RuleSpec(TypedDict, total=False):
    """The part of `ToolRule` that is plain data."""

    tools: str | list[str]
    server: str
    read_only: bool
    mark_read_only: bool
    hidden: bool
    allowed_callers: AllowedCallers
    defer_loading: bool
    requires_approval: bool
    timeout: float
    max_calls: int
    max_result_chars: int


@with_config(_CLOSED)
class FunctionsSpec(TypedDict, total=False):
    """The part of `Functions` that is plain data, and the SQLite file that is the store."""

    sqlite: str
    scope: Literal['conversation', 'all']
    folder: str
    approve: bool
    defer_loading: bool
    max_functions: int
    max_versions: int
    max_chars: int


_files = TypeAdapter(FilesSpec)
_search = TypeAdapter(SearchSpec)
_limits = TypeAdapter(LimitsSpec)
_sessions = TypeAdapter(SessionsSpec)
_rule = TypeAdapter(RuleSpec)
_functions = TypeAdapter(FunctionsSpec)


def search_options(spec: SearchSpec) -> ToolSearchOptions:
    """The options of a spec.

    Raises:
        UserError: It holds what is none of them.
    """
    return ToolSearchOptions(**_validated('search', _search, SearchSpec.__annotations__, spec))


def limits_from(spec: LimitsSpec) -> Limits:
    """The limits of a spec; what it leaves out is as `Limits` has it.

    Raises:
        UserError: It holds what is none of them.
    """
    return Limits(**_validated('limits', _limits, LimitsSpec.__annotations__, spec))


def sessions_from(spec: bool | SessionsSpec) -> Sessions | None:
    """What a spec says of sessions: whether there are any, or how they are kept.

    Raises:
        UserError: It holds what is none of it.
    """
    if isinstance(spec, bool):
        return Sessions() if spec else None
    said = _validated('sessions', _sessions, SessionsSpec.__annotations__, spec)
    if 'expires_after_hours' in said:
        said['expires_after'] = timedelta(hours=said.pop('expires_after_hours'))
    if 'wait_seconds' in said:
        said['wait'] = timedelta(seconds=said.pop('wait_seconds'))
    store = SqliteStore(said.pop('sqlite')) if 'sqlite' in said else None
    return Sessions(store, **said)


def files_from(spec: FilesSpec) -> Files:
    """The files of a spec.

    Raises:
        UserError: It holds what is none of it.
    """
    said = _validated('files', _files, FilesSpec.__annotations__, spec)
    folders = {**said.pop('read', {}), **{name: _writable(host) for name, host in said.pop('write', {}).items()}}
    scratch = said.pop('scratch', None)
    return Files(folders, scratch if isinstance(scratch, str | None) else _scratch(scratch), **said)


def _scratch(spec: dict[str, Any]) -> Scratch:
    if 'expires_after_hours' in spec:
        spec['expires_after'] = timedelta(hours=spec.pop('expires_after_hours'))
    return Scratch(**spec)


def _writable(host: str) -> Folder:
    try:
        return Folder(host, writable=True)
    except ValueError as error:
        raise UserError(f'files.write of CodeMode: {error}.') from error


def rules_from(specs: Sequence[RuleSpec]) -> list[ToolRule]:
    """The rules of a spec, in its order.

    Raises:
        UserError: One holds what is none of a rule.
    """
    names = RuleSpec.__annotations__
    return [ToolRule(**_validated(f'rules[{place}]', _rule, names, spec)) for place, spec in enumerate(specs)]


def functions_from(spec: FunctionsSpec) -> Functions:
    """Which functions stay, by a spec.

    Raises:
        UserError: It holds what is none of it.
    """
    said = _validated('functions', _functions, FunctionsSpec.__annotations__, spec)
    return Functions(SqliteStore(said.pop('sqlite')) if 'sqlite' in said else None, **said)


def _validated(setting: str, adapter: TypeAdapter[Any], names: Iterable[str], spec: object) -> dict[str, Any]:
    try:
        return adapter.validate_python(spec)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = '.'.join(map(str, (setting, *first['loc'])))
        if first['type'] == 'extra_forbidden':
            raise UserError(f'CodeMode has no setting {place}; {setting} takes {", ".join(names)}.') from error
        raise UserError(f'{place} of CodeMode is {first["input"]!r}: {first["msg"]}.') from error
