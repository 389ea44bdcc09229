"""`toolscript call`."""

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
        'toolscript: refund needs an approval, but no one can be asked here; use --approve refund.\n'
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
