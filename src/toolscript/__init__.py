"""A code-mode sandbox with discoverable tools for Pydantic AI agents.

Names are imported when they are first used, so `import toolscript` by itself costs next to nothing.
"""

# ruff: isort: skip_file

import gc as _gc
from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # To type checkers, a name that is imported as itself is exported.
    from toolscript_sandbox import FileLimits as FileLimits, Folder as Folder, Limits as Limits, Sandbox as Sandbox

    from .approvals.decisions import ApproveCalls as ApproveCalls, resolve as resolve
    from .approvals.grants import Grant as Grant
    from .approvals.pending import PendingCall as PendingCall, pending_calls as pending_calls
    from .approvals.review import CallTooLong as CallTooLong
    from .catalog.result_shapes import ResultShapes as ResultShapes
    from .code_mode import CodeMode as CodeMode
    from .code_mode_steps import CodeModeSteps as CodeModeSteps
    from .code_mode_toolset import CodeModeToolset as CodeModeToolset, CodeModeWarning as CodeModeWarning
    from .discovery.native_search import ToolSearchWarning as ToolSearchWarning
    from .discovery.native_tool_search import NativeToolSearch as NativeToolSearch
    from .discovery.reminder import DeferredToolsReminder as DeferredToolsReminder
    from .discovery.search_config import ToolSearchConfig as ToolSearchConfig
    from .discovery.search_options import (
        DiscoveredToolInfo as DiscoveredToolInfo,
        SearchResult as SearchResult,
        ToolSearchOptions as ToolSearchOptions,
    )
    from .discovery.searchable_toolset import SearchableToolset as SearchableToolset
    from .discovery.searching import search_function as search_function
    from .discovery.truncated_names import ToolNameWarning as ToolNameWarning, TruncatedNames as TruncatedNames
    from .durability.encryption import EncryptionKey as EncryptionKey
    from .durability.sealed_store import ScriptLocked as ScriptLocked
    from .durability.snapshots import SnapshotKeyWarning as SnapshotKeyWarning, Snapshots as Snapshots
    from .flows.rules import FlowRule as FlowRule, Flows as Flows
    from .function_toolset import FunctionToolset as FunctionToolset
    from .mcp.server import MCPServer as MCPServer
    from .mistakes import ConfigError as ConfigError
    from .observability.events import (
        ScriptCallEvent as ScriptCallEvent,
        ScriptPauseEvent as ScriptPauseEvent,
        ScriptPrintEvent as ScriptPrintEvent,
        ScriptResultEvent as ScriptResultEvent,
        ScriptUndoEvent as ScriptUndoEvent,
    )
    from .observability.script_calls import ScriptCall as ScriptCall, script_calls as script_calls
    from .routing.inverses import Undo as Undo
    from .routing.placement import AllowedCallers as AllowedCallers, allowed_callers as allowed_callers
    from .routing.ruled_toolset import ToolRuleWarning as ToolRuleWarning
    from .routing.rules import ToolMatch as ToolMatch, ToolRule as ToolRule
    from .run_code.code_output import CodeOutput as CodeOutput
    from .sessions.files import Files as Files, Scratch as Scratch
    from .sessions.saved_function import SavedFunction as SavedFunction
    from .sessions.saved_functions import SavedFunctions as SavedFunctions
    from .sessions.sessions import Sessions as Sessions
    from .speculative_reads import SpeculativeReads as SpeculativeReads
    from .stores.directory import DirectoryStore as DirectoryStore
    from .stores.sqlite import SqliteStore as SqliteStore
    from .stores.store import (
        BatchingStore as BatchingStore,
        FunctionStore as FunctionStore,
        LockingStore as LockingStore,
        LockLost as LockLost,
        MemoryStore as MemoryStore,
        SnapshotStore as SnapshotStore,
        TimestampingStore as TimestampingStore,
    )
    from .undoing.report import UndoCall as UndoCall, UndoReport as UndoReport
    from .undoing.undo import undo as undo

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
    '.discovery.search_config': 'ToolSearchConfig',
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
    '.mistakes': 'ConfigError',
    '.discovery.native_tool_search': 'NativeToolSearch',
    '.run_code.code_output': 'CodeOutput',
    '.discovery.reminder': 'DeferredToolsReminder',
    '.routing.ruled_toolset': 'ToolRuleWarning',
    '.discovery.searchable_toolset': 'SearchableToolset',
    '.routing.placement': 'AllowedCallers allowed_callers',
    '.routing.inverses': 'Undo',
    '.routing.rules': 'ToolMatch ToolRule',
    '.sessions.sessions': 'Sessions',
    '.stores.directory': 'DirectoryStore',
    '.stores.sqlite': 'SqliteStore',
    '.stores.store': 'BatchingStore FunctionStore LockingStore LockLost MemoryStore SnapshotStore TimestampingStore',
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
    __all__ = sorted(_HOME_OF)

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
    return [*_HOME_OF, '__version__']
