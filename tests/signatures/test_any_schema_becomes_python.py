import ast
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic_monty import ExternalModule, Monty, MontyTypingError

from tests.signatures.json_schemas import argument_schemas, names, schemas, texts
from toolscript_signatures import Catalog, ToolSpec, signature_from_schema

_specs = st.builds(
    ToolSpec,
    name=names,
    parameters=argument_schemas,
    description=st.one_of(st.none(), texts),
    returns=st.one_of(st.none(), schemas),
    sequential=st.booleans(),
)
_often = settings(max_examples=30)


@_often
@given(st.lists(_specs, max_size=4))
def test_every_text_parses(specs: list[ToolSpec]) -> None:
    catalog = Catalog(specs, reserved=['run_code'])
    for function in catalog:
        for source in (function.render('brief'), function.render('signature'), function.render(), function.stub):
            ast.parse(source)
        assert ast.parse(function.signature)
    ast.parse(catalog.render().text)
    ast.parse(catalog.render(detail='signature', budget=100).text)


@_often
@given(names, argument_schemas, st.one_of(st.none(), texts), st.one_of(st.none(), schemas))
def test_every_plain_signature_parses(name: str, takes: Any, description: str | None, gives: Any) -> None:
    found = signature_from_schema(
        name=name, parameters_json_schema=takes, description=description, return_json_schema=gives
    )
    ast.parse('\n\n'.join([*found.type_definitions, found.signature]))


@settings(_often, max_examples=20)
@given(st.lists(_specs, min_size=1, max_size=4))
def test_the_checker_takes_every_stub(specs: list[ToolSpec]) -> None:
    catalog = Catalog(specs)
    modules = {
        f'_tool_{number}': ExternalModule({function.name: len}, stubs=function.stub)
        for number, function in enumerate(catalog)
    }
    lines = [f'from _tool_{number} import {function.name}' for number, function in enumerate(catalog)]
    uses = [f'    reveal_type({function.name})' for function in catalog]
    revealed = _diagnostics('\n'.join([*lines, 'def _uses():', *uses]), modules)
    kinds = [line for line in revealed if 'Revealed type' in line]
    assert len(kinds) == len(catalog)
    assert not [line for line in kinds if 'Unknown' in line]
    assert not [line for line in revealed if 'error[' in line]


_POOL = Monty()


def _diagnostics(code: str, modules: dict[str, ExternalModule]) -> list[str]:
    with (
        _POOL as pool,
        pool.checkout(type_check=True, type_check_format='concise', external_modules=modules) as session,
    ):
        try:
            session.feed_run(code)
        except MontyTypingError as error:
            return str(error).splitlines()
    return []


@_often
@given(st.lists(names, max_size=8))
def test_every_tool_has_a_name_of_its_own(wanted: list[str]) -> None:
    catalog = Catalog([ToolSpec(name, {}) for name in wanted])
    given_names = [function.name for function in catalog]
    assert all(name.isidentifier() and not name.startswith('_') for name in given_names)
    assert len(set(given_names)) == len(wanted)
    assert [function.name for function in Catalog([ToolSpec(name, {}) for name in wanted])] == given_names
