"""The scripted model understands signatures as they are shown, and tells what fits from what does not."""

from inline_snapshot import snapshot

from demo.reading import Function, Need, functions_in

SHOWN = '''\
Run Python in a sandbox.

class Order(TypedDict):
    id: int

async def orders(
    since: str,  # The first day (a date). -> included
    region: Literal['a) -> b', 'c'] = 'c',
) -> list[Order]:
    """List orders."""
    ...

def order(order_id: int, *, lines: bool, notes: bool = False) -> Order:
    """Look up an order."""
    ...
'''


def test_functions_are_read_with_what_they_take_and_what_is_said_of_them() -> None:
    assert functions_in(SHOWN) == snapshot(
        [
            Function(
                name='orders',
                parameters=frozenset({'region', 'since'}),
                required=frozenset({'since'}),
                text='orders List orders.',
            ),
            Function(
                name='order',
                parameters=frozenset({'lines', 'notes', 'order_id'}),
                required=frozenset({'lines', 'order_id'}),
                text='order Look up an order.',
            ),
        ]
    )


def test_a_need_is_met_by_a_function_that_takes_just_the_arguments_and_is_about_the_thing() -> None:
    functions = functions_in(SHOWN)
    assert _name(Need('list orders', frozenset({'since'})).met_by(functions)) == 'orders'
    assert _name(Need('look up an order', frozenset({'order_id', 'lines'})).met_by(functions)) == 'order'


def test_a_need_is_not_met_by_wrong_arguments_or_other_words() -> None:
    functions = functions_in(SHOWN)
    assert Need('list orders').met_by(functions) is None
    assert Need('list orders', frozenset({'since', 'until'})).met_by(functions) is None
    assert Need('customers', frozenset({'since'})).met_by(functions) is None


def _name(function: Function | None) -> str | None:
    return function and function.name
