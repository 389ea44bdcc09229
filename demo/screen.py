"""The terminal output while an agent works, and a count of what its model reads and writes."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.wrapper import WrapperModel
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table

from demo.job import Fact


@dataclass
class Totals:
    """The traffic of the model in one run, in characters and counts."""

    turns: int = 0
    calls: int = 0
    """Tool calls made directly by the model."""
    definitions: int = 0
    """Characters of tool definitions over all turns, because each turn sends them again."""
    results: int = 0
    """Characters of tool results, each counted once."""


_FOUND = re.compile(r'"name":"([^"]+)","description":.*?"signature":')
"""A tool in the result of a search."""
_FEW = 8
"""Up to this number, results are shown one by one; beyond it, they are counted."""


@dataclass
class Screen:
    """A terminal that shows a run as it happens."""

    console: Console
    tools: frozenset[str]
    """The tools that report their own runs through `called`."""
    printed: frozenset[str] = frozenset()
    """The lines about the tools that were already shown."""
    line: str = ''
    """The current line of calls."""
    runs: Counter[str] = field(default_factory=Counter[str])
    """The number of real runs of each tool."""

    def headline(self, text: str) -> None:
        self.printed, self.runs = frozenset(), Counter()
        self.console.print()
        self.console.rule(f'[bold]{text}')

    def shown(self, turn: int, tools: list[ToolDefinition], news: list[ModelRequestPart]) -> None:
        """Show the results sent to the model and the tools that it now sees."""
        self._results(news)
        self._end_line()
        self.console.print(f'\n[bold cyan]Turn {turn}[/]')
        self._definitions(tools)

    def answered(self, response: ModelResponse) -> None:
        """Show the calls of the model."""
        counted = Counter(call.tool_name for call in response.tool_calls)
        calls = [f'[yellow]{name}[/]' + (f' × {count}' if count > 1 else '') for name, count in counted.items()]
        if calls:
            self._say(f'The model calls {", ".join(calls)}')
        for call in response.tool_calls:
            if call.tool_name not in self.tools:
                self._arguments(call)

    def called(self, tool: str, arguments: dict[str, Any]) -> None:
        """Show that a tool is really running."""
        self.runs[tool] += 1
        call = f'({", ".join(_short(value) for value in arguments.values())}) '
        if not self.line.startswith(f'{tool} '):
            self._end_line()
            self._write(f'    [green]{tool}[/] ', f'{tool} ')
        if 4 + len(self.line) + len(call) > self.console.width:
            self.console.print()
            self._write(' ' * (5 + len(tool)), f'{tool} ')
        self._write(f'[dim]{escape(call)}[/]', self.line + call)

    def answer(self, text: str, missing: Sequence[Fact], checked: int) -> None:
        """Show the answer of the model and whether it is right."""
        self._end_line()
        self.console.print(Panel(escape(text), title='Answer', border_style='red' if missing else 'green'))
        if missing:
            self._say(f'[red]✗ not in the answer: {", ".join(f"{fact.what} ({fact.text})" for fact in missing)}[/]')
        else:
            self._say(f'[green]✓ all {checked} facts agree with the database[/]')

    def totals(self, runs: dict[str, tuple[Totals, int]]) -> None:
        table = Table(title='What it took', title_justify='left', title_style='bold')
        for heading in ('', *runs):
            table.add_column(heading, justify='right' if heading else 'left')
        for row, count in _ROWS.items():
            table.add_row(row, *(f'{count(totals, ran):,}' for totals, ran in runs.values()))
        self.console.print()
        self.console.print(table)

    def _results(self, news: list[ModelRequestPart]) -> None:
        texts = [(part.tool_name, result_text(part) or '') for part in news if isinstance(part, ToolReturnPart)]
        size = sum(len(text) for _, text in texts)
        if len(texts) > _FEW:
            self._say(f'{len(texts)} results go back to the model, {size:,} characters')
        for name, text in texts if len(texts) <= _FEW else []:
            self._say(f'[yellow]{name}[/] returned {escape(_summary(text))}')

    def _definitions(self, tools: list[ToolDefinition]) -> None:
        names = [tool.name for tool in tools]
        texts = [
            text for tool in tools if tool.name == 'run_code' for text in (tool.description or '').strip().split('\n\n')
        ]
        new = [text for text in texts if text not in self.printed]
        if not new and set(names) <= self.printed:
            return
        size = sum(len(definition_text(tool)) for tool in tools)
        self._say(f'The model is shown {len(tools)} tools, {size:,} characters: {", ".join(names)}')
        if new:
            title = 'new in run_code' if self.printed else 'run_code'
            self._panel('\n\n'.join(new), title, 'dim')
        self.printed |= {*names, *texts}

    def _arguments(self, call: ToolCallPart) -> None:
        arguments = call.args_as_dict()
        if call.tool_name == 'run_code' and 'code' in arguments:
            self._panel(arguments['code'], 'run_code', 'yellow')
        else:
            given = ', '.join(f'{name}={json.dumps(value)}' for name, value in arguments.items())
            self._say(escape(f'{call.tool_name}({given})'), indent=4)

    def _panel(self, code: str, title: str, style: str) -> None:
        text = Syntax(code.strip(), 'python', theme='ansi_dark', word_wrap=True)
        self.console.print(Padding(Panel(text, title=title, title_align='left', border_style=style), (0, 2)))

    def _say(self, text: str, indent: int = 2) -> None:
        self._end_line()
        self.console.print(Padding(text, (0, 0, 0, indent), expand=False))

    def _write(self, markup: str, line: str) -> None:
        self.console.print(markup, end='', soft_wrap=True)
        self.line = line

    def _end_line(self) -> None:
        if self.line:
            self.console.print()
        self.line = ''


_ROWS: dict[str, Callable[[Totals, int], int]] = {
    'Model turns': lambda totals, ran: totals.turns,
    'Tool calls made by the model': lambda totals, ran: totals.calls,
    'Tools that ran': lambda totals, ran: ran,
    'Characters of tool definitions, all turns': lambda totals, ran: totals.definitions,
    'Characters of tool results': lambda totals, ran: totals.results,
}


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 24 else f'…{text[-23:]}'


def _summary(text: str) -> str:
    if found := _FOUND.findall(text):
        return f'{len(text):,} characters, with the signatures of {", ".join(found)}'
    line = ' '.join(text.split())
    return line if len(line) <= 400 else f'{len(text):,} characters: {line[:160]} …'


class Metered(WrapperModel):
    """The wrapped model, with its traffic counted and shown."""

    def __init__(self, wrapped: Model, screen: Screen) -> None:
        super().__init__(wrapped)
        self.screen = screen
        self.totals = Totals()

    async def request(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
    ) -> ModelResponse:
        tools = model_request_parameters.function_tools
        news = list(messages[-1].parts) if isinstance(messages[-1], ModelRequest) else []
        self.totals.turns += 1
        self.totals.definitions += sum(len(definition_text(tool)) for tool in tools)
        self.totals.results += sum(len(result_text(part) or '') for part in news)
        self.screen.shown(self.totals.turns, tools, news)
        response = await super().request(messages, model_settings, model_request_parameters)
        self.totals.calls += len(response.tool_calls)
        self.screen.answered(response)
        return response


def definition_text(tool: ToolDefinition) -> str:
    """Return a tool definition as providers receive it."""
    return json.dumps([tool.name, tool.description, tool.parameters_json_schema])


def result_text(part: ModelRequestPart) -> str | None:
    """Return what the model reads of a tool's result; None for other parts."""
    if part.part_kind == 'retry-prompt':
        return part.model_response()
    return part.model_response_str() if isinstance(part, ToolReturnPart) else None
