"""Variables that live on in the next run."""

from .mutant import Mutant

_LIVING = ('tests/toolscript/sessions/test_variables_live_on.py',)
_STORED = ('tests/toolscript/sessions/test_variables_in_a_store.py',)
_LASTING = 'src/toolscript/sessions/session_persistence.py'

MUTANTS = [
    Mutant(
        'Two users share nothing though their conversations have one id',
        'src/toolscript/sessions/sessions.py',
        '        if self.owner is None:\n',
        '        if self.owner is None or ctx.conversation_id:\n',
        _LIVING,
        sample=True,
    ),
    Mutant(
        'Nothing is taken up whose functions became others',
        _LASTING,
        'return told.gone_with_tools(changed) if changed else None',
        'return None',
        _LIVING,
    ),
    Mutant(
        'Two runs never mix their variables',
        _LASTING,
        "self._copy = '' if await self._claimed() else told.COPY",
        "self._copy = '' if await self._claimed() or True else told.COPY",
        _STORED,
    ),
    Mutant(
        'A script is not run for other variables than it was written for',
        _LASTING,
        "told.changed(line) if is_news else ''",
        "''",
        _STORED,
    ),
    Mutant(
        'A script whose answer was lost finds what it found before',
        _LASTING,
        'found.at_start_of(script) if self.told is None else found.newest',
        'found.newest',
        _STORED,
    ),
    Mutant(
        'What was kept in one place is not taken in another',
        'src/toolscript/sessions/session_store.py',
        'content = await asyncio.to_thread(self.snapshots.open, place, text)',
        "content = await asyncio.to_thread(self.snapshots.open, '', text)",
        _STORED,
    ),
    Mutant(
        'Those who go on with the same variables draw other tokens',
        'sandbox/toolscript_sandbox/execution/executor.py',
        """f'{source}.seed({f"{seed} {source}"!r})' for source in""",
        "f'{source}' for source in",
        ('tests/sandbox/test_sessions.py',),
    ),
]
