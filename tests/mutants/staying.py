"""Functions that stay."""

from .mutant import Mutant

_STAYING = ('tests/toolscript/sessions/test_functions_stay.py',)
_RUNNING = 'src/toolscript/sessions/functions_in_run.py'

MUTANTS = [
    Mutant(
        'A kept function is found by its owner alone',
        'src/toolscript/sessions/saved_functions.py',
        "digest = hashlib.sha256((self.owner or '').encode())",
        "digest = hashlib.sha256(b'')",
        _STAYING,
        sample=True,
    ),
    Mutant(
        'A kept function is checked against the tools of today',
        _RUNNING,
        'if isinstance(outcome, Failed):',
        'if isinstance(outcome, Failed) and not outcome.code:',
        _STAYING,
    ),
    Mutant(
        'A deleted function is not used by the next script',
        _RUNNING,
        'sorted((names & had) - found.keys())',
        'sorted(found.keys() - names)',
        _STAYING,
    ),
    Mutant(
        'A variable is never called in the place of a tool',
        _RUNNING,
        'sorted(called & {*own, *bound})',
        'sorted(called - called)',
        _STAYING,
    ),
    Mutant(
        'What is kept waits for its approval',
        'src/toolscript/sessions/saved_functions_toolset.py',
        'if self.functions.asks and not ctx.tool_call_approved:',
        'if self.functions.asks and ctx.tool_call_approved:',
        ('tests/toolscript/sessions/test_what_is_kept_is_approved.py',),
    ),
    Mutant(
        'Nothing but a function is taken for one',
        'sandbox/toolscript_sandbox/language/self_contained.py',
        'only = all(isinstance(part, (ast.Import, ast.ImportFrom)) for part in imports)',
        'only = bool(tree.body)',
        _STAYING,
    ),
    Mutant(
        'A script that begins once more finds the functions that it found',
        'src/toolscript/scripts/script.py',
        'before = await checkpoints.load_functions() if point.earlier_life else None',
        'before = await checkpoints.load_functions() if point.state else None',
        ('tests/toolscript/sessions/test_kept_functions_over_deaths.py',),
    ),
    Mutant(
        'What another run kept while a script waited stays',
        'src/toolscript/sessions/session_persistence.py',
        'return found.number > since and not own',
        'return found.number > since and own',
        ('tests/toolscript/sessions/test_variables_in_a_store.py',),
    ),
]
