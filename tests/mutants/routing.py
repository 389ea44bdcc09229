"""Who may call a tool."""

from .mutant import Mutant

_ROUTING = ('tests/toolscript/test_routing_by_allowed_callers.py',)

MUTANTS = [
    Mutant(
        'A direct-only tool cannot be called from code',
        'src/toolscript/routing/placement.py',
        "code={name: tool for name, tool in tools.items() if doors[name] != 'direct'}",
        'code=dict(tools)',
        _ROUTING,
    ),
    Mutant(
        'A code-only tool is not on the wire',
        'src/toolscript/routing/placement.py',
        "direct={name: tool for name, tool in tools.items() if doors[name] != 'code'}",
        'direct=dict(tools)',
        _ROUTING,
    ),
    Mutant(
        'A tool that says nothing gets default_callers, and one that says something keeps it',
        'src/toolscript/routing/placement.py',
        'else callers_of(tool.tool_def) or default_callers\n',
        'else default_callers\n',
        _ROUTING,
    ),
    Mutant(
        'run_code is a reserved name',
        'src/toolscript/routing/placement.py',
        'if RUN_CODE in tools:',
        'if False:',
        _ROUTING,
    ),
    Mutant(
        'An unknown caller is refused',
        'src/toolscript/routing/callers.py',
        'return isinstance(value, str) and value in get_args(AllowedCallers)',
        'return isinstance(value, str)',
        _ROUTING,
    ),
    Mutant(
        'A direct call of a code-only tool comes back with the script to send instead',
        'src/toolscript/run_code/misdirected_calls.py',
        "f'{wait}{function.name}({given})'",
        "f'{wait}{function.name}()'",
        _ROUTING,
    ),
    Mutant(
        'Where both doors stand open, two lines say which to take',
        'src/toolscript/run_code/tool.py',
        "BOTH_DOORS if both_doors else '',",
        "'',",
        _ROUTING,
        sample=True,
    ),
    Mutant(
        'A misspelt tool is answered with the closest names',
        'src/toolscript/discovery/misdirected_calls.py',
        'if not close:',
        'if close or not close:',
        ('tests/toolscript/test_searchable_toolset.py', *_ROUTING),
    ),
]
