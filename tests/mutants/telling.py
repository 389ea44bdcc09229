"""What a model reads of functions."""

from .mutant import Mutant

_VECTORS = ('tests/signatures/test_function_signatures.py', 'tests/signatures/test_function_signatures.py')
_SCHEMAS = ('tests/signatures/test_any_schema_becomes_python.py', 'tests/signatures/test_any_schema_becomes_python.py')
_IDENTIFIERS = 'signatures/toolscript_signatures/types/identifiers.py'

MUTANTS = [
    Mutant(
        'A name that is a keyword becomes another',
        _IDENTIFIERS,
        'return name.isidentifier() and not keyword.iskeyword(name) and',
        'return name.isidentifier() and',
        ('tests/signatures/test_call_arguments.py', 'tests/signatures/test_catalog_rendering.py', *_SCHEMAS),
    ),
    Mutant(
        'One indented space costs the fewest tokens, and the tutorial shows what comes of it',
        'docs/tutorial.md',
        'async def orders_of(customer_id: int) -> list[Order]:\n "',
        'async def orders_of(customer: int) -> list[Order]:\n "',
        ('tests/test_readme.py',),
    ),
    Mutant(
        'The figures of README are those of the page on costs',
        'README.md',
        '| chain | ',
        '| chain | 9',
        ('tests/evals/test_the_advice_on_routing.py::test_the_readme_shows_the_figures_of_this_page',),
    ),
    Mutant(
        'Every test that the page on threats names is there',
        'docs/threat-model.md',
        '`test_nothing_of_the_host_is_within_reach`',
        '`test_nothing_of_the_host_can_be_reached`',
        ('tests/test_threat_model.py',),
    ),
    Mutant(
        'The scripted model of the evals looks at a result that nothing tells',
        'evals/playing/looking.py',
        'if untold is not None or not missing_keys(plan, shown, records, seen):',
        'if True:\n        return None\n    if untold is not None or not missing_keys(plan, shown, records, seen):',
        ('tests/evals/test_the_scripted_suite.py',),
    ),
    Mutant(
        'The scripted model of the evals takes the door that it is advised to',
        'evals/playing/player.py',
        'advised = shown.advises_direct_calls and is_single_call(self.task.plan)',
        'advised = is_single_call(self.task.plan)',
        ('tests/evals/test_the_scripted_suite.py',),
    ),
    Mutant(
        'The evals notice a type checker that finds nothing',
        'sandbox/toolscript_sandbox/checking/checker.py',
        'return _diagnostics(error.display(), self.lines_before)',
        'return []',
        ('tests/evals/test_the_scripted_suite.py',),
    ),
    Mutant(
        'The evals notice a search that takes more requests than are needed',
        'src/toolscript/search/index.py',
        'return self._found(query, limit, min_share=self._ranking.min_score_share)',
        'return sorted(self._found(query, 1000), key=hash)[:limit]',
        ('tests/evals/test_the_scripted_suite.py',),
    ),
]
