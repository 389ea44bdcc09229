"""Run a snippet of Python in a sandbox and hand out the calls it makes."""

from .contract.as_of import AsOf
from .contract.calls import Call, CallRecord, Dispatch, Status, Waiting
from .contract.errors import SandboxError, SnippetError, StateError, ToolError, Unavailable, Wait
from .contract.foreign_text import clean, text_of
from .contract.functions import Function, Functions
from .contract.kept import Kept, Variable
from .contract.limits import Limits
from .contract.outcomes import Completed, Failed, Outcome, Suspended
from .contract.tracing import Tracing
from .files.folders import FileLimits, Folder, check_folders
from .files.host_files import HostFiles
from .foreseeing.foresight import ForeseenCall, Foresight, NameKind
from .foreseeing.terms import NotKnown, value_of
from .lowering.snippet import variables_of
from .running.loop_turns import turn_for_step
from .running.state import calls_made, can_be_loaded
from .running.stats import Stats
from .running.values import MOST_BYTES, Carried, carried_or_told_aside, to_json
from .sandbox import Sandbox
from .session import Session
from .telling.view import shape_of, view
from .text.standalone import NotStandalone, Standalone, defines, function_in, imported, reads, standalone

__all__ = [
    'MOST_BYTES',
    'AsOf',
    'Call',
    'CallRecord',
    'Carried',
    'Completed',
    'Dispatch',
    'Failed',
    'FileLimits',
    'Folder',
    'ForeseenCall',
    'Foresight',
    'Function',
    'Functions',
    'HostFiles',
    'Kept',
    'Limits',
    'NameKind',
    'NotKnown',
    'NotStandalone',
    'Outcome',
    'Sandbox',
    'SandboxError',
    'Session',
    'SnippetError',
    'Standalone',
    'StateError',
    'Stats',
    'Status',
    'Suspended',
    'ToolError',
    'Tracing',
    'Unavailable',
    'Variable',
    'Wait',
    'Waiting',
    'calls_made',
    'can_be_loaded',
    'carried_or_told_aside',
    'check_folders',
    'clean',
    'defines',
    'function_in',
    'imported',
    'reads',
    'shape_of',
    'standalone',
    'text_of',
    'to_json',
    'turn_for_step',
    'value_of',
    'variables_of',
    'view',
]
