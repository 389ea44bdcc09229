"""All nans are one to Monty: a script ends before it takes one for another."""

import pytest

from tests.sandbox.guest_cases import in_sandbox

pytestmark = pytest.mark.anyio

_VALUES = "values = [float(text) for text in ['nan', '1', 'nan']]\nprint('made')\n"
_SAID = 'NotImplementedError: each nan is another one in Python, and all of them are one here'


@pytest.mark.parametrize(
    'asked',
    [
        'values[0] in [values[2]]',
        "[v for v in values if v not in (None, float('nan'))]",
        'values[:1] == values[2:]',
        "{'a': values[0]} != {'a': values[2]}",
        'values.index(values[2])',
        'set(values)',
        'sum(values[0] == value for value in values), len(frozenset(values))',
    ],
)
async def test_a_script_ends_before_it_takes_one_nan_for_another(asked: str) -> None:
    ending, _ = await in_sandbox(_VALUES + asked)
    assert ending.printed == 'made\n'
    assert ending.error is not None
    assert _SAID in ending.error[1]


async def test_two_nans_are_no_keys_of_one_dict() -> None:
    ending, _ = await in_sandbox(_VALUES + 'counts = {}\nfor value in values:\n    counts[value] = 1')
    assert ending.error is not None
    assert 'NotImplementedError: a dict cannot have two nans as keys here' in ending.error[1]
