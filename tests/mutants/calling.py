"""Calls of scripts are calls of the agent's tools."""

from .mutant import Mutant

_NESTED = ('tests/toolscript/test_nested_calls.py',)
_CALL = 'src/toolscript/scripts/nested_call.py'

MUTANTS = [
    Mutant(
        'UsageLimits count the calls of scripts, those in flight too',
        'src/toolscript/scripts/limited.py',
        'tool_calls=usage.tool_calls + len(calls) + 2',
        'tool_calls=usage.tool_calls',
        _NESTED,
        sample=True,
    ),
    Mutant(
        'Nested calls have the ids {run_code_id}__{n}',
        _CALL,
        "f'{self._script.id}__{call.id}'",
        "f'{self._script.id}_{call.id}'",
        _NESTED,
    ),
    Mutant(
        'What a tool cannot read itself is not told as arguments that it refuses',
        'src/toolscript/scripts/tool_results.py',
        'if reached and isinstance(error, ValidationError)',
        'if False and isinstance(error, ValidationError)',
        ('tests/toolscript/test_failures_in_scripts.py',),
    ),
    Mutant(
        "The run's sequential mode holds in scripts",
        'src/toolscript/scripts/chain.py',
        "if options.mode == 'sequential':",
        'if False:',
        _NESTED,
    ),
    Mutant(
        'Errors for the developer end the run',
        'src/toolscript/results/tool_errors.py',
        'ENDS_THE_RUN = (UsageLimitExceeded, UserError)',
        'ENDS_THE_RUN = ()',
        _NESTED,
    ),
    Mutant(
        'A tool that timed out raises TimeoutError in the script',
        'src/toolscript/results/tool_errors.py',
        "_TIMED_OUT = 'Timed out after '",
        "_TIMED_OUT = 'timed out'",
        _NESTED,
    ),
    Mutant(
        'A denied call is a PermissionError that the script may catch',
        'src/toolscript/results/tool_errors.py',
        "ToolError('PermissionError', f'{tool_name} was not approved",
        "ToolError('RuntimeError', f'{tool_name} was not approved",
        ('tests/toolscript/approvals/test_approvals_in_scripts.py',),
    ),
    Mutant(
        'What an argument was is told beside what is wrong with it',
        'src/toolscript/results/tool_errors.py',
        "if problem['type'] == 'missing':",
        "if problem['type']:",
        _NESTED,
    ),
    Mutant(
        'A tool of another code mode stays outside',
        'src/toolscript/routing/placement.py',
        "or 'code_arg_name' in (tool_def.metadata or {})",
        'or False',
        (
            'tests/toolscript/test_routing_by_allowed_callers.py',
            'tests/toolscript/test_toolsets_built_in_runs.py',
            'tests/toolscript/test_searchable_toolset.py',
        ),
    ),
    Mutant(
        'A hidden tool that a script names exactly counts as found',
        _CALL,
        'self._script.found[callee.tool_def.name] = None',
        'pass',
        ('tests/toolscript/test_searchable_toolset.py',),
    ),
]
