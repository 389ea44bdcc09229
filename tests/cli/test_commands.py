"""`toolscript call`, `run` and `search`."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from toolscript.cli.app import app

SHOP = 'tests.cli.shop:tools'


def test_arguments_have_the_types_of_the_schema() -> None:
    done = _call('orders_of', 'customer_id=3', 'newest=true')
    assert (done.exit_code, done.stdout) == (0, '[\n  {\n    "id": 31,\n    "total": 3.0\n  }\n]\n')


def test_text_is_printed_as_it_is_and_stays_text() -> None:
    assert _call('label', 'text=17', 'copies=2').stdout == '17 x2 None\n'


def test_all_that_is_wrong_with_arguments_is_told() -> None:
    done = _call('orders_of', 'costumer_id=3', 'newest=perhaps', 'oops')
    assert (done.exit_code, done.stdout) == (2, '')
    assert (
        done.stderr
        == """\
toolscript: the arguments cannot be used:
  there is no argument 'costumer_id'. Is 'customer_id' meant?
  newest: 'perhaps' is no boolean.
  'oops' is not an argument; write key=value.
  customer_id is missing.
"""
    )


def test_an_unknown_tool_is_told_with_the_closest() -> None:
    done = _call('order_of')
    assert (done.exit_code, done.stderr) == (
        2,
        "toolscript: there is no tool 'order_of'. The closest names: orders_of.\n",
    )


def test_a_tool_that_fails_ends_with_one() -> None:
    done = _call('broken')
    assert (done.exit_code, done.stderr) == (1, 'toolscript: broken failed with OSError: the printer is on fire\n')


def test_an_approval_is_needed_where_nobody_can_be_asked() -> None:
    done = _call('refund', 'order_id=3')
    assert done.exit_code == 1
    assert done.stderr == (
        'toolscript: refund needs an approval, but there is no terminal to ask on; use --approve refund.\n'
    )


def test_an_approval_may_be_given_beforehand() -> None:
    assert _call('refund', 'order_id=3', '--approve', 'refund').stdout == '100% of order 3 refunded\n'


def test_a_file_is_written_as_its_bytes() -> None:
    assert _call('photo').stdout_bytes == b'\x89PNG'


def test_a_target_that_cannot_be_used_ends_with_three() -> None:
    done = CliRunner().invoke(app, ['call', 'gone.json', 'a'])
    assert (done.exit_code, done.stderr) == (3, 'toolscript: gone.json: No such file or directory.\n')


def _call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ['call', SHOP, *arguments])


def test_stdout_has_prints_and_the_result_and_stderr_the_calls(tmp_path: Path) -> None:
    script = tmp_path / 'script.py'
    script.write_text("print('two')\norders = await orders_of(2)\n[order['id'] for order in orders]")
    done = _run(str(script))
    assert (done.exit_code, done.stdout) == (0, 'two\n[\n  20,\n  21\n]\n')
    assert re.sub(r'\d+ ms', '1 ms', done.stderr) == """\
line 2: orders_of(customer_id=2)
  → orders_of: [{"id": 20, "total": 12.5}, {"id": 21, "total": 3.0}]  (1 ms)
