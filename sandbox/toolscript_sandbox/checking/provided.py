"""Findings about names that the dialect provides and the checker's library lacks."""

from __future__ import annotations

import builtins
import re

from toolscript_sandbox.contract.functions import Functions
from toolscript_sandbox.language.dialect import BUILTINS, MODULES

from .checker import Diagnostic


def is_provided(finding: Diagnostic, functions: Functions) -> bool:
    """Whether the finding is about a module, a member of one, or a builtin that a polyfill or the host provides."""
    match finding.rule, re.findall(r'`([^`]*)`', finding.message):
        case 'unresolved-import' | 'unresolved-attribute', [module, name] if finding.message.startswith('Module '):
            provided = module in MODULES and name in MODULES[module].providers
            return provided or f'{module}.{name}' in _PACKAGES or functions.get(name) is not None
        case 'unresolved-import', [module]:
            return module in _PACKAGES
        case 'unresolved-reference', [name]:
            return hasattr(builtins, name) and name not in BUILTINS.refused
        case _:
            return False


_PACKAGES = frozenset(
    '.'.join(parts[: place + 1]) for name in MODULES for parts in [name.split('.')] for place in range(len(parts))
)
"""The modules of the table, and the packages that they are in."""
