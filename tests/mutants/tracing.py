"""What traces show of scripts, and what they keep to themselves."""

from .mutant import Mutant

_TRACES = ('tests/toolscript/observability/test_traces_of_scripts.py',)
_TRACED = 'src/toolscript/scripts/spans.py'
_TRACING = 'src/toolscript/observability/tracing.py'
_TELEMETRY = 'sandbox/toolscript_sandbox/execution/telemetry.py'

MUTANTS = [
    Mutant(
        'Arguments and results stand in spans only where content does',
        _TRACED,
        'if not self.tracing.include_content:',
        'if not self.tracing:',
        _TRACES,
    ),
    Mutant(
        'Code stands in spans only where content does',
        _TELEMETRY,
        "if self._include_content:\n            self._set('toolscript.code'",
        "if code:\n            self._set('toolscript.code'",
        _TRACES,
    ),
    Mutant(
        'What went wrong stands in spans in words only where content does',
        _TELEMETRY,
        'if message and self._include_content else',
        'if message else',
        _TRACES,
    ),
    Mutant(
        'The message of an unexpected exception stands in spans only where content does',
        'src/toolscript/results/tool_errors.py',
        'if is_instrumented(ctx) and ctx.trace_include_content:',
        'if is_instrumented(ctx):',
        _TRACES,
    ),
    Mutant(
        'A script that goes on is linked to where it paused',
        _TRACING,
        'if span.is_valid else []',
        'if not span.is_valid else []',
        _TRACES,
    ),
    Mutant(
        'A call that was not run has no span of one that was',
        _TRACED,
        "'cache': 'reuse_result'",
        "'cache': 'execute_tool'",
        _TRACES,
    ),
    Mutant('No span twice where a run is replayed', _TRACING, ' or ctx.in_durable_context', '', _TRACES),
    Mutant(
        'The spans of a cancelled run end, and say so',
        _TELEMETRY,
        'watched.broke_off(error)',
        'pass',
        ('tests/sandbox/test_spans_of_snippets.py', *_TRACES),
    ),
]
