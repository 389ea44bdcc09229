"""Results of searches that tell Python signatures, where no description will show them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import ToolReturn
from pydantic_ai.messages import ModelMessage

from toolscript.discovery.discoveries import SIGNED_KEY
from toolscript.discovery.search_options import DiscoveredToolInfo, SearchResult
from toolscript.discovery.search_tool import SearchTool

from .run_code_tool import RunCodeTool

_search_result = TypeAdapter(SearchResult)


def signed(
    result: ToolReturn[Any], search: SearchTool[Any], run_code: RunCodeTool[Any], messages: Sequence[ModelMessage]
) -> ToolReturn[Any]:
    """The result of a search, with the signature of each function that nothing else tells: once in a conversation.

    Where no description shows found functions, it is a text, of which JSON would make a fifth more tokens.
    """
    found = _search_result.validate_python(result.return_value)
    told = run_code.told(messages)
    names = [info['name'] for info in found['tools'] if _tells(run_code, info['name']) and info['name'] not in told]
    run_code.step.told.update(dict.fromkeys(names))
    if run_code.search_signs and search.options.tool_renderer is None:
        value: object = _text(found, names, told, run_code)
    else:
        value = SearchResult(
            message=found['message'], tools=[_signed_info(info, names, search, run_code) for info in found['tools']]
        )
    return replace(result, return_value=value, metadata={**(result.metadata or {}), SIGNED_KEY: names})


def _tells(run_code: RunCodeTool[Any], name: str) -> bool:
    functions = run_code.functions
    return name in functions.crowded_out or (run_code.search_signs and name in functions.tools)


def _text(found: SearchResult, names: Sequence[str], told: Sequence[str], run_code: RunCodeTool[Any]) -> str:
    """What was found before, what tools outside of code do, and the signatures of the others."""
    tools = run_code.functions.tools
    before = ', '.join(info['name'] for info in found['tools'] if info['name'] in told)
    direct = [info for info in found['tools'] if info['name'] not in tools]
    lines = [f'- {info["name"]}: {info.get("description") or ""}' for info in direct]
    heading = [found['message'], *([f'Shown before: {before}.'] if before else []), *lines]
    signatures = run_code.functions.catalog.additions(names, known=told) if names else ''
    return '\n\n'.join(filter(None, ['\n'.join(heading), signatures]))


def _signed_info(
    info: DiscoveredToolInfo, names: Sequence[str], search: SearchTool[Any], run_code: RunCodeTool[Any]
) -> DiscoveredToolInfo:
    if info['name'] not in names:
        return info
    signature = run_code.functions.catalog.of(info['name']).render('full')
    if search.options.tool_renderer is not None:
        return {**info, 'signature': signature}
    # The docstring of the signature is the description.
    return {'name': info['name'], 'signature': signature}
