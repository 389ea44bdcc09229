"""Rules for the tools of toolsets that one does not own, selected by patterns.

A tool says who may call it and when it is loaded; the tools of other people's servers do not say it, or say something
else. Rules say it in their place. They are read in order: each setting of a tool comes from the first rule that
matches the tool and has the setting, so special rules come before general ones. Settings that no rule has stay as the
tool has them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, Literal

from pydantic_ai import UserError
from pydantic_ai.tools import ToolDefinition

from toolscript.checks import at_least, flag
from toolscript.guards import is_array, is_text

from .effects import WHEN_KNOWN, open_world_of, read_only_of, with_read_only
from .inverses import HowToUndo, checked_undo
from .placement import AllowedCallers, checked_callers


@dataclass(frozen=True, kw_only=True)
class ToolSettings:
    """The settings that rules can make for a tool; `None` leaves the tool's own."""

    mark_read_only: bool | None = None
    """Whether the tool is read-only, instead of its metadata. It is not, if its server says that it changes or
    destroys something. The marks of all rules apply before any rule's `read_only` is matched."""
    hidden: bool | None = None
    """Whether the tool is removed."""
    allowed_callers: AllowedCallers | None = None
    """Who may call it."""
    defer_loading: bool | None = None
    """Whether the tool is hidden until a search finds it."""
    requires_approval: bool | None = None
    """Whether each call waits for approval; `False` removes the tool's own requirement."""
    timeout: float | None = None
    """How many seconds a call may take."""
    max_calls: int | None = None
    """How often each tool may be called in a run."""
    max_result_chars: int | None = None
    """How long a result may be, in characters of JSON. A longer one is dropped, and the error asks for less."""
    undo: HowToUndo | None = None
    """The call that undoes a call of the tool: an `Undo`, or a function that returns it for a call and its result.
    `'none'` says that there is none."""
    plan_writes: bool | Literal['when_known'] | None = None
    """Whether calls that may change something are planned: one approval, before the first of them, for all that a
    script will make. Overrides code mode's `plan_writes`. `'when_known'`: a call whose arguments come from results
    of earlier calls is planned, and asks again when they are known."""

    @cached_property
    def says_nothing(self) -> bool:
        return all(getattr(self, name) is None for name in SETTINGS)


SETTINGS = tuple(item.name for item in fields(ToolSettings))


@dataclass(frozen=True)
class ToolMatch:
    """Selects tools: those that match everything that is given here."""

    tools: str | Sequence[str] = '*'
    """Shell patterns for the server's own names, without prefixes: one, or several of which one must match."""
    server: str = field(default='*', kw_only=True)
    """A pattern for the server: the id of its toolset, or `metadata={'server': ...}`; '' for toolsets without one."""
    when: Callable[[ToolDefinition], bool] | None = field(default=None, kw_only=True)
    """A predicate over the definition, for tools that match both patterns."""
    read_only: bool | None = field(default=None, kw_only=True)
    """`True` matches tools that are read-only, by metadata, MCP's `readOnlyHint` or `mark_read_only`. `False` matches
    all others."""
    open_world: bool | None = field(default=None, kw_only=True)
    """`True` matches tools whose results others may have written, by `metadata={'open_world': True}` or MCP's
    `openWorldHint`, and tools of MCP servers without the hint. `False` matches all others."""

    def __post_init__(self) -> None:
        names, kind = self._patterns, type(self).__name__
        if not names or not all(is_text(name) for name in names):
            raise UserError(f"tools of {kind} is {self.tools!r}; use a pattern, such as 'create_*', or a list.")
        if not is_text(self.server):
            raise UserError(f"server of {kind} is {self.server!r}; use a pattern, such as 'github' or 'git*'.")
        if self.when is not None and not callable(self.when):
            raise UserError(f'when of {kind} is {self.when!r}; use a function that takes a ToolDefinition.')
        for name in ('read_only', 'open_world'):
            if (value := getattr(self, name)) is not None:
                flag(f'{name} of {kind}', value)

    @property
    def _patterns(self) -> Sequence[str]:
        return [self.tools] if isinstance(self.tools, str) else self.tools

    def matches(self, server: str, name: str, tool_def: ToolDefinition) -> bool:
        """Return whether everything except `read_only` matches the tool.

        Args:
            server: The name of the tool's server; '' if unknown.
            name: The server's own name of the tool.
            tool_def: The definition that its toolset lists.
        """
        return (
            fnmatchcase(server, self.server)
            and any(fnmatchcase(name, pattern) for pattern in self._patterns)
            and (self.when is None or bool(self.when(tool_def)))
            and (self.open_world is None or self.open_world == open_world_of(tool_def))
        )


