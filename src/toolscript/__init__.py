"""A code-mode sandbox with discoverable tools for Pydantic AI agents."""

from toolscript_sandbox import Limits, Sandbox

from .callers import AllowedCallers, allowed_callers
from .code_mode import CodeMode
from .code_mode_toolset import CodeModeToolset, CodeModeWarning
from .function_toolset import FunctionToolset
from .search_options import DiscoveredToolInfo, SearchResult, ToolSearchOptions
from .searchable_toolset import SearchableToolset

__all__ = [
    'AllowedCallers',
    'CodeMode',
    'CodeModeToolset',
    'CodeModeWarning',
    'DiscoveredToolInfo',
    'FunctionToolset',
    'Limits',
    'Sandbox',
    'SearchResult',
    'SearchableToolset',
    'ToolSearchOptions',
    'allowed_callers',
]
