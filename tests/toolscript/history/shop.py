"""A shop whose runs are rendered, and the removal of varying parts."""

import re
from typing import Any

from pydantic_ai import Agent, BinaryContent, ModelMessage
from pydantic_ai.exceptions import ToolFailed

from tests.toolscript.scripted import Script, Turn
from toolscript import CodeModeToolset, FunctionToolset, SearchableToolset

shop = FunctionToolset[object]()


@shop.tool_plain
def price(article: str) -> int:
    """What it costs."""
    if article == 'moon':
        raise ToolFailed('not for sale')
    return len(article)


@shop.tool_plain
def rows(n: int) -> list[dict[str, int]]:
    """Many."""
    return [{'id': number, 'square': number * number} for number in range(n)]


@shop.tool_plain(allowed_callers='direct')
def look(at: str) -> BinaryContent:
    """A picture."""
    return BinaryContent(b'x' * 1234, media_type='image/png')


@shop.tool_plain(requires_approval=True)
def buy(article: str) -> str:
    """Buy it."""
    return f'{article} bought'


@shop.tool_plain(defer_loading=True)
def warranty(article: str) -> str:
    """For how long there is a guarantee."""
    return 'two years'


async def run(*turns: Turn, **options: Any) -> list[ModelMessage]:
    """Return the messages of a run with these turns of the model."""
    agent = Agent(
        Script([*turns]).model, deps_type=object, toolsets=[CodeModeToolset(SearchableToolset(shop))], **options
    )
    return (await agent.run('What does tea cost?')).all_messages()


def plain(text: str) -> str:
    """Return the text without the parts that vary from run to run."""
    text = re.sub(r'\d+-\d\d-\d\d \d\d:\d\d:\d\d UTC', 'TIME', text)
    text = re.sub(r'\b[\d,]+ ms\b|\b[\d,]+\.\d s\b', 'SECONDS', text)
    text = re.sub(r'\b[\d,]+ tokens in( \([\d,]+ cached\))? · [\d,]+ out', 'TOKENS', text)
    return re.sub(r'(TIME) ─+', r'\1 ─', text)
