"""Whether anybody has a say in an agent's calls of tools.

Each capability of an agent is asked before, around and after each call, with a copy of the run's context made for it.
Those that every agent has say nothing there, and most agents have no others. A script makes thousands of calls, so who
would say nothing is not asked.
"""

from functools import lru_cache
from typing import Any

from pydantic_ai.capabilities import AbstractCapability, CombinedCapability
from pydantic_ai.tools import AgentDepsT

_MOMENTS = ('before_', 'after_', 'wrap_', 'on_', 'handle_')
HOOKS = frozenset(name for name in dir(AbstractCapability) if 'tool' in name and name.startswith(_MOMENTS))
"""The methods with which a capability takes part in a call of a tool, whichever the installed pydantic-ai has."""


def with_tool_hooks(root: AbstractCapability[AgentDepsT] | None) -> AbstractCapability[AgentDepsT] | None:
    """The capabilities, for whoever calls tools; `None` where none of them takes part in that."""
    if type(root) is not CombinedCapability:
        return root
    parts = list[AbstractCapability[AgentDepsT]]()
    root.apply(parts.append)
    return root if any(map(_takes_part, parts)) else None


def _takes_part(capability: AbstractCapability[AgentDepsT]) -> bool:
    # A hook may be set on the object, too.
    return _have_hooks(type(capability)) or not HOOKS.isdisjoint(getattr(capability, '__dict__', ()))


@lru_cache(maxsize=256)
def _have_hooks(kind: type[AbstractCapability[Any]]) -> bool:
    return any(getattr(kind, name) is not getattr(AbstractCapability, name) for name in HOOKS)
