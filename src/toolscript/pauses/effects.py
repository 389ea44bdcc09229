"""What a call of a tool does to the world: reads it, acts on it, or nobody has said.

A second call of what acts does it twice; an old answer of what reads may no longer be so. Marks decide: MCP's hints,
and `repeatable`. Without any, a verb in the name says which is likelier, and is believed only where a mistake does no
harm: nothing runs a second time because of its name.
"""

from typing import Literal

from pydantic_ai.tools import ToolDefinition

from toolscript.catalog.tool_specs import annotations_of
from toolscript.search.vocabulary.words import split_name

from .repeatable import is_repeatable

Effect = Literal['reads', 'acts', 'unknown']


def effect_of(tool_def: ToolDefinition) -> Effect:
    """What the tool's marks say, and where they say nothing its name."""
    hints = annotations_of(tool_def)
    if hints.get('readOnlyHint') is True:
        return 'reads'
    if hints.get('readOnlyHint') is False or hints.get('destructiveHint') is True:
        return 'acts'
    said = (tool_def.metadata or {}).get('repeatable')
    if isinstance(said, bool):
        return 'reads' if said else 'acts'
    return 'acts' if hints.get('idempotentHint') is True else _by_name(tool_def.name)


def only_reads(tool_def: ToolDefinition) -> bool:
    """Whether marks say that a call changes nothing, whoever makes it and however often. A name says too little."""
    return is_repeatable(tool_def) and effect_of(tool_def) == 'reads'


def _by_name(name: str) -> Effect:
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
