"""Run a snippet of Python in a sandbox and hand out the calls it makes."""

from .contract.calls import Call, CallRecord, Dispatch, Waiting
from .contract.errors import SandboxError, SnippetError, StateError, ToolError, Unavailable, Wait
from .contract.functions import Function, Functions
from .contract.limits import Limits
from .contract.outcomes import Completed, Failed, Outcome, Suspended
from .lowering.snippet import variables_of
from .running.stats import Stats
from .running.values import to_json
from .sandbox import Sandbox
from .session import Session
from .telling.view import view

__all__ = [
    'Call',
    'CallRecord',
    'Completed',
    'Dispatch',
    'Failed',
    'Function',
    'Functions',
    'Limits',
    'Outcome',
    'Sandbox',
    'SandboxError',
    'Session',
    'SnippetError',
    'StateError',
    'Stats',
    'Suspended',
    'ToolError',
    'Unavailable',
    'Wait',
    'Waiting',
    'to_json',
    'variables_of',
    'view',
]
