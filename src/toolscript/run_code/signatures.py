"""Python signatures of found functions that no description shows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from pydantic import TypeAdapter
from pydantic_ai import ToolReturn
from pydantic_ai.messages import InstructionPart, ModelMessage

from toolscript.discovery.discoveries import SIGNATURES_KEY, discoveries, names_with_signatures
from toolscript.discovery.search_options import DiscoveredToolInfo, SearchResult
from toolscript.discovery.search_tool import SearchTool
from toolscript.routing.placement import RUN_CODE

from .functions import CodeFunctions

_search_result = TypeAdapter(SearchResult)


def with_signatures(
    result: ToolReturn[Any],
    search: SearchTool[Any],
    functions: CodeFunctions[Any],
    shown: Sequence[str],
    *,
    search_signs: bool,
) -> ToolReturn[Any]:
    """Return a search result with the signature of each function that nothing else shows, once per conversation.

    If no description shows found functions (`search_signs`), the result is a text, because JSON would take a fifth more
    tokens. The model has the signatures of those `shown` already.
    """
    found = _search_result.validate_python(result.return_value)
    searched = {*functions.crowded_out, *(functions.tools if search_signs else ())}
    names = [info['name'] for info in found['tools'] if info['name'] in searched and info['name'] not in shown]
    if search_signs and search.options.tool_renderer is None:
        value: object = _text(found, names, shown, functions)
    else:
        infos = [_info_with_signature(info, names, search, functions) for info in found['tools']]
        value = SearchResult(message=found['message'], tools=infos)
    return replace(result, return_value=value, metadata={**(result.metadata or {}), SIGNATURES_KEY: names})


def _text(found: SearchResult, names: Sequence[str], shown: Sequence[str], functions: CodeFunctions[Any]) -> str:
    """Return what was shown before, what tools outside of code do, and the signatures of the others."""
    before = ', '.join(info['name'] for info in found['tools'] if info['name'] in shown)
    direct = [info for info in found['tools'] if info['name'] not in functions.tools]
    lines = [f'- {info["name"]}: {info.get("description") or ""}' for info in direct]
    heading = [found['message'], *([f'Shown before: {before}.'] if before else []), *lines]
    signatures = functions.catalog.additions(names, known=shown) if names else ''
    return '\n\n'.join(filter(None, ['\n'.join(heading), signatures]))


def _info_with_signature(
    info: DiscoveredToolInfo, names: Sequence[str], search: SearchTool[Any], functions: CodeFunctions[Any]
) -> DiscoveredToolInfo:
    if search.options.tool_renderer is not None:
        return {**info, 'signature': _signature(info, functions)} if info['name'] in names else info
    # The signature's docstring is the description, as it is in the description of run_code.
    if info['name'] in names:
        return {'name': info['name'], 'signature': _signature(info, functions)}
    return {'name': info['name']} if info['name'] in functions.tools else info


def _signature(info: DiscoveredToolInfo, functions: CodeFunctions[Any]) -> str:
    return functions.catalog.of(info['name']).render('full')


def late_signatures(
    functions: CodeFunctions[Any], found: Sequence[str], described: Sequence[str], messages: Sequence[ModelMessage]
) -> list[InstructionPart]:
    """Return instructions with the signatures that no result shows, to be appended to the conversation.

    A result shows the signatures of what it found. These show what another framework's search, a search without
    signatures, or the user's own words found. Functions that became known together have an instruction of their own, so
    that none changes when another is added.
    """
    shown = names_with_signatures(messages)
    parts = list[InstructionPart]()
    known = list(described)
    for batch in _batches(functions, found, messages):
        new = [name for name in batch if name not in shown and name not in known]
        if new:
            parts.append(_part(functions, new, known))
        known += batch
    return parts


def _batches(
    functions: CodeFunctions[Any], found: Sequence[str], messages: Sequence[ModelMessage]
) -> Iterator[list[str]]:
    """Yield the found functions, in groups that became known together."""
    search = functions.search
    together = [*(() if search is None else search.known.batches), *discoveries(messages)]
    left = dict.fromkeys(found)
    for names in [*together, found]:
        batch = [name for name in dict.fromkeys(names) if name in left]
        for name in batch:
            del left[name]
        if batch:
            yield batch


def _part(functions: CodeFunctions[Any], names: Sequence[str], known: Iterable[str]) -> InstructionPart:
    text = functions.catalog.additions(names, known=known)
    return InstructionPart(
        f'Also defined in {functions.shown_name(RUN_CODE)}:\n\n{text}',
        dynamic=True,
        on_change='append',
        name=f'functions_{sha256(" ".join(names).encode()).hexdigest()[:8]}',
    )
