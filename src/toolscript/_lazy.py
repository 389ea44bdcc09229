"""Everything that runs of a `CodeModeToolset` need: loaded, in a thread, when the first run starts.

That is signatures, the sandbox with Monty, scripts and pauses; search, sessions, speculative reads and the steps of
durable engines are imported where they are used. A program that builds an agent and never runs it, such as a command
that only prints its help, loads none of it.
"""

# ruff: noqa: F401
# pyright: reportUnusedImport=false

from toolscript_sandbox import Sandbox

from .catalog.function_metadata import with_file_types, with_function_metadata
from .catalog.result_shapes import ResultShapes
from .catalog.tool_specs import yield_if_many
from .discovery.discoveries import discovered_names
from .discovery.misdirected_calls import answer_misdirected, shown_names
from .discovery.native_search import refuse_search_of_provider
from .discovery.search_tool import SearchTool
from .discovery.searchable_toolset import SearchableToolset
from .observability.tracing import report_catalog, tracing_of
from .results.wording import visible, worded
from .run_code.code_output import any_answer_tools, gives_output, with_answers
from .run_code.history import hinted
from .run_code.other_toolsets import joined, misdirected_code_calls, offered_again, relist
from .run_code.signatures import late_signatures
from .run_code.tool import RunCodeTool, arrange, describe, run_code_tool, with_searchable
from .scripts.run_state import RunState
from .scripts.script import Script

IS_LOADED = True
"""Set last: while another thread still imports this module, it exists without this name."""
