"""BFCL, the Berkeley Function Calling Leaderboard: its multi-turn tasks, from the package `bfcl-eval` (Apache 2.0)."""

import ast
import inspect
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from demo.installation import install_packages
from evals.packages import ROOT
from toolscript.guards import is_object

_FOLDER = ROOT / '.servers' / 'bfcl'
_DATA = _FOLDER / 'bfcl_eval' / 'data'
_TASKS = 'BFCL_v4_multi_turn_base.json'
_SOURCES = 'bfcl_eval.eval_checker.multi_turn_eval.func_source_code'
_FILES = {
    'GorillaFileSystem': 'gorilla_file_system',
    'MathAPI': 'math_api',
    'MessageAPI': 'message_api',
    'TwitterAPI': 'posting_api',
    'TicketAPI': 'ticket_api',
    'TradingBot': 'trading_bot',
    'TravelAPI': 'travel_booking',
    'VehicleControlAPI': 'vehicle_control',
}
"""The module of each class, and the file that describes its functions."""
_TYPES = {'dict': 'object', 'float': 'number', 'tuple': 'array'}
"""Python's names in BFCL, and JSON Schema's names for them."""


@dataclass(frozen=True)
class Call:
    name: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        return f'{self.name}({", ".join(f"{name}={value!r}" for name, value in self.arguments.items())})'


@dataclass(frozen=True)
class Turn:
    """The user's message, and the calls that BFCL publishes for it."""

    ask: str
    calls: tuple[Call, ...]


@dataclass(frozen=True)
class Task:
    """A conversation of several turns about the objects of some classes."""

    name: str
    turns: tuple[Turn, ...]
    classes: tuple[str, ...]
    excluded: frozenset[str]
    config: Mapping[str, Any]

    def open(self) -> 'World':
        return World(self, {name: _object(name, self.config.get(name, {})) for name in self.classes})


@dataclass
class World(AbstractToolset[Any]):
    """The objects of a task, their methods as tools, and the calls made."""

    task: Task
    objects: Mapping[str, object]
    results: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    """Each call with its result, in order."""

    @property
    def id(self) -> None:
        """Always None."""

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:
        return {
            tool.name: ToolsetTool(toolset=self, tool_def=tool, max_retries=1, args_validator=_anything)
            for class_name in self.task.classes
            for tool in _descriptions(class_name)
            if tool.name not in self.task.excluded
        }

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: ToolsetTool[Any]
    ) -> Any:
        return self.call(Call(name, tool_args))

    def call(self, call: Call) -> Any:
        """Call the method. As in BFCL's own runner, an exception becomes its result."""
        try:
            result = getattr(self._owners[call.name], call.name)(**deepcopy(call.arguments))
        except Exception as error:
            result = f'Error during execution: {error}'
        # Some numbers of its math functions are not valid JSON.
        result = json.loads(json.dumps(result, default=str))
        self.results.append((str(call), result))
        return result

    @property
    def state(self) -> dict[str, dict[str, Any]]:
        """Return the public attributes of the objects, which BFCL compares."""
        return {
            name: {key: value for key, value in vars(one).items() if not key.startswith('_')}
            for name, one in self.objects.items()
        }

    @cached_property
    def _owners(self) -> Mapping[str, Any]:
        return {name: one for one in self.objects.values() for name, _ in inspect.getmembers(one, inspect.ismethod)}


def tasks() -> list[Task]:
    """Return all 200 tasks, in the order of the file.

    Raises:
        CannotInstall: The package cannot be installed.
    """
    _install()
    plans = {row['id']: row['ground_truth'] for row in _rows(_DATA / 'possible_answer' / _TASKS)}
    return [_task(row, plans[row['id']]) for row in _rows(_DATA / _TASKS)]


def _install() -> None:
    if not (_FOLDER / 'mpmath').is_dir():
        install_packages(Path(__file__).with_name('bfcl.lock'), _FOLDER)
    if str(_FOLDER) not in sys.path:
        sys.path.append(str(_FOLDER))


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, file.read_text().splitlines())


def _task(row: Mapping[str, Any], plan: list[list[str]]) -> Task:
    classes = tuple(row['involved_classes'])
    turns = tuple(
        Turn('\n'.join(message['content'] for message in messages), tuple(_call(text, classes) for text in calls))
        for messages, calls in zip(row['question'], plan, strict=True)
    )
    used = {call.name for turn in turns for call in turn.calls}
    # Some published plans call functions that their own task excludes.
    excluded = frozenset(row.get('excluded_function', ())) - used
    return Task(row['id'], turns, classes, excluded, row['initial_config'])


def _call(text: str, classes: Sequence[str]) -> Call:
    """Parse a call and name its positional arguments after the method's parameters."""
    node = ast.parse(text, mode='eval').body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    name = node.func.id
    method = next(method for one in classes if (method := getattr(_class(one), name, None)) is not None)
    names = [one for one in inspect.signature(method).parameters if one != 'self']
    given = dict(zip(names, map(ast.literal_eval, node.args), strict=False))
    given |= {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg}
    # JSON has no tuples.
    return Call(name, json.loads(json.dumps(given)))


def _object(name: str, config: Mapping[str, Any]) -> Any:
    made = _class(name)()
    if hasattr(made, '_load_scenario'):
        made._load_scenario(deepcopy(config))
    return made


def _class(name: str) -> Any:
    return getattr(import_module(f'{_SOURCES}.{_FILES[name]}'), name)


@cache
def _descriptions(class_name: str) -> list[ToolDefinition]:
    rows = _rows(_DATA / 'multi_turn_func_doc' / f'{_FILES[class_name]}.json')
    return [
        ToolDefinition(
            name=row['name'],
            description=row['description'],
            parameters_json_schema=_schema(row['parameters']),
            return_schema=_schema(row['response']),
        )
        for row in rows
    ]


def _schema(value: object) -> Any:
    if not is_object(value):
        return value
    written = {key: _schema(inner) for key, inner in value.items()}
    kind = written.get('type')
    if not isinstance(kind, str):
        return written
    others = {key: inner for key, inner in written.items() if key != 'type'}
    return others if kind == 'any' else {'type': _TYPES.get(kind, kind), **others}


_anything = SchemaValidator(core_schema.dict_schema())
