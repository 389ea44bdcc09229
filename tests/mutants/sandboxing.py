"""What a script may do, and which errors it gets before it runs."""

from .mutant import Mutant

_LIMITS = ('tests/sandbox/test_limits_trip.py',)
_EXECUTOR = 'sandbox/toolscript_sandbox/execution/executor.py'
_POLICY = 'sandbox/toolscript_sandbox/checking/check_policy.py'
_FAULTY = ('tests/corpus/test_corpus_of_snippets.py',)
_PYTHON = ('tests/sandbox/test_language.py',)


def _rule(promise: str, rule: str, judge: str) -> Mutant:
    return Mutant(promise, _POLICY, f"'{rule}': {judge},", f"'{rule}': lambda _: False,", _FAULTY)


MUTANTS = [
    Mutant(
        'Calls are counted',
        _EXECUTOR,
        'if self.data.calls >= self.limits.max_calls:',
        'if False:',
        _LIMITS,
        sample=True,
    ),
    Mutant(
        'Arguments have a size limit',
        _EXECUTOR,
        'self.limits.max_argument_bytes)',
        '1000 * self.limits.max_argument_bytes)',
        _LIMITS,
    ),
    Mutant(
        'A script cannot let the host count for ever',
        'sandbox/toolscript_sandbox/execution/scheduler.py',
        'if self.passes + hops > MOST_PASSES:',
        'if False:',
        ('tests/sandbox/concurrency/test_the_queue_has_a_bound.py',),
    ),
    Mutant(
        'An error that only sounds like a limit is told as what it is, and takes no variables',
        'sandbox/toolscript_sandbox/messages/tripped.py',
        "r'TimeoutError: (feed )?time limit exceeded: ",
        "r'.*time limit exceeded.*",
        (*_LIMITS, 'tests/sandbox/test_errors_teach.py'),
    ),
    _rule('An unknown function is told before anything runs', 'unresolved-reference', '_is_unknown_name'),
    _rule('A missing argument is told before anything runs', 'missing-argument', '_is_of_known_parameters'),
    _rule('An unknown key is told before anything runs', 'invalid-key', '_is_unknown_key'),
    Mutant(
        'Valid snippets are not refused: what may fit is let through',
        _POLICY,
        "    if container is None or '|' in found:\n        return False\n",
        "    if container is None or '|' in found:\n        return True\n",
        _FAULTY,
    ),
    Mutant(
        'What the table of the dialect does not list is refused before anything runs',
        'sandbox/toolscript_sandbox/language/validator.py',
        '    return sorted(found, key=',
        '    return sorted(found[:0], key=',
        _PYTHON,
        sample=True,
    ),
    Mutant(
        'A handler takes the exceptions of its class and of no other',
        'sandbox/toolscript_sandbox/polyfills/exceptions.py',
        '    return is_instance(caught(error), kinds)\n',
        '    return True\n',
        _PYTHON,
    ),
    Mutant(
        'A property is computed when it is read',
        'sandbox/toolscript_sandbox/transforms/classes.py',
        '        if name in session.properties:\n            read =',
        '        if False:\n            read =',
        _PYTHON,
        sample=True,
    ),
    Mutant(
        'A generator expression computes only what is asked of it',
        'sandbox/toolscript_sandbox/transforms/lazy_iteration.py',
        "return 'native' if taken == 'whole' else 'stopping' if taken == 'stop' else 'lazy'",
        "return 'native'",
        _PYTHON,
    ),
    Mutant(
        'Functions of CPython are there as the table says',
        'sandbox/toolscript_sandbox/language/dialect.toml',
        'harmonic_mean mean median',
        'harmonic_mean median',
        _PYTHON,
    ),
    Mutant(
        'A polyfill that a script names is loaded',
        'sandbox/toolscript_sandbox/polyfills/linker.py',
        'return frozenset(name for name, file in found.items() if file in names() and name in read(file).definitions)',
        'return frozenset()',
        _PYTHON,
    ),
]
