"""Modules and lazily built converters that forked processes find in memory."""

import gc
from contextlib import suppress
from importlib import import_module

from pydantic import TypeAdapter, ValidationError

from toolscript.stored_json import StoredJson
from toolscript_sandbox.execution.state import State, adapter

for name in (
    *('tests.toolscript.durability.crash_lab', 'tests.toolscript.undoing.undo_lab', 'toolscript.scripts.script'),
    *('toolscript.undoing.undoer', 'toolscript.sessions.saved_functions_toolset', 'toolscript_sandbox.session'),
    *('toolscript.postgres', 'genai_prices.data'),
):
    import_module(name)
adapter(State)
for found in gc.get_objects():
    if isinstance(found, TypeAdapter):
        found.rebuild()
    elif isinstance(found, StoredJson):
        with suppress(ValidationError):
            found.load('')
