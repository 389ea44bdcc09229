"""Settings that cannot be meant are refused where they are given, in a sentence that says what may stand there."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pydantic_ai import Agent, AgentSpec, UserError

from toolscript import CodeMode, CodeModeToolset, FunctionToolset, Limits, SearchableToolset, ToolSearchOptions

pytestmark = pytest.mark.pydantic_ai

TOOLS = FunctionToolset[object]()


@pytest.mark.parametrize(
    ('setting', 'value', 'advice'),
    [
        ('default_callers', 'x', "use 'direct', 'code' or 'both'"),
        ('default_callers', None, "use 'direct', 'code' or 'both'"),
        ('catalog', 'foo', "use 'description' or 'append'"),
        ('catalog_tokens', 0, 'use a whole number of at least 1 or None'),
        ('catalog_tokens', True, 'use a whole number of at least 1 or None'),
        ('limits', {'max_calls': 5}, r'use Limits\(...\)'),
        ('max_result_chars', 0, 'use a whole number of at least 1'),
        ('max_result_chars', '5', 'use a whole number of at least 1'),
        ('max_retries', -1, 'use a whole number of at least 0'),
        ('snapshots', 'key', r'use Snapshots\(...\)'),
        ('reuse_finished_calls', 'no', 'use True or False'),
        ('batching_hint_after', 0, 'use a whole number of at least 1 or None'),
        ('sandbox', 1, r'use Sandbox\(...\) or None'),
    ],
)
@pytest.mark.parametrize('door', [CodeMode, partial(CodeModeToolset, TOOLS)])
def test_code_mode_says_which_values_it_accepts(
    door: Callable[..., object], setting: str, value: Any, advice: str
) -> None:
    with pytest.raises(UserError, match=f'^{setting} is .*; {advice}\\.$'):
        door(**{setting: value})


@pytest.mark.parametrize('door', [CodeModeToolset, SearchableToolset])
def test_a_list_of_toolsets_is_no_toolset(door: Callable[[Any], object]) -> None:
    with pytest.raises(UserError, match=r'wraps one toolset and got \[.*; write \w+\(CombinedToolset\(\[...\]\)\)\.$'):
        door([TOOLS])
    with pytest.raises(UserError, match=r'wraps one toolset and got 7; write \w+\(toolset\)\.$'):
        door(7)


@pytest.mark.parametrize(
    ('options', 'advice'),
    [
        ({'algorithm': 'bm52'}, "algorithm is 'bm52'; use None, 'ranked', 'bm25', 'regex' or 'keywords'"),
        ({'max_results': 0}, 'max_results is 0; use a whole number of at least 1'),
        ({'prefetch': -1}, 'prefetch is -1; use a whole number of at least 0'),
        ({'prefetch_tokens': 0}, 'prefetch_tokens is 0; use a whole number of at least 1'),
        ({'on_unsupported': 'ignore'}, "use 'fallback' or 'error'"),
        ({'tool_name': 'find tools'}, 'use at most 64 letters, digits, _ and -'),
        ({'tool_renderer': 'brief'}, 'use a function of a ToolDefinition, or None'),
    ],
)
def test_search_options_are_looked_at(options: dict[str, Any], advice: str) -> None:
    with pytest.raises(UserError, match=advice):
        ToolSearchOptions(**options)


@pytest.mark.parametrize(
    ('limits', 'advice'),
    [
        ({'max_calls': -1}, 'use 0 or more'),
        ({'max_calls': 1.5}, 'use a whole number'),
        ({'max_concurrent_calls': 0}, 'use 1 or more'),
        ({'max_script_seconds': -0.5}, 'use 0 or more'),
        ({'max_script_seconds': math.nan}, 'use 0 or more'),
        ({'max_memory_bytes': '1 GB'}, 'use a whole number'),
        ({'max_result_bytes': True}, 'use a whole number'),
    ],
)
def test_limits_are_numbers_that_make_sense(limits: dict[str, Any], advice: str) -> None:
    with pytest.raises(ValueError, match=rf'^Limits\({next(iter(limits))}=\) is .*; {advice}\.$'):
        Limits(**limits)


@pytest.mark.parametrize(
    ('settings', 'error'),
    [
        (
            {'limits': {'cals': 5}},
            'no setting limits.cals; limits takes max_script_seconds, max_memory_bytes, max_calls,',
        ),
        ({'limits': 5}, 'limits of CodeMode is 5'),
        ({'search': {'algorithm': 'bm52'}}, "search.algorithm of CodeMode is 'bm52'"),
        ({'catalog': 'foo'}, "catalog of CodeMode is 'foo': Input should be 'description' or 'append'"),
        ({'limits': {'max_calls': -1}}, 'use 0 or more'),
    ],
)
def test_a_spec_is_refused_where_it_is_read(settings: dict[str, Any], error: str) -> None:
    spec = {'model': 'test', 'capabilities': [{'CodeMode': settings}]}
    with pytest.raises(ValueError, match=error):
        Agent.from_spec(spec, custom_capability_types=[CodeMode])


def test_a_spec_says_all_that_is_plain_data_and_comes_back_as_it_was() -> None:
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
    assert (made.limits, made.search, made.catalog, made.defer) == (
        Limits(max_calls=5),
        ToolSearchOptions(algorithm='keywords', prefetch=8, prefetch_tokens=2_000),
        'append',
        'auto',
    )


def test_the_schema_of_specs_has_every_setting_of_code_mode() -> None:
    schema = str(AgentSpec.model_json_schema_with_capabilities([CodeMode]))
    assert all(f"'{setting}'" in schema for setting in ('limits', 'max_calls', 'search', 'algorithm', 'catalog_tokens'))
