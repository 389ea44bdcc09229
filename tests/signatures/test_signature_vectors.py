import json
from pathlib import Path
from typing import Any

import pytest

from toolscript_signatures import signature_from_function, signature_from_schema

_VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / 'vectors' / 'signature.json').read_text())


def _get_user(user_id: str) -> Any:
    """Fetch user by ID."""


_get_user.__name__ = 'get_user'
_get_user.__annotations__['return'] = dict


@pytest.mark.parametrize('vector', _VECTORS['schema'])
def test_a_schema_gives_exactly_the_agreed_signature(vector: dict[str, Any]) -> None:
    found = signature_from_schema(
        name=vector['name'],
        parameters_json_schema=vector['schema'],
        description=vector.get('description'),
        return_json_schema=vector.get('return_schema'),
    )
    assert found.signature == vector['sig']
    assert found.type_definitions == vector.get('defs', found.type_definitions)


def test_a_function_gives_exactly_the_agreed_signature() -> None:
    assert signature_from_function(_get_user).signature == _VECTORS['function']