@dataclass(frozen=True)
class ToolRule(ToolMatch, ToolSettings):
    """Settings for all tools that match: `ToolRule('delete_*', server='github', requires_approval=True)`.

    `CodeModeToolset(..., rules=[...])` and `CodeMode(rules=[...])` take them. Each setting comes from the first rule
    that matches the tool and has the setting. Without one, the tool's own value applies.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.allowed_callers is not None:
            checked_callers(self.allowed_callers, str(self.tools))
        for name in ('mark_read_only', 'hidden', 'defer_loading', 'requires_approval'):
            if (value := getattr(self, name)) is not None:
                flag(f'{name} of ToolRule', value)
        if self.plan_writes not in (None, True, False, WHEN_KNOWN):
            raise UserError(f"plan_writes of ToolRule is {self.plan_writes!r}; use True, False or 'when_known'.")
        if self.undo is not None:
            checked_undo('undo of ToolRule', self.undo)
        at_least('max_calls of ToolRule', self.max_calls, 0, or_none=True)
        at_least('max_result_chars of ToolRule', self.max_result_chars, 1, or_none=True)
        if self.timeout is not None and (isinstance(self.timeout, bool) or not self.timeout > 0):
            raise UserError(f'timeout of ToolRule is {self.timeout!r}; use a number of seconds above 0.')
        if self.read_only is not None and self.mark_read_only is not None:
            raise UserError(f'{self} has read_only and mark_read_only; write two rules.')
        if self.says_nothing:
            raise UserError(f'{self} has no setting; add one of {", ".join(SETTINGS)}.')

    def __str__(self) -> str:
        items = sorted(fields(self), key=lambda item: item.name in SETTINGS)
        given = {item.name: value for item in items if (value := getattr(self, item.name)) != item.default}
        tools = '' if self.tools == '*' else repr(given.pop('tools'))
        return f'ToolRule({", ".join([*([tools] if tools else []), *(f"{k}={v!r}" for k, v in given.items())])})'


@dataclass
class RuleBook:
    """The rules of one code mode, and which of them have matched a tool."""

    rules: Sequence[ToolRule]
    matched: set[int] = field(default_factory=set[int])
    """The indexes of the rules that have matched."""
    seen: dict[tuple[str, str], ToolSettings] = field(default_factory=dict[tuple[str, str], ToolSettings])
    """The settings by server and name, cached if no rule looks at the definition."""
    names: set[str] = field(default_factory=set[str])
    """The servers' names of the tools that were settled."""
    warned: bool = False
    """Whether the developer was warned about rules that match nothing."""

    def settle(self, server: str, name: str, tool_def: ToolDefinition) -> ToolSettings:
        """Return the settings of a tool: each from the first rule that matches and has it."""
        known = self.seen.get((server, name))
        if known is not None:
            return known
        if len(self.names) < _MAX_SEEN:
            self.names.add(name)
        matching = [place for place, rule in enumerate(self.rules) if rule.matches(server, name, tool_def)]
        self.matched.update(matching)
        rules = [self.rules[place] for place in matching]
        mark = next((rule.mark_read_only for rule in rules if rule.mark_read_only is not None), None)
        if mark is not None:
            tool_def = replace(tool_def, metadata=with_read_only(tool_def.metadata, mark))
        read_only = read_only_of(tool_def) is True
        settings: dict[str, Any] = {}
        for rule in rules:
            if rule.read_only in (None, read_only):
                settings = {key: value for key in SETTINGS if (value := getattr(rule, key)) is not None} | settings
        settled = ToolSettings(**settings)
        looking = any((rule.when, rule.read_only, rule.open_world) != (None, None, None) for rule in self.rules)
        if not looking and len(self.seen) < _MAX_SEEN:
            self.seen[server, name] = settled
        return settled

    def idle(self) -> list[ToolRule]:
        return [rule for place, rule in enumerate(self.rules) if place not in self.matched]


_MAX_SEEN = 100_000


def server_of(tool_def: ToolDefinition) -> str | None:
    server = (tool_def.metadata or {}).get('server')
    return server if isinstance(server, str) else tool_def.toolset_id


def check_rules(rules: object) -> None:
    """Refuse anything but a list of rules. Raises `UserError` if it is something else."""
    if not is_array(rules) or not all(isinstance(rule, ToolRule) for rule in rules):
        raise UserError(f"rules is {rules!r}; use a list: rules=[ToolRule('delete_*', requires_approval=True)].")
