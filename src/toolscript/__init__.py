"""A code-mode sandbox with discoverable tools for Pydantic AI agents."""

from toolscript_sandbox import Limits, Sandbox

from .agent import Agent
from .callers import AllowedCallers, allowed_callers
from .code_mode import CodeMode
from .code_mode_toolset import CodeModeToolset, CodeModeWarning
from .config_files import ConfigError
from .configured_search import ServerToolSearch
from .decisions import resolve
from .function_toolset import FunctionToolset
from .mcp_server import MCPServer
from .native_search import ToolSearchWarning
from .observations import Observations
from .pending import PendingCall, pending_calls
from .reminder import DeferredToolsReminder
from .rules import ApproveCalls
from .search_config import ToolSearchConfig
from .search_options import DiscoveredToolInfo, SearchResult, ToolSearchOptions
from .searchable_toolset import SearchableToolset
from .short_names import ShortNames, ToolNameWarning
from .snapshots import SnapshotKeyWarning, Snapshots
from .stores import DirectoryStore, MemoryStore, SnapshotStore, SqliteStore

__all__ = [
    'Agent',
    'AllowedCallers',
    'ApproveCalls',
    'CodeMode',
    'CodeModeToolset',
    'CodeModeWarning',
    'ConfigError',
    'DeferredToolsReminder',
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
    'ServerToolSearch',
    'ShortNames',
    'SnapshotKeyWarning',
    'SnapshotStore',
    'Snapshots',
    'SqliteStore',
    'ToolNameWarning',
    'ToolSearchConfig',
    'ToolSearchOptions',
    'ToolSearchWarning',
    'allowed_callers',
    'pending_calls',
    'resolve',
]
