import json
from pathlib import Path
from typing import Any

import pytest

from toolscript_signatures import signature_from_function, signature_from_schema

_SHARED = Path(__file__).parents[2].parent / 'shared'
_VECTORS = _SHARED / 'vectors' / 'signature.json'


def _vectors() -> dict[str, Any]:
    return json.loads(_VECTORS.read_text()) if _VECTORS.exists() else {'schema': [], 'seed_004': {}}


def _get_user(user_id: str) -> Any:
    """Fetch user by ID."""


_get_user.__name__ = 'get_user'
_get_user.__annotations__['return'] = dict


@pytest.mark.skipif(not _VECTORS.exists(), reason='the vectors are not here')
@pytest.mark.parametrize('vector', _vectors()['schema'])
def test_a_schema_gives_exactly_the_agreed_signature(vector: dict[str, Any]) -> None:
    found = signature_from_schema(
        name=vector['name'],
        parameters_json_schema=vector['schema'],
        description=vector.get('description'),
        return_json_schema=vector.get('return_schema'),
    )
    assert found.signature == vector['sig']
    assert found.type_definitions == vector.get('defs', found.type_definitions)


@pytest.mark.skipif(not _VECTORS.exists(), reason='the vectors are not here')
def test_a_function_gives_exactly_the_agreed_signature() -> None:
    assert signature_from_function(_get_user).signature == _vectors()['seed_004']['from_function']
