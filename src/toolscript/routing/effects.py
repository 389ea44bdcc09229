"""The effects of a tool's calls on the world, according to metadata and MCP's hints.

`metadata={'read_only': True}`: a call changes nothing, so it may start speculatively and run again. With
`{'idempotent': True}`, a second call changes nothing more, so it may run again. `False` overrules the server's hints.
If both say nothing, a verb in the name says whether a call has probably changed something. The name is trusted only
where a mistake does no harm: because of it, no call runs twice, starts early or goes without approval.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic_ai.tools import ToolDefinition

from toolscript.guards import fields

Effect = Literal['reads', 'acts', 'unknown']
WHEN_KNOWN = 'when_known'
"""The value of a rule's `plan_writes` besides true and false."""


def annotations_of(tool_def: ToolDefinition) -> Mapping[str, object]:
    """Return the MCP annotations of a tool (`readOnlyHint` and so on), empty if there are none."""
    return fields((tool_def.metadata or {}).get('annotations'))


def read_only_of(tool_def: ToolDefinition) -> bool | None:
    """Return whether a call changes nothing; `None` if neither metadata nor the server says.

    If they disagree, the call is not read-only, and neither is one that the server calls destructive.
    """
    hints = (tool_def.metadata or {}).get('read_only'), annotations_of(tool_def).get('readOnlyHint')
    if any(value is False for value in hints) or (destructive_of(tool_def) and hints[1] is not True):
        return False
    return True if any(value is True for value in hints) else None


def destructive_of(tool_def: ToolDefinition) -> bool | None:
    """Return whether a call may destroy something; `None` if the server does not say."""
    hint = annotations_of(tool_def).get('destructiveHint')
    return hint if isinstance(hint, bool) else None


def open_world_of(tool_def: ToolDefinition) -> bool:
    """Return whether others may write what the tool returns: pages, mails, issues.

    `metadata={'open_world': ...}` decides, then MCP's `openWorldHint`. If both are absent, it is true for tools of
    MCP servers, as MCP defines it, and false for Python functions.
    """
    metadata = tool_def.metadata or {}
    for hint in (metadata.get('open_world'), annotations_of(tool_def).get('openWorldHint')):
        if isinstance(hint, bool):
            return hint
    # Only tools of MCP servers have annotations, even if empty ones.
    return 'annotations' in metadata


def plans_writes(tool_def: ToolDefinition) -> bool | None:
    """Return whether calls of the tool are planned if they change something; `None` if the tool does not say."""
    value = (tool_def.metadata or {}).get('plan_writes')
    return True if value == WHEN_KNOWN else value if isinstance(value, bool) else None


def asks_when_known(tool_def: ToolDefinition) -> bool:
    """Return whether a planned call of the tool asks again once all its arguments are known."""
    return (tool_def.metadata or {}).get('plan_writes') == WHEN_KNOWN


def with_read_only(metadata: dict[str, Any] | None, value: bool | None) -> dict[str, Any] | None:
    return metadata if value is None else {**(metadata or {}), 'read_only': value}


def may_run_again(tool_def: ToolDefinition) -> bool:
    """Return whether a second identical call does no harm, because the tool is read-only or idempotent.

    `metadata={'idempotent': False}` forbids it for read-only tools too, whose calls may cost money. With
    `{'read_only': False}`, the server's `idempotentHint` is ignored like its `readOnlyHint`.
    """
    metadata = tool_def.metadata or {}
    value = metadata.get('idempotent')
    if isinstance(value, bool):
        return value
    is_hinted = annotations_of(tool_def).get('idempotentHint') is True
    return read_only_of(tool_def) is True or (is_hinted and metadata.get('read_only') is not False)


def may_run_early(tool_def: ToolDefinition) -> bool:
    """Return whether a call may start before it is known to be needed."""
    return read_only_of(tool_def) is True and may_run_again(tool_def)


def effect_of(tool_def: ToolDefinition) -> Effect:
    """Return the effect according to metadata and hints, and according to the name if they say nothing."""
    read_only = read_only_of(tool_def)
    if read_only is not None:
        return 'reads' if read_only else 'acts'
    # Whether a call is idempotent matters only if it acts.
    return 'acts' if may_run_again(tool_def) else _by_name(tool_def.name)


def _by_name(name: str) -> Effect:
    from toolscript.search.terms import split_name

    words = [word.lower() for word in split_name(name)]
    if not _ALWAYS_ACTING.isdisjoint(words):
        return 'acts'
    first = next((word for word in words if word in _READING or word in _ACTING), '')
    return 'reads' if first in _READING else 'acts' if first else 'unknown'


_READING_WORDS = 'check count describe fetch find get has is list lookup look query read search show view'
_ALWAYS_ACTING_WORDS = 'create delete insert remove send update upload write'
_ACTING_WORDS = (
    'add approve assign book buy cancel charge close commit deposit edit execute merge move order pay post publish '
    'push put refund rename reply reset run save schedule set start stop submit transfer withdraw'
)
_READING = frozenset(_READING_WORDS.split())
_ALWAYS_ACTING = frozenset(_ALWAYS_ACTING_WORDS.split())
_ACTING = frozenset(_ACTING_WORDS.split())
