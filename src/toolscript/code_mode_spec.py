"""Code mode's settings as plain data, as an agent's spec in YAML or JSON has them."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from pydantic_ai import UserError
from typing_extensions import TypedDict

from toolscript_sandbox import Limits

from .discovery.search_options import ToolSearchOptions

_CLOSED = ConfigDict(extra='forbid')


@with_config(_CLOSED)
class SearchSpec(TypedDict, total=False):
    """The part of `ToolSearchOptions` that is plain data."""

    algorithm: Literal['ranked', 'bm25', 'regex', 'keywords']
    max_results: int
    preload: int
    preload_tokens: int
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


_search = TypeAdapter(SearchSpec)
_limits = TypeAdapter(LimitsSpec)


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


def _validated(setting: str, adapter: TypeAdapter[Any], names: Iterable[str], spec: object) -> dict[str, Any]:
    try:
        return adapter.validate_python(spec)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = '.'.join(map(str, (setting, *first['loc'])))
        if first['type'] == 'extra_forbidden':
            raise UserError(f'CodeMode has no setting {place}; {setting} takes {", ".join(names)}.') from error
        raise UserError(f'{place} of CodeMode is {first["input"]!r}: {first["msg"]}.') from error
