"""What people read of runs."""

from .mutant import Mutant

MUTANTS = [
    Mutant(
        'All text of a run is escaped on its page',
        'src/toolscript/history/as_html.py',
        'return escape(one_line(text))',
        'return one_line(text)',
        ('tests/toolscript/history/test_runs_as_pages.py::test_hostile_text_is_text',),
    ),
    Mutant(
        'Of a run as long as any, as much is shown as can be read',
        'src/toolscript/history/reader.py',
        'return [*range(many)] if many <= most else',
        'return [*range(many)] if many else',
        ('tests/toolscript/history/test_runs_are_bounded.py',),
    ),
    Mutant(
        "Arguments that somebody gave in place of the script's are those that are told",
        'src/toolscript/observability/script_calls.py',
        'if arguments is not None:',
        'if arguments is None:',
        ('tests/toolscript/observability/test_script_calls.py',),
    ),
]
