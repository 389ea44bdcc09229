"""A code-mode sandbox with discoverable tools for Pydantic AI agents."""

from toolscript_sandbox import Limits, Sandbox

from .agent import Agent
from .callers import AllowedCallers, allowed_callers
from .code_mode import CodeMode
from .code_mode_toolset import CodeModeToolset, CodeModeWarning
from .decisions import resolve
from .function_toolset import FunctionToolset
from .mcp_server import MCPServer
from .native_search import ToolSearchWarning
from .observations import Observations
from .pending import PendingCall, pending_calls
from .rules import ApproveCalls
from .search_options import DiscoveredToolInfo, SearchResult, ToolSearchOptions
from .searchable_toolset import SearchableToolset
from .snapshots import SnapshotKeyWarning, Snapshots
from .stores import DirectoryStore, MemoryStore, SnapshotStore, SqliteStore

__all__ = [
    'Agent',
    'AllowedCallers',
    'ApproveCalls',
    'CodeMode',
    'CodeModeToolset',
    'CodeModeWarning',
    'DirectoryStore',
    'DiscoveredToolInfo',
    'FunctionToolset',
    'Limits',
    'MCPServer',
    'MemoryStore',
    'Observations',
    'PendingCall',
    'Sandbox',
    'SearchResult',
    'SearchableToolset',
    'SnapshotKeyWarning',
    'SnapshotStore',
    'Snapshots',
    'SqliteStore',
    'ToolSearchOptions',
    'ToolSearchWarning',
    'allowed_callers',
    'pending_calls',
    'resolve',
]
