"""Invalid settings are refused where they are given, with the valid values."""

import math
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent, AgentSpec, UserError

import toolscript
from tests.text_cases import TextCase, text_cases
from toolscript import CodeMode, CodeModeToolset, FunctionToolset, Limits, ToolSearchOptions

pytestmark = pytest.mark.pydantic_ai

TOOLS = FunctionToolset[object]()


def from_spec(settings: dict[str, Any]) -> None:
    spec = {'model': 'test', 'capabilities': [{'CodeMode': settings}]}
    Agent.from_spec(spec, custom_capability_types=[CodeMode])


NAMES = {name: getattr(toolscript, name) for name in vars(toolscript)['__all__']} | {
    one.__name__: one for one in (StdioTransport, from_spec, math, timedelta)
}


@pytest.mark.parametrize('case', text_cases(Path(__file__).with_name('refusals.txt')), ids=str)
def test_invalid_settings_are_refused(case: TextCase) -> None:
    """Both ways to set up code mode."""
    error = ValueError if case.given.startswith(('Limits', 'from_spec')) else UserError
    for door in (CodeMode, partial(CodeModeToolset, TOOLS)):
        with pytest.raises(error) as refused:
            eval(case.given, {**NAMES, 'TOOLS': TOOLS, 'door': door})
        assert case.expected in str(refused.value)


def test_a_spec_has_all_plain_settings_and_survives_a_round_trip() -> None:
    settings: dict[str, Any] = {
        'limits': {'max_calls': 5},
        'search': {'algorithm': 'keywords', 'prefetch': 8, 'prefetch_tokens': 2_000},
        'catalog': 'append',
        'defer': 'auto',
    }
    spec = AgentSpec.model_validate({'model': 'test', 'capabilities': [{'CodeMode': settings}, 'CodeMode']})
    assert AgentSpec.model_validate_json(spec.model_dump_json()) == spec
    Agent.from_spec(spec, custom_capability_types=[CodeMode])
    made = CodeMode.from_spec(**settings)
    search = ToolSearchOptions(algorithm='keywords', prefetch=8, prefetch_tokens=2_000)
    assert (made.limits, made.search, made.catalog, made.defer) == (Limits(max_calls=5), search, 'append', 'auto')


def test_the_schema_of_specs_has_every_setting_of_code_mode() -> None:
    schema = str(AgentSpec.model_json_schema_with_capabilities([CodeMode]))
    assert all(f"'{setting}'" in schema for setting in ('limits', 'max_calls', 'search', 'algorithm', 'catalog_tokens'))