"""  # fmt: skip


def test_a_script_may_come_from_stdin_and_its_calls_be_kept_quiet() -> None:
    done = _run('-', '--quiet', stdin='await label("parcel")')
    assert (done.exit_code, done.stdout, done.stderr) == (0, 'parcel x1 None\n', '')


def test_a_script_that_fails_ends_with_one_and_says_where() -> None:
    done = _run('-', stdin='order = {}\norder["total"]')
    assert (done.exit_code, done.stdout) == (1, '')
    assert done.stderr.startswith('toolscript: the script failed.\nline 2: order["total"]\n')
    assert 'KeyError: total.' in done.stderr


def test_nothing_runs_of_a_script_with_a_wrong_type_and_the_caret_is_below_it() -> None:
    done = _run('-', stdin='await label("a")\nawait label(5)')
    assert done.exit_code == 1
    assert 'Nothing was run.' in done.stderr
    _, line, caret, *_ = done.stderr.splitlines()
    assert line[caret.index('^')] == '5'


def test_an_approval_given_beforehand_lets_a_loop_go_on() -> None:
    done = _run('-', '--approve', 'refund', '-q', stdin='[await refund(n) for n in (1, 2)]')
    assert done.stdout == '[\n  "100% of order 1 refunded",\n  "100% of order 2 refunded"\n]\n'


def test_a_script_that_needs_an_approval_says_how_to_give_it() -> None:
    done = _run('-', '-q', stdin='await refund(1)')
    assert done.exit_code == 1
    assert done.stderr == (
        'toolscript: refund needs an approval, but there is no terminal to ask on; use --approve refund.\n'
    )


@pytest.mark.long
def test_a_result_that_cannot_be_written_whole_is_told(tmp_path: Path) -> None:
    command = [sys.executable, '-m', 'toolscript', 'call', SHOP, 'label', 'text=größe']
    with Path('/dev/full').open('w') as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        3,
        'toolscript: the result cannot be written: No space left on device.\n',
    )
    ascii_only = {**os.environ, 'PYTHONIOENCODING': 'ascii'}
    shown = subprocess.run(command, capture_output=True, text=True, env=ascii_only, check=True)
    assert shown.stdout == 'gr\\xf6\\xdfe x1 None\n'


def test_an_agent_that_wants_deps_is_told_to_have_none() -> None:
    done = CliRunner().invoke(app, ['run', 'tests.cli.shop:agent_with_deps', '-', '-q'], input='1 + 1')
    told = 'toolscript: tests.cli.shop:agent_with_deps runs without its deps (Order): its tools get None as'
    assert done.stderr == f'{told} ctx.deps.\n'
    assert done.stdout == '2\n'


def test_the_tools_of_an_agent_are_run_too() -> None:
    done = CliRunner().invoke(app, ['run', 'tests.cli.shop:agent', '-', '-q'], input='len(await orders_of(1))')
    assert (done.exit_code, done.stdout) == (0, '2\n')


def _run(script: str, *options: str, stdin: str | bytes = '') -> Result:
    return CliRunner().invoke(app, ['run', SHOP, script, *options], input=stdin)


def test_what_is_found_is_told_with_its_reasons() -> None:
    done = _search('customer orders')
    assert (done.exit_code, done.stderr) == (0, '')
    assert done.stdout == snapshot("""\
 1. orders_of  4.49
    All orders of a customer.
    by field: first sentence 2.43, parameters 0.86, name 0.70, bonus for its
              name 0.50
    by word:  customer 2.36, order 1.63

── a model gets those above ─────────────────────────────────────────────────────

 2. refund  1.51
    Give the money for an order back.
    by field: first sentence 0.88, parameters 0.63
    by word:  order 1.51
 3. photo  0.54
    A picture of the shop.
    by field: first sentence 0.54
    by word:  shop (related) 0.54
""")


def test_what_a_model_does_not_get_is_marked() -> None:
    shown = [each['shown'] for each in _json('order', '-n', '1')]
    assert shown == sorted(shown, reverse=True)
    assert shown.count(True) == 1


def test_a_name_finds_its_tool() -> None:
    assert [each['name'] for each in _json('select:label')] == ['label']


def test_nothing_found_ends_with_one() -> None:
    done = _search('quantum chromodynamics')
    assert (done.exit_code, done.stdout) == (1, '')
    assert done.stderr.startswith('toolscript: nothing is found.')


def _search(*arguments: str) -> Result:
    return CliRunner().invoke(app, ['search', SHOP, *arguments])


def _json(*arguments: str) -> list[dict[str, Any]]:
    return json.loads(_search(*arguments, '--json').stdout)


def test_the_changes_of_a_script_are_shown_and_none_is_made() -> None:
    code = 'for n in (1, 2):\n    print(await refund(order_id=n))'
    done = CliRunner().invoke(app, ['run', SHOP, '-', '--plan', '-q'], input=code)
    assert (done.exit_code, done.stdout) == snapshot(
        (
            0,
            """\
2 changes:
refund, 2 calls, line 2; order_id adds up to 3:
  row 1: order_id = 1
  row 2: order_id = 2
  each row only if the one before succeeds, unless it says otherwise
""",
        )
    )
    assert CliRunner().invoke(app, ['run', SHOP, '-', '--plan', '-q'], input='1 + 1').stdout == snapshot(
        'The script changes nothing.\n'
    )
