"""The names of a server's tools next to those of other servers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.tools import AgentDepsT
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset

from toolscript.routing.placement import by_own_name, renamed


def names_with_server(server: str, names: Iterable[str]) -> dict[str, str]:
    """Return the outside name of each tool, by its name on the server.

    It is `SERVER_TOOL`, or the tool's own name if that already begins with the server's: `git_log` of `git` stays. It
    depends on this server alone, so that no other server renames its tools.
    """
    prefix = _as_prefix(server)
    known = [*names]
    plain = {name: name if begins_with_server(name, server) else f'{prefix}_{name}' for name in known}
    if len({*plain.values()}) == len(known):
        return plain
    return {name: f'{prefix}_{name}' for name in known}


def begins_with_server(name: str, server: str) -> bool:
    return re.match(rf'{re.escape(_folded(_as_prefix(server)))}[_.]', _folded(name)) is not None


def _as_prefix(server: str) -> str:
    prefix = re.sub(r'[^A-Za-z0-9_-]', '_', server)
    # Providers accept ASCII only, and nothing else would distinguish servers whose names have other letters.
    is_plain = re.search(r'[A-Za-z0-9]', prefix) is not None
    return prefix if is_plain else f'server_{sha256(server.encode("utf-8", "surrogatepass")).hexdigest()[:6]}'


def _folded(name: str) -> str:
    return name.casefold().replace('-', '_')


@dataclass
class NamedAfterServer(WrapperToolset[AgentDepsT]):
    """A server's tools under names that include the server's, and with the server in their metadata, for searches."""

    server: str

    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        tools = await super().get_tools(ctx)
        names = names_with_server(self.server, tools)
        named = {name: renamed(tool, names[name], _NAME_ON_SERVER, server=self.server) for name, tool in tools.items()}
        return {names[name]: replace(tool, toolset=self) for name, tool in named.items()}

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[AgentDepsT], tool: ToolsetTool[AgentDepsT]
    ) -> Any:
        tool, ctx = by_own_name(tool, ctx, _NAME_ON_SERVER)
        return await super().call_tool(tool.tool_def.name, tool_args, ctx, tool)


_NAME_ON_SERVER = 'toolscript_name_on_server'
