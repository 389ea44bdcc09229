"""Names that no kept function may have, whatever an application's tools are called."""

import builtins
import keyword

from toolscript.routing.placement import RUN_CODE, SEARCH_IN_CODE

SAVE_FUNCTION = 'save_function'
_OWN = frozenset({RUN_CODE, SEARCH_IN_CODE, SAVE_FUNCTION, 'final_result', 'final_text'})


def why_reserved(name: str) -> str | None:
    """Why the name is taken; `None` where it is not."""
    if name in _OWN:
        return f'{name} is a name of code mode itself'
    if hasattr(builtins, name) or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return f"{name} is a name of Python's own"
    return None
