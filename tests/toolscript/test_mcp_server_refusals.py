"""`MCPServer` starts programs; whatever else it is given is refused in a sentence that names what takes it."""

import sys
from pathlib import Path
from typing import Any

import pytest
from fastmcp.client.transports import StdioTransport
from pydantic_ai import UserError

from toolscript import MCPServer

pytestmark = pytest.mark.pydantic_ai

APART = "MCPServer takes the program and its arguments separately: MCPServer('npx', ['-y', 'some-server'])."
LISTED = "MCPServer takes a program and a list of arguments: MCPServer('npx', ['-y', 'some-server'])."


@pytest.mark.parametrize(
    ('given', 'message'),
    [
        (
            ('https://mcp.example/x',),
            "MCPServer starts a program, and 'https://mcp.example/x' is a URL: "
            "use pydantic_ai.mcp.MCPToolset('https://mcp.example/x').",
        ),
        ((['npx', '-y', 'server'],), APART),
        ((('npx', 'server'),), APART),
        (
            (StdioTransport('npx', []),),
            'MCPServer starts a program by name, and this is a StdioTransport: use pydantic_ai.mcp.MCPToolset.',
        ),
        ((None,), 'MCPServer starts a program by name, and this is a NoneType: use pydantic_ai.mcp.MCPToolset.'),
        (('npx', '-y server'), LISTED),
        (('npx', None), LISTED),
        (('',), LISTED),
    ],
)
def test_what_is_no_program_is_refused_at_once(given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(UserError) as refused:
        MCPServer(*given)
    assert str(refused.value) == message


def test_arguments_may_follow_the_program() -> None:
    assert MCPServer(Path(sys.executable), ['-m', 'server'], id='s').label


def test_without_the_client_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'fastmcp.client.transports', None)
    with pytest.raises(ImportError, match=r"pip install 'toolscript\[mcp\]'"):
        MCPServer('npx')
