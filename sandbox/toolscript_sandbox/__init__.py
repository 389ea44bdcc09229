"""Runs scripts of Python in a sandbox and passes their calls to the host.

Names are imported on first use, so importing the package alone costs almost nothing.
"""

# ruff: isort: skip_file

from importlib import import_module as _import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # To type checkers, a name that is imported as itself is exported.
    from .contract.calls import Call as Call, CallRecord as CallRecord, Dispatch as Dispatch, PlainValue as PlainValue
    from .contract.calls import Status as Status, Waiting as Waiting
    from .contract.errors import Deferred as Deferred, OtherVersion as OtherVersion, ReplayDiffers as ReplayDiffers
    from .contract.errors import SandboxError as SandboxError, SnippetError as SnippetError, StateError as StateError
    from .contract.errors import ToolError as ToolError, Unavailable as Unavailable
    from .contract.foreign_text import clean as clean, text_of as text_of
    from .contract.frozen_clock import FrozenClock as FrozenClock, HostClock as HostClock
    from .contract.functions import Function as Function, Functions as Functions
    from .contract.limits import Limits as Limits
    from .contract.outcomes import Completed as Completed, Failed as Failed, Outcome as Outcome
    from .contract.outcomes import SavedSession as SavedSession, Suspended as Suspended, Variable as Variable
    from .contract.tracing import Tracing as Tracing
    from .event_loop.cancellation import abandon as abandon
    from .event_loop.loop_turns import wait_for_run_slot as wait_for_run_slot
    from .event_loop.loop_turns import wait_for_step_slot as wait_for_step_slot
    from .execution.answers import failed_record as failed_record
    from .execution.in_flight import Checkpoint as Checkpoint
    from .execution.preview import EndPreview as EndPreview
    from .execution.state import calls_made as calls_made, can_be_loaded as can_be_loaded
    from .language.self_contained import NotSelfContained as NotSelfContained, SelfContained as SelfContained
    from .language.self_contained import bindings as bindings, free_variables as free_variables
    from .language.self_contained import function_in as function_in, imported as imported
    from .language.self_contained import self_contained as self_contained
    from .messages.truncation import infer_shape as infer_shape, quoted as quoted, truncate as truncate
    from .mounts.folders import FileLimits as FileLimits, Folder as Folder, check_folders as check_folders
    from .mounts.host_files import HostFiles as HostFiles
    from .sandbox import Sandbox as Sandbox
    from .serialization.serialize import MAX_BYTES as MAX_BYTES, Serialized as Serialized, serialize as serialize
    from .serialization.serialize import to_json as to_json
    from .session import Session as Session
    from .speculation.foresight import NameKind as NameKind, SpeculativeCall as SpeculativeCall
    from .speculation.foresight import Speculator as Speculator
    from .speculation.terms import Unknown as Unknown, value_of as value_of
    from .transforms.preparation import variables_of as variables_of
    from .workers.workers import Stats as Stats

_HOMES = {
    '.contract.frozen_clock': 'FrozenClock HostClock',
    '.contract.calls': 'Call CallRecord PlainValue Dispatch Status Waiting',
    '.contract.errors': (
        'SandboxError SnippetError StateError OtherVersion ReplayDiffers ToolError Unavailable Deferred'
    ),
    '.contract.foreign_text': 'clean text_of',
    '.contract.functions': 'Function Functions',
    '.contract.limits': 'Limits',
    '.contract.outcomes': 'Completed Failed Outcome SavedSession Suspended Variable',
    '.contract.tracing': 'Tracing',
    '.event_loop.cancellation': 'abandon',
    '.event_loop.loop_turns': 'wait_for_run_slot wait_for_step_slot',
    '.mounts.folders': 'FileLimits Folder check_folders',
    '.mounts.host_files': 'HostFiles',
    '.speculation.foresight': 'SpeculativeCall Speculator NameKind',
    '.speculation.terms': 'Unknown value_of',
    '.transforms.preparation': 'variables_of',
    '.workers.workers': 'Stats',
    '.execution.answers': 'failed_record',
    '.execution.in_flight': 'Checkpoint',
    '.execution.preview': 'EndPreview',
    '.execution.state': 'calls_made can_be_loaded',
    '.sandbox': 'Sandbox',
    '.session': 'Session',
    '.messages.truncation': 'infer_shape quoted truncate',
    '.language.self_contained': (
        'NotSelfContained SelfContained bindings free_variables function_in imported self_contained'
    ),
    '.serialization.serialize': 'MAX_BYTES Serialized serialize to_json',
}
"""The module of each public name."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}

if not TYPE_CHECKING:
    __all__ = sorted(_HOME_OF)

    def __getattr__(name: str) -> object:
        home = _HOME_OF.get(name)
        if home is None:
            raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
        value = globals()[name] = getattr(_import_module(home, __name__), name)
        return value


def __dir__() -> list[str]:
    return [*_HOME_OF]
