"""The settings of code mode, defined once.

`CodeModeToolset` and `CodeMode` inherit them; `from_data.py` derives the format of agents' specs in YAML and of
`toolscript.toml` from them. A new setting is a field here and the place that uses it.

Importing this module loads nothing that only runs need.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from pydantic_ai import UserError

from toolscript_sandbox import Limits

from .checks import at_least, flag, instance_of, one_of
from .discovery.search_options import ToolSearchOptions
from .results.tool_errors import ToolErrors
from .routing.placement import AllowedCallers
from .routing.rules import ToolRule, check_rules

if TYPE_CHECKING:
    from toolscript_sandbox import Sandbox

    from .catalog.result_shapes import ResultShapes
    from .durability.snapshots import Snapshots
    from .flows.rules import Flows
    from .sessions.files import Files
    from .sessions.saved_functions import SavedFunctions
    from .sessions.sessions import Sessions


def _snapshots() -> Snapshots:
    from .durability.snapshots import Snapshots

    return Snapshots()


@dataclass(kw_only=True)
class CodeModeSettings:
    """The settings that both `CodeModeToolset` and `CodeMode` take, by keyword."""

    default_callers: AllowedCallers = 'code'
    """Who may call tools without `allowed_callers`."""
    catalog: Literal['description', 'append'] = 'description'
    """Where the signatures of found tools go: into `run_code`'s description, or only into what is appended to the
    conversation, so that a discovery changes no byte before it and the provider's prompt cache survives."""
    catalog_tokens: int | None = None
    """The approximate number of tokens for signatures in `run_code`'s description; `None` for no limit. Tools with
    `metadata={'pinned': True}` come first, then the servers in turn; code can search for the others."""
    limits: Limits = field(default_factory=Limits)
    """What one script may use."""
    max_result_chars: int = 20_000
    """How much of a script's result the model gets, in characters of JSON. Code always has whole values."""
    max_retries: int = 3
    """How many failing scripts in a row the model may send before the run fails. Nested calls see the same number."""
    snapshots: Snapshots = field(default_factory=_snapshots)
    """How the state of a paused script is signed, and where it is stored until the script resumes."""
    sessions: Sessions | None = None
    """Whether variables persist into the next run of a conversation, and where they are stored. By default each run
    has its own."""
    functions: SavedFunctions | None = None
    """The saved functions: those that scripts save, and those in a folder. By default there are none."""
    files: Files | None = None
    """The folders of the host that scripts have, and whether they have a scratch folder. By default none."""
    reuse_finished_calls: bool = True
    """Whether calls that a failed script finished return their results to identical calls of the next one, instead of
    running again. Tools with `metadata={'read_only': True}` or `{'idempotent': True}`, or MCP's hints, run again."""
    tool_errors: ToolErrors = 'type'
    """What a script, and so the model, sees of an unexpected exception of a tool. `'type'`: the type, and a reference
    to the log entry with message and traceback. `'message'`: the message too, whatever it contains.
    `'raise'`: nothing; the exception ends the run, as on a direct call. `ModelRetry`, `ToolFailed`, refused arguments
    and the errors of an MCP server are always shown."""
    batching_hint_after: int | None = None
    """After this many scripts in a row with one call each, a hint asks for more calls per script; `None`: never."""
    show_result_shapes: bool = True
    """Whether the answer of a script that called tools without a return schema shows, once in a conversation, the shape
    of their results: keys and types, no values."""
    result_shapes: ResultShapes | None = field(default=None, repr=False)
    """The shapes of results, shared by all runs that get the same object. By default each run has its own."""
    start_seconds: float = 60.0
    """How long a step waits for MCP servers that it starts. The tools of slower servers are added later."""
    undo_on: Literal['error'] | None = None
    """`'error'`: when a script ends with an error that it did not catch, its changes are undone, where the tools
    declare how. Needs a store. See docs/undo.md."""
    undo_tool: bool = False
    """Whether the model gets `undo_script`, which lists the changes of a script and, once a person approves it, undoes
    them. Needs a store."""
    plan_writes: bool = False
    """Whether scripts ask once, before their first call of a tool that is not known to be read-only, for approval of
    all such calls that they will make. See docs/plans.md."""
    rules: Sequence[ToolRule] = ()
    """Rules for the wrapped tools, in order: for each setting of a tool, the first rule that sets it applies."""
    flows: Flows | None = None
    """Whether data is tracked from call to call, and the rules about where it may go. By default it is not."""
    sandbox: Sandbox | None = None
    """Where code runs; by default the pool that all runs of the process share."""
    _brings_store: ClassVar[bool] = False
    """Whether a subclass provides the store where one is needed."""

    def check(self) -> None:
        """Refuse invalid values. Raises `UserError` that names the setting and what it takes."""
        from .durability.snapshots import Snapshots

        one_of('default_callers', self.default_callers, get_args(AllowedCallers))
        one_of('catalog', self.catalog, ('description', 'append'))
        at_least('catalog_tokens', self.catalog_tokens, 1, or_none=True)
        instance_of('limits', self.limits, Limits)
        at_least('max_result_chars', self.max_result_chars, 1)
        at_least('max_retries', self.max_retries, 0)
        instance_of('snapshots', self.snapshots, Snapshots)
        for name in ('reuse_finished_calls', 'show_result_shapes', 'undo_tool', 'plan_writes'):
            flag(name, getattr(self, name))
        one_of('tool_errors', self.tool_errors, get_args(ToolErrors))
        at_least('batching_hint_after', self.batching_hint_after, 1, or_none=True)
        one_of('undo_on', self.undo_on, (None, 'error'))
        if (self.undo_on or self.undo_tool) and self.snapshots.store is None and not self._brings_store:
            setting = 'undo_tool' if self.undo_tool else 'undo_on'
            raise UserError(
                f'{setting} needs a record of calls that outlives them: pass snapshots=Snapshots(store=...).'
            )
        check_rules(self.rules)
        self._check_options()
        if self.flows is not None:
            from .flows.rules import Flows

            instance_of('flows', self.flows, Flows)
            if self.plan_writes or any(rule.plan_writes for rule in self.rules):
                # An approved plan does not record where the data of its calls comes from.
                raise UserError('flows and plan_writes cannot be used together; remove one of them.')

    def _check_options(self) -> None:
        """Check the options that have modules of their own, which are loaded only if one of them is used."""
        import toolscript

        kinds = {
            'result_shapes': 'ResultShapes',
            'sessions': 'Sessions',
            'functions': 'SavedFunctions',
            'files': 'Files',
            'sandbox': 'Sandbox',
        }
        for name, kind in kinds.items():
            if (option := getattr(self, name)) is not None:
                instance_of(name, option, getattr(toolscript, kind), or_none=True)

    def shared(self, **changes: Any) -> dict[str, Any]:
        """Return these settings, with changes, as keyword arguments for `CodeModeToolset`."""
        return {item.name: getattr(self, item.name) for item in fields(CodeModeSettings)} | changes


@dataclass(kw_only=True)
class SearchableCodeModeSettings(CodeModeSettings):
    """The settings of `CodeMode` and `toolscript.toml`: those of code mode, and those of the search for its tools."""

    search: ToolSearchOptions = field(default_factory=ToolSearchOptions)
    """How deferred tools are found."""
    defer: Literal['marked', 'auto'] = 'marked'
    """Which tools are deferred: see `SearchableToolset.defer`."""

    def check(self) -> None:
        super().check()
        instance_of('search', self.search, ToolSearchOptions)
        one_of('defer', self.defer, ('marked', 'auto'))
