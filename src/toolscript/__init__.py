"""A code-mode sandbox with discoverable tools for Pydantic AI agents.

A name is imported when somebody first asks for it: `import toolscript` by itself costs next to nothing.
"""

import gc as _gc
from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolscript_sandbox import FileLimits, Folder, Limits, Sandbox

    from .agent import Agent
    from .approvals.decisions import ApproveCalls, resolve
    from .approvals.pending import PendingCall, pending_calls
    from .approvals.review import CallTooLong
    from .catalog.result_shapes import ResultShapes
    from .code_mode import CodeMode
    from .code_mode_toolset import CodeModeToolset, CodeModeWarning
    from .discovery.config_files import ConfigError
    from .discovery.native_search import ToolSearchWarning
    from .discovery.search_options import DiscoveredToolInfo, SearchResult, ToolSearchOptions
    from .discovery.searching import search_function
    from .discovery.truncated_names import ToolNameWarning, TruncatedNames
    from .durability.encryption import EncryptionKey
    from .durability.sealed_store import ScriptLocked
    from .durability.snapshots import SnapshotKeyWarning, Snapshots
    from .files.files import Files
    from .files.scratch import Scratch
    from .function_toolset import FunctionToolset
    from .kept.functions import SavedFunctions
    from .kept.kept_function import SavedFunction
    from .mcp.server import MCPServer
    from .offering.code_output import CodeOutput
    from .offering.configured_search import NativeToolSearch
    from .offering.reminder import DeferredToolsReminder
    from .offering.ruled_toolset import ToolRuleWarning
    from .offering.search_config import ToolSearchConfig
    from .offering.searchable_toolset import SearchableToolset
    from .routing.callers import AllowedCallers, allowed_callers
    from .routing.tool_rules import ToolRule
    from .sessions.sessions import Sessions
    from .speculative_reads import SpeculativeReads
    from .stores import (
        BatchingStore,
        DirectoryStore,
        FunctionStore,
        LockingStore,
        LockLost,
        MemoryStore,
        SnapshotStore,
        SqliteStore,
        TimestampingStore,
    )
    from .watching.events import ScriptCallEvent, ScriptPauseEvent, ScriptPrintEvent, ScriptResultEvent
    from .watching.script_call import ScriptCall, script_calls

__all__ = [
    'Agent',
    'AllowedCallers',
    'ApproveCalls',
    'BatchingStore',
    'CallTooLong',
    'CodeMode',
    'CodeModeToolset',
    'CodeModeWarning',
    'CodeOutput',
    'ConfigError',
    'DeferredToolsReminder',
    'DirectoryStore',
    'DiscoveredToolInfo',
    'EncryptionKey',
    'FileLimits',
    'Files',
    'Folder',
    'FunctionStore',
    'FunctionToolset',
    'Limits',
    'LockLost',
    'LockingStore',
    'MCPServer',
    'MemoryStore',
    'NativeToolSearch',
    'PendingCall',
    'ResultShapes',
    'Sandbox',
    'SavedFunction',
    'SavedFunctions',
    'Scratch',
    'ScriptCall',
    'ScriptCallEvent',
    'ScriptLocked',
    'ScriptPauseEvent',
    'ScriptPrintEvent',
    'ScriptResultEvent',
    'SearchResult',
    'SearchableToolset',
    'Sessions',
    'SnapshotKeyWarning',
    'SnapshotStore',
    'Snapshots',
    'SpeculativeReads',
    'SqliteStore',
    'TimestampingStore',
    'ToolNameWarning',
    'ToolRule',
    'ToolRuleWarning',
    'ToolSearchConfig',
    'ToolSearchOptions',
    'ToolSearchWarning',
    'TruncatedNames',
    'allowed_callers',
    'pending_calls',
    'resolve',
    'script_calls',
    'search_function',
]

_HOMES = {
    'toolscript_sandbox': 'FileLimits Folder Limits Sandbox',
    '.agent': 'Agent',
    '.catalog.result_shapes': 'ResultShapes',
    '.code_mode': 'CodeMode',
    '.code_mode_toolset': 'CodeModeToolset CodeModeWarning',
    '.discovery.config_files': 'ConfigError',
    '.discovery.native_search': 'ToolSearchWarning',
    '.discovery.searching': 'search_function',
    '.discovery.search_options': 'DiscoveredToolInfo SearchResult ToolSearchOptions',
    '.discovery.truncated_names': 'TruncatedNames ToolNameWarning',
    '.speculative_reads': 'SpeculativeReads',
    '.files.files': 'Files',
    '.files.scratch': 'Scratch',
    '.function_toolset': 'FunctionToolset',
    '.kept.functions': 'SavedFunctions',
    '.kept.kept_function': 'SavedFunction',
    '.mcp.server': 'MCPServer',
    '.offering.configured_search': 'NativeToolSearch',
    '.offering.code_output': 'CodeOutput',
    '.offering.reminder': 'DeferredToolsReminder',
    '.offering.ruled_toolset': 'ToolRuleWarning',
    '.offering.search_config': 'ToolSearchConfig',
    '.offering.searchable_toolset': 'SearchableToolset',
    '.approvals.decisions': 'ApproveCalls resolve',
    '.durability.encryption': 'EncryptionKey',
    '.approvals.pending': 'PendingCall pending_calls',
    '.approvals.review': 'CallTooLong',
    '.durability.sealed_store': 'ScriptLocked',
    '.durability.snapshots': 'SnapshotKeyWarning Snapshots',
    '.stores': (
        'BatchingStore LockLost LockingStore TimestampingStore DirectoryStore FunctionStore MemoryStore SnapshotStore '
        'SqliteStore'
    ),
    '.routing.callers': 'AllowedCallers allowed_callers',
    '.routing.tool_rules': 'ToolRule',
    '.sessions.sessions': 'Sessions',
    '.watching.events': 'ScriptCallEvent ScriptPauseEvent ScriptPrintEvent ScriptResultEvent',
    '.watching.script_call': 'ScriptCall script_calls',
}
"""The modules of the names, in the order of the imports above."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> object:
        if name == '__version__':
            # Read from what is installed.
            return _import_module('importlib.metadata').version(__name__)
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
        collected = _gc.isenabled()
        # Modules are no garbage: to look through all that there are meanwhile took a sixth of the time.
        _gc.disable()
        try:
            value = globals()[name] = getattr(_import_module(home, __name__), name)
        finally:
            if collected:
                _gc.enable()
        return value


def __dir__() -> list[str]:
    return [*__all__, '__version__']
