"""The keywords that our signatures name are those of the installed pydantic-ai."""

import inspect
from collections.abc import Callable
from typing import Any

import pydantic_ai
import pydantic_ai.toolsets
import pytest

from toolscript import tool_registration as keywords

pytestmark = pytest.mark.pydantic_ai

OWN = {'self', 'func'}


@pytest.mark.parametrize(
    ('upstream', 'ours', 'said_apart'),
    [
        (pydantic_ai.Agent.__init__, keywords.AgentKeywords, {'model', 'output_type', 'deps_type', 'capabilities'}),
        (pydantic_ai.Agent.tool, keywords.AgentToolKeywords, {'metadata'}),
        (pydantic_ai.Agent.tool_plain, keywords.AgentToolKeywords, {'metadata'}),
        (pydantic_ai.toolsets.FunctionToolset.__init__, keywords.FunctionToolsetKeywords, {'tools', 'metadata'}),
        (pydantic_ai.toolsets.FunctionToolset.tool, keywords.ToolsetToolKeywords, {'metadata'}),
        (pydantic_ai.toolsets.FunctionToolset.tool_plain, keywords.ToolsetToolKeywords, {'metadata'}),
    ],
    ids=lambda value: getattr(value, '__qualname__', ''),
)
def test_each_keyword_of_upstream_can_be_said(
    upstream: Callable[..., Any], ours: type[Any], said_apart: set[str]
) -> None:
    assert set(inspect.signature(upstream).parameters) - OWN == set(ours.__annotations__) | said_apart
