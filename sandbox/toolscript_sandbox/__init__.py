"""Run a snippet of Python in a sandbox and hand out the calls it makes."""

from .calls import Call, CallRecord, Dispatch, Waiting
from .errors import SandboxError, SnippetError, StateError, ToolError, Unavailable, Wait
from .functions import Function, Functions
from .limits import Limits
from .outcomes import Completed, Failed, Outcome, Suspended
from .sandbox import Sandbox
from .session import Session
from .snippet import variables_of
from .values import to_json
from .view import view

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
    'Suspended',
    'ToolError',
    'Unavailable',
    'Wait',
    'Waiting',
    'to_json',
    'variables_of',
    'view',
]
