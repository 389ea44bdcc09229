"""What a state that is kept says of the calls before it."""

from toolscript_sandbox.running.ledger import Ledger


def test_a_call_that_ended_otherwise_than_it_was_written_is_written_anew() -> None:
    ledger = Ledger()
    ledger.add(1, 'add', (), {'a': 1}, 1)
    ledger.mark(1, 'running')
    ledger.call_off(1, 'CancelledError: the script cancelled it')
    [called_off] = ledger.loose_to_json()
    assert ledger.loose_to_json()[0] is called_off

    ledger.settle(1, {'return_value': 3})
    assert ledger.loose_to_json() == [
        {**called_off, 'status': 'finished', 'answer': {'return_value': 3}, 'error': None}
    ]
    ledger.take(1)
    assert ledger.loose_to_json() == [{**called_off, 'status': 'finished', 'error': None}]
