"""Rules about which data may reach which calls."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from pydantic_ai import UserError
from pydantic_ai.models import Model
from pydantic_ai.tools import ToolDefinition

from toolscript.checks import flag, instance_of, one_of
from toolscript.guards import is_array, is_text
from toolscript.routing.effects import read_only_of
from toolscript.routing.ruled_toolset import OWN_NAME
from toolscript.routing.rules import ToolMatch, server_of

Then: TypeAlias = Literal['allow', 'ask', 'refuse']


@dataclass(frozen=True, kw_only=True)
class FlowRule:
    """What happens if data from a source reaches a call: `FlowRule(sink=ToolMatch('send_*'), then='refuse')`.

    The first rule that matches the source, the sink and the argument decides.
    """

    source: ToolMatch = field(default_factory=ToolMatch)
    """The tools whose results the rule is about. Variables set by unknown scripts have the server `variables`, files
    the server `files`; both count as `open_world`."""
    sink: ToolMatch = field(default_factory=ToolMatch)
    """The tools whose calls the rule is about."""
    arguments: str | Sequence[str] | None = None
    """The name of an argument of these calls, or several names. `None` covers all arguments, and the call itself if the
    model read the source before it wrote the script."""
    then: Then = 'ask'
    """`'ask'`: the call waits for an approval. `'refuse'`: it raises `PermissionError`, and if the script's text proves
    that it happens, the script does not start. `'allow'`: it runs."""

    def __post_init__(self) -> None:
        instance_of('source of FlowRule', self.source, ToolMatch)
        instance_of('sink of FlowRule', self.sink, ToolMatch)
        names = [self.arguments] if isinstance(self.arguments, str) else self.arguments
        if names is not None and (not is_array(names) or not names or not all(map(is_text, names))):
            raise UserError(f"arguments of FlowRule is {self.arguments!r}; use a name, such as 'to', or a list.")
        one_of('then of FlowRule', self.then, get_args(Then))

    def covers(self, argument: str) -> bool:
        """Return whether the rule applies to this argument; `''` is the call itself."""
        names = [self.arguments] if isinstance(self.arguments, str) else self.arguments
        return names is None or argument in names


DEFAULT_RULES = (FlowRule(source=ToolMatch(open_world=True), sink=ToolMatch(read_only=False), then='ask'),)


@dataclass(frozen=True, kw_only=True)
class Flows:
    """Tracks data from tool calls to tool calls, and applies rules to it.

    Pass it as `CodeModeToolset(..., flows=Flows())` or `CodeMode(flows=Flows())`.
    """

    rules: Sequence[FlowRule] = ()
    """The rules, in order of precedence. A default rule follows them: results of `open_world` tools reach tools that
    are not read-only only after an approval."""
    defaults: bool = True
    """Whether the default rule applies. Without it, calls that no rule matches run."""
    strict: bool = False
    """Whether conditions count as sources. If so, a script that only compares a text and then sends another one counts
    as sending data from the first."""
    show_results: bool = False
    """Whether the model reads results that come from a source of a rule. If so, everything it writes later comes from
    that source, too. Otherwise it reads their size and shape, and the name of the variable that holds them."""
    extract: Model | str | None = None
    """A model or its name. Scripts then have `await extract(value, 'the due date', date)`: that model, without tools,
    reads the value and returns a typed answer, which keeps the origins of the value."""

    def __post_init__(self) -> None:
        if not is_array(self.rules) or not all(isinstance(rule, FlowRule) for rule in self.rules):
            raise UserError(f"rules of Flows is {self.rules!r}; use a list: rules=[FlowRule(then='refuse')].")
        for name in ('defaults', 'strict', 'show_results'):
            flag(f'{name} of Flows', getattr(self, name))
        if not isinstance(self.extract, str):
            instance_of('extract of Flows', self.extract, Model, or_none=True)

    @property
    def all_rules(self) -> Sequence[FlowRule]:
        """The rules, including the default rule."""
        return [*self.rules, *(DEFAULT_RULES if self.defaults else ())]


def matches(match: ToolMatch, tool_def: ToolDefinition) -> bool:
    """Return whether a tool matches, by its name on its server or its name in the agent."""
    if match.read_only is not None and match.read_only != (read_only_of(tool_def) is True):
        return False
    metadata = tool_def.metadata or {}
    server = metadata.get(OWN_NAME, ('', tool_def.name))[0] or server_of(tool_def) or ''
    names = {metadata.get(OWN_NAME, ('', tool_def.name))[1], tool_def.name}
    return any(match.matches(server, name, tool_def) for name in names)


def decide(rules: Iterable[tuple[FlowRule, int]], sources: int, argument: str) -> dict[Then, int]:
    """Return what rules about the sink require for an argument, each action with the sources that cause it."""
    found = dict[Then, int]()
    for rule, matched in rules:
        if sources & matched and rule.covers(argument):
            found[rule.then] = found.get(rule.then, 0) | sources & matched
            sources &= ~matched
    return found
