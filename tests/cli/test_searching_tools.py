"""`toolscript search`."""

import json
from typing import Any

from inline_snapshot import snapshot
from typer.testing import CliRunner, Result

from toolscript.cli.app import app

SHOP = 'tests.cli.shop:tools'


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
