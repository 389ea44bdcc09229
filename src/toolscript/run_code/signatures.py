"""Python signatures of found functions, told where no description shows them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import ToolReturn
from pydantic_ai.messages import InstructionPart, ModelMessage

from toolscript.discovery.discoveries import SIGNED_KEY, discoveries, signed_names
from toolscript.discovery.search_options import DiscoveredToolInfo, SearchResult
from toolscript.discovery.search_tool import SearchTool
from toolscript.routing.placement import RUN_CODE

from .tool import RunCodeTool

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


def late_signatures(run_code: RunCodeTool[Any], messages: Sequence[ModelMessage]) -> list[InstructionPart]:
    """Instructions that tell them, appended to the conversation; none where results tell them all.

    A result tells the signatures of what it found. What another framework's search found, or a search without them, or
    a user's own words, is told here: what became known together in an instruction of its own, so that none changes when
    another comes.
    """
    signed = signed_names(messages)
    parts = list[InstructionPart]()
    known = list(run_code.described)
    for batch in _batches(run_code, messages):
        untold = [name for name in batch if name not in signed and name not in known]
        if untold:
            parts.append(_part(run_code, untold, known))
        known += batch
    return parts


def _batches(run_code: RunCodeTool[Any], messages: Sequence[ModelMessage]) -> Iterator[list[str]]:
    """The functions on show that were found, each with those that became known with it."""
    search = run_code.functions.search
    told = [*(() if search is None else search.known.batches), *discoveries(messages)]
    left = dict.fromkeys(run_code.found)
    for names in [*told, run_code.found]:
        batch = [name for name in dict.fromkeys(names) if name in left]
        for name in batch:
            del left[name]
        if batch:
            yield batch


def _part(run_code: RunCodeTool[Any], names: Sequence[str], known: Iterable[str]) -> InstructionPart:
    text = run_code.functions.catalog.additions(names, known=known)
    run_code_name = run_code.functions.shown_name(RUN_CODE)
    return InstructionPart(
        f'Also defined in {run_code_name}:\n\n{text}',
        dynamic=True,
        on_change='append',
        name=f'functions_{sha256(" ".join(names).encode()).hexdigest()[:8]}',
    )
