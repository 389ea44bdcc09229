"""What the terminal shows of a run."""

from io import StringIO

from inline_snapshot import snapshot
from pydantic_ai.messages import ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.tools import ToolDefinition
from rich.console import Console

from demo.screen import Screen

FOUND = '{"tools":[{"name":"order","description":"Look up.","signature":"def order(id: int) -> str: ..."}]}'


def test_a_run_reads_from_top_to_bottom() -> None:
    screen = Screen(Console(file=StringIO(), width=72), frozenset({'order', 'refund'}))
    before = ToolDefinition(name='run_code', description='Run Python.')
    after = ToolDefinition(name='run_code', description='Run Python.\n\ndef order(id: int) -> str: ...')
    search = ToolDefinition(name='search', description='Find tools.')

    screen.headline('As a script')
    screen.shown(1, [search, before], [])
    screen.answered(ModelResponse([ToolCallPart('search', {'query': 'order'})]))
    screen.shown(2, [search, after], [ToolReturnPart('search', FOUND)])
    screen.answered(ModelResponse([ToolCallPart('run_code', {'code': '[order(n) for n in range(14)]'})]))
    for number in range(14):
        screen.called('order', {'id': number})
    screen.called('refund', {'id': 3, 'reason': 'a reason that is much too long'})
    screen.shown(3, [search, after], [ToolReturnPart('run_code', 'x' * 500)])
    screen.answer('All is well.', [], checked=2)

    assert _text(screen) == snapshot("""\

───────────────────────────── As a script ──────────────────────────────

Turn 1
  The model is shown 2 tools, 128 characters: search, run_code
  ╭─ run_code ───────────────────────────────────────────────────────╮
  │ Run Python.                                                      │
  ╰──────────────────────────────────────────────────────────────────╯
  The model calls search
    search(query="order")
  search returned 98 characters, with the signatures of order

Turn 2
  The model is shown 2 tools, 162 characters: search, run_code
  ╭─ new in run_code ────────────────────────────────────────────────╮
  │ def order(id: int) -> str: ...                                   │
  ╰──────────────────────────────────────────────────────────────────╯
  The model calls run_code
  ╭─ run_code ───────────────────────────────────────────────────────╮
  │ [order(n) for n in range(14)]                                    │
  ╰──────────────────────────────────────────────────────────────────╯
    order (0) (1) (2) (3) (4) (5) (6) (7) (8) (9) (10) (11) (12) (13)
    refund (3, …n that is much too long)
  run_code returned 500 characters:
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  xxxxxxxxxxxxxxxxxxxx …

Turn 3
╭─────────────────────────────── Answer ───────────────────────────────╮
│ All is well.                                                         │
╰──────────────────────────────────────────────────────────────────────╯
  ✓ all 2 facts agree with the database\
""")


def _text(screen: Screen) -> str:
    assert isinstance(screen.console.file, StringIO)
    return '\n'.join(line.rstrip() for line in screen.console.file.getvalue().splitlines())
