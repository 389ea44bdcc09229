"""What a request shows a model about tools and the results of its calls."""

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from evals.playing.by_hand import Called
from evals.playing.results import results_of
from evals.playing.signature import Records, Signature, records_in
from tests.providers.json_values import mapping, mappings, text
from tests.providers.loopback import Request
from tests.providers.reading import Reading, WireTool
from toolscript.guards import fields, items
from toolscript_sandbox.language.syntax import module_of

RUN_CODE = 'run_code'
FINAL_TEXT = 'final_text'
SEARCH_TOOL = 'pai_tool_search_tool'
_MAX_LINES = 60
_SAYS_A_TYPE = {'type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf'}
_DIRECTLY = re.compile(r'\b(?:one|single|simple)\b.*\bdirect', re.IGNORECASE | re.DOTALL)
_STUB = re.compile(r'[ \t]*(?:async )?def (\w+)\(')


@dataclass(frozen=True)
class Shown:
    request: Request

    @property
    def reading(self) -> Reading:
        return self.request.reading

    @cached_property
    def direct(self) -> Mapping[str, Signature]:
        callable_names = self.reading.callable_names
        known = {tool.name: _signature_of(tool) for tool in self.reading.tools if tool.name in callable_names}
        return {**known, **dict(self._declared_late())}

    def with_found(self, found: Collection[str]) -> Mapping[str, Signature]:
        """Return the tools that can be called directly once the provider's search has found these."""
        newly = {tool.name: _signature_of(tool) for tool in self.reading.tools if tool.name in found}
        return {**self.direct, **newly}

    def functions(self, names: Collection[str]) -> Mapping[str, Signature]:
        """Return those of these functions whose signatures appear anywhere in the request."""
        stubs = [(name, lines) for text in self._texts() for name, lines in _stubs(text).items() if name in names]
        found = {name: signature for name, lines in stubs if (signature := _signature(lines)) is not None}
        return {name: replace(one, described=one.described or name in self._described) for name, one in found.items()}

    @cached_property
    def records(self) -> Records:
        return records_in(self._texts())

    @property
    def advises_direct_calls(self) -> bool:
        """Whether `run_code` says that a single operation is better called directly."""
        sentences = [
            part for tool in self.reading.tools if tool.name == RUN_CODE for part in tool.description.split('.')
        ]
        return any(_DIRECTLY.search(sentence) for sentence in sentences)

    @cached_property
    def _described(self) -> frozenset[str]:
        """The names for which search results have a description as well as a signature."""
        results = [line.text for line in self.reading.lines if line.role == 'result' and '"description"' in line.text]
        found = [fields(item) for text in results for item in items(fields(json_or_none(text)).get('tools'))]
        return frozenset(str(item.get('name')) for item in found if item.get('description'))

    @cached_property
    def history(self) -> list[Called]:
        """The calls made so far, with their results, in the order made."""
        results = results_of(self.request)
        return [
            Called(line.name, line.arguments, results[line.call_id])
            for line in self.reading.lines
            if line.role == 'call' and line.call_id in results
        ]

    @property
    def has_code(self) -> bool:
        return RUN_CODE in self.direct

    @property
    def takes_answers_from_code(self) -> bool:
        """Whether a script may give the answer, as text."""
        return FINAL_TEXT in self.functions([FINAL_TEXT])

    def _declared_late(self) -> Iterator[tuple[str, Signature]]:
        """Yield the tools that an item of OpenAI's conversation adds, with their parameters."""
        for item in mappings(self.request.body.get('input')):
            if item.get('type') == 'additional_tools':
                for tool in mappings(item.get('tools')):
                    schema = mapping(tool.get('parameters'))
                    yield text(tool.get('name')), _of_schema(schema, text(tool.get('description')))

    def _texts(self) -> Iterator[str]:
        yield self.reading.system
        yield from (tool.description for tool in self.reading.tools if tool.name == RUN_CODE)
        for line in self.reading.lines:
            if line.role in ('system', 'user'):
                yield line.text
            elif line.role == 'result':
                yield from _strings(line.text)


@cache
def _stubs(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return the functions defined in a text, by name, with the lines from their definition on."""
    lines = text.splitlines()
    starts = [(number, match[1]) for number, line in enumerate(lines) if (match := _STUB.match(line))]
    return {name: tuple(lines[number : number + _MAX_LINES]) for number, name in starts}


@cache
def _signature(lines: Sequence[str]) -> Signature | None:
    """Parse the definition at the start of the lines; `None` if it is not valid Python."""
    head = ''
    for number, line in enumerate((lines[0].lstrip(), *lines[1:])):
        head += line.split('  #')[0].rstrip() + '\n'
        if function := _function(head if head.endswith('...\n') else head + '    ...'):
            arguments = function.args
            every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
            return Signature(
                {one.arg: ast.unparse(one.annotation) if one.annotation else '' for one in every},
                ast.unparse(function.returns) if function.returns else '',
                described=any('"""' in one for one in lines[number + 1 : number + 2]),
                waits=isinstance(function, ast.AsyncFunctionDef),
            )
    return None


def _function(source: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    try:
        node = module_of(source).body[0]
    except SyntaxError:
        return None
    return node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None


def _signature_of(tool: WireTool) -> Signature:
    return _of_schema(tool.schema, tool.description)


def _of_schema(schema: Mapping[str, object], description: str) -> Signature:
    properties = fields(schema.get('properties'))
    types = {name: 'Any' if not _SAYS_A_TYPE & fields(one).keys() else 'given' for name, one in properties.items()}
    return Signature(types, described=bool(description.strip()))


def _strings(result: str) -> list[str]:
    """Return the text of a result; if it is JSON, all strings in it."""
    if 'def ' not in result:
        return []
    value = json_or_none(result)
    return [result] if value is None else list(_leaves(value))


def json_or_none(text: str) -> object:
    """Return the value of a text that is JSON, else `None`."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in (*fields(value).values(), *items(value)):
        yield from _leaves(inner)
