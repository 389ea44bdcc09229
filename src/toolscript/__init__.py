"""A code-mode sandbox with discoverable tools for Pydantic AI agents."""

from toolscript_sandbox import Limits, Sandbox

from .agent import Agent
from .catalog.observations import Observations
from .code_mode import CodeMode
from .code_mode_toolset import CodeModeToolset, CodeModeWarning
from .discovery.config_files import ConfigError
from .discovery.native_search import ToolSearchWarning
from .discovery.search_function import search_function
from .discovery.search_options import DiscoveredToolInfo, SearchResult, ToolSearchOptions
from .discovery.short_names import ShortNames, ToolNameWarning
from .early_reads import EarlyReads
from .function_toolset import FunctionToolset
from .kept.functions import Functions
from .kept.kept_function import KeptFunction
from .mcp_server import MCPServer
from .offering.configured_search import ServerToolSearch
from .offering.output_from_code import OutputFromCode
from .offering.reminder import DeferredToolsReminder
from .offering.ruled_toolset import ToolRuleWarning
from .offering.search_config import ToolSearchConfig
from .offering.searchable_toolset import SearchableToolset
from .pauses.decisions import resolve
from .pauses.pending import PendingCall, pending_calls
from .pauses.rules import ApproveCalls
from .pauses.shelf import ScriptTaken
from .pauses.snapshots import SnapshotKeyWarning, Snapshots
from .pauses.stores import (
    BatchingStore,
    ClaimingStore,
    ClaimLost,
    DirectoryStore,
    FunctionStore,
    MemoryStore,
    SnapshotStore,
    SqliteStore,
)
from .routing.callers import AllowedCallers, allowed_callers
from .routing.tool_rules import ToolRule
from .sessions.sessions import Sessions
from .watching.events import ScriptCallEvent, ScriptPauseEvent, ScriptPrintEvent, ScriptResultEvent
from .watching.script_call import ScriptCall, script_calls

__all__ = [
    'Agent',
    'AllowedCallers',
    'ApproveCalls',
    'BatchingStore',
    'ClaimLost',
    'ClaimingStore',
    'CodeMode',
    'CodeModeToolset',
    'CodeModeWarning',
    'ConfigError',
    'DeferredToolsReminder',
    'DirectoryStore',
    'DiscoveredToolInfo',
    'EarlyReads',
    'FunctionStore',
    'FunctionToolset',
    'Functions',
    'KeptFunction',
    'Limits',
    'MCPServer',
    'MemoryStore',
    'Observations',
    'OutputFromCode',
    'PendingCall',
    'Sandbox',
    'ScriptCall',
    'ScriptCallEvent',
    'ScriptPauseEvent',
    'ScriptPrintEvent',
    'ScriptResultEvent',
    'ScriptTaken',
    'SearchResult',
    'SearchableToolset',
    'ServerToolSearch',
    'Sessions',
    'ShortNames',
    'SnapshotKeyWarning',
    'SnapshotStore',
    'Snapshots',
    'SqliteStore',
    'ToolNameWarning',
    'ToolRule',
    'ToolRuleWarning',
    'ToolSearchConfig',
    'ToolSearchOptions',
    'ToolSearchWarning',
    'allowed_callers',
    'pending_calls',
    'resolve',
    'script_calls',
    'search_function',
]


def __getattr__(name: str) -> str:
    if name != '__version__':
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    # Read from what is installed when somebody asks, which importing need not wait for.
    from importlib.metadata import version

    return version(__name__)
