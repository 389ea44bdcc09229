"""Loads what runs need when the first run starts, so that building an agent stays fast."""

import asyncio
import sys
from importlib import import_module
from typing import Any

from .code_mode_steps import pass_imports_through


class OnDemand:
    """A module that is imported when one of its names is first used."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self._module), name)


async def load_what_runs_need() -> None:
    """Import it in a thread, because that takes long and would block the event loop."""
    pass_imports_through()
    if not hasattr(sys.modules.get(f'{__package__}._lazy'), 'LOADED'):
        await asyncio.to_thread(_load)


def _load() -> None:
    from toolscript_sandbox.language.syntax import uncollected

    with uncollected():
        import_module('._lazy', __package__)
