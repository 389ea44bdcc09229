"""Scripts that wait, and things that are never done twice."""

from .mutant import Mutant

_TRUSTED = ('tests/toolscript/durability/test_snapshots_are_trusted.py',)
_RETRIES = ('tests/toolscript/durability/test_retries_repeat_nothing.py',)
_RECORDED = 'src/toolscript/scripts/recorded.py'
_SNAPSHOTS = 'src/toolscript/durability/snapshots.py'

MUTANTS = [
    Mutant(
        'A replayed script must make the calls that it made',
        'sandbox/toolscript_sandbox/replay.py',
        'if one != other:',
        'if False and one != other:',
        ('tests/sandbox/test_replay.py',),
    ),
    Mutant(
        'A replay neither reads nor changes files',
        'sandbox/toolscript_sandbox/replay.py',
        'return await super().file(asked, answer)',
        'return await super().file(asked, work)',
        ('tests/sandbox/test_replay.py',),
    ),
    Mutant(
        'A replay draws the random numbers of the first run',
        'sandbox/toolscript_sandbox/replay.py',
        'self._as_of = life.clock',
        'pass',
        ('tests/sandbox/test_replay.py',),
    ),
    Mutant(
        'A changed snapshot is refused',
        _SNAPSHOTS,
        'return body if signed else None',
        'return body',
        _TRUSTED,
        sample=True,
    ),
    Mutant(
        'An expired snapshot is refused',
        _SNAPSHOTS,
        'if self.now() > _EXPIRY',
        'if False and self.now() > _EXPIRY',
        _TRUSTED,
    ),
    Mutant(
        'A snapshot opens only for the purpose that it was made for',
        _SNAPSHOTS,
        "purpose.encode() + b'\\0'",
        "b'\\0'",
        _TRUSTED,
    ),
    Mutant(
        'Only tools that say so may run twice',
        'src/toolscript/routing/effects.py',
        'return read_only_of(tool_def) is True or (is_hinted and',
        'return True or (is_hinted and',
        _RETRIES,
    ),
    Mutant(
        'A retry repeats nothing that was done',
        _RECORDED,
        'entry = cache.recall(call.digest)',
        'entry = None if call.digest else cache.recall(call.digest)',
        _RETRIES,
        sample=True,
    ),
    Mutant(
        'What may or may not have happened is not simply run again',
        _RECORDED,
        """        if entry is None or not isinstance(entry.outcome, Finished):
            return Result(Raised.of(unknown_outcome(call.part.tool_name)), 'refusal')
""",
        """        if entry is None or not isinstance(entry.outcome, Finished):
            return None
""",
        _RETRIES,
    ),
]
