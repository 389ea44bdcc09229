"""A code-mode sandbox with discoverable tools for Pydantic AI agents.

Names are imported when they are first used, so `import toolscript` by itself costs next to nothing.
"""

import gc as _gc
from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolscript_sandbox import FileLimits, Folder, Limits, Sandbox

    from .approvals.decisions import ApproveCalls, resolve
    from .approvals.grants import Grant
    from .approvals.pending import PendingCall, pending_calls
    from .approvals.review import CallTooLong
    from .catalog.result_shapes import ResultShapes
    from .code_mode import CodeMode
    from .code_mode_steps import CodeModeSteps
    from .code_mode_toolset import CodeModeToolset, CodeModeWarning
    from .discovery.native_search import ToolSearchWarning
    from .discovery.native_tool_search import NativeToolSearch
    from .discovery.reminder import DeferredToolsReminder
    from .discovery.search_config import ConfigError, ToolSearchConfig
    from .discovery.search_options import DiscoveredToolInfo, SearchResult, ToolSearchOptions
    from .discovery.searchable_toolset import SearchableToolset
    from .discovery.searching import search_function
    from .discovery.truncated_names import ToolNameWarning, TruncatedNames
    from .durability.encryption import EncryptionKey
    from .durability.sealed_store import ScriptLocked
    from .durability.snapshots import SnapshotKeyWarning, Snapshots
    from .flows.rules import FlowRule, Flows
    from .function_toolset import FunctionToolset
    from .mcp.server import MCPServer
    from .observability.events import (
        ScriptCallEvent,
        ScriptPauseEvent,
        ScriptPrintEvent,
        ScriptResultEvent,
        ScriptUndoEvent,
    )
    from .observability.script_calls import ScriptCall, script_calls
    from .routing.inverses import Undo
    from .routing.placement import AllowedCallers, allowed_callers
    from .routing.ruled_toolset import ToolRuleWarning
    from .routing.rules import ToolMatch, ToolRule
    from .run_code.code_output import CodeOutput
    from .sessions.files import Files, Scratch
    from .sessions.saved_function import SavedFunction
    from .sessions.saved_functions import SavedFunctions
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
    from .undoing.report import UndoCall, UndoReport
    from .undoing.undo import undo

__all__ = [
    'AllowedCallers',
    'ApproveCalls',
    'BatchingStore',
    'CallTooLong',
    'CodeMode',
    'CodeModeSteps',
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
    'FlowRule',
    'Flows',
    'Folder',
    'FunctionStore',
    'FunctionToolset',
    'Grant',
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
    'ScriptUndoEvent',
    'SearchResult',
    'SearchableToolset',
    'Sessions',
    'SnapshotKeyWarning',
    'SnapshotStore',
    'Snapshots',
    'SpeculativeReads',
    'SqliteStore',
    'TimestampingStore',
    'ToolMatch',
    'ToolNameWarning',
    'ToolRule',
    'ToolRuleWarning',
    'ToolSearchConfig',
    'ToolSearchOptions',
    'ToolSearchWarning',
    'TruncatedNames',
    'Undo',
    'UndoCall',
    'UndoReport',
    'allowed_callers',
    'pending_calls',
    'resolve',
    'script_calls',
    'search_function',
    'undo',
]

_HOMES = {
    'toolscript_sandbox': 'FileLimits Folder Limits Sandbox',
    '.approvals.decisions': 'ApproveCalls resolve',
    '.approvals.grants': 'Grant',
    '.approvals.pending': 'PendingCall pending_calls',
    '.approvals.review': 'CallTooLong',
    '.catalog.result_shapes': 'ResultShapes',
    '.code_mode': 'CodeMode',
    '.code_mode_steps': 'CodeModeSteps',
    '.code_mode_toolset': 'CodeModeToolset CodeModeWarning',
    '.discovery.search_config': 'ConfigError ToolSearchConfig',
    '.discovery.native_search': 'ToolSearchWarning',
    '.discovery.search_options': 'DiscoveredToolInfo SearchResult ToolSearchOptions',
    '.discovery.searching': 'search_function',
    '.discovery.truncated_names': 'ToolNameWarning TruncatedNames',
    '.durability.encryption': 'EncryptionKey',
    '.durability.sealed_store': 'ScriptLocked',
    '.durability.snapshots': 'SnapshotKeyWarning Snapshots',
    '.speculative_reads': 'SpeculativeReads',
    '.sessions.files': 'Files Scratch',
    '.flows.rules': 'FlowRule Flows',
    '.function_toolset': 'FunctionToolset',
    '.sessions.saved_functions': 'SavedFunctions',
    '.sessions.saved_function': 'SavedFunction',
    '.mcp.server': 'MCPServer',
    '.discovery.native_tool_search': 'NativeToolSearch',
    '.run_code.code_output': 'CodeOutput',
    '.discovery.reminder': 'DeferredToolsReminder',
    '.routing.ruled_toolset': 'ToolRuleWarning',
    '.discovery.searchable_toolset': 'SearchableToolset',
    '.routing.placement': 'AllowedCallers allowed_callers',
    '.routing.inverses': 'Undo',
    '.routing.rules': 'ToolMatch ToolRule',
    '.sessions.sessions': 'Sessions',
    '.stores': (
        'BatchingStore LockingStore LockLost TimestampingStore DirectoryStore FunctionStore MemoryStore '
        'SnapshotStore SqliteStore'
    ),
    '.undoing.report': 'UndoCall UndoReport',
    '.undoing.undo': 'undo',
    '.observability.events': 'ScriptCallEvent ScriptPauseEvent ScriptPrintEvent ScriptResultEvent ScriptUndoEvent',
    '.observability.script_calls': 'ScriptCall script_calls',
}
"""The modules that define the names, in the order of the imports above."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> object:
        if name == '__version__':
            # Read from the installed package.
            return _import_module('importlib.metadata').version(__name__)
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
        collected = _gc.isenabled()
        # Loaded modules are no garbage; collecting while they load took a sixth of the time.
        _gc.disable()
        try:
            value = globals()[name] = getattr(_import_module(home, __name__), name)
        finally:
            if collected:
                _gc.enable()
        return value


def __dir__() -> list[str]:
    return [*__all__, '__version__']
