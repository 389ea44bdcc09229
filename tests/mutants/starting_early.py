"""Reads start early, and nothing else does."""

from .mutant import Mutant

_EARLY = ('tests/toolscript/test_speculative_reads.py',)
_FORESEEN = ('tests/sandbox/test_what_is_foreseen.py',)
_CALLS = 'src/toolscript/scripts/speculation.py'
_NAMES = 'src/toolscript/scripts/speculation.py'
_SCRIPT = 'src/toolscript/scripts/speculative_script.py'
_STREAM = 'src/toolscript/speculative_reads.py'
_FORESIGHT = 'sandbox/toolscript_sandbox/speculation/foresight.py'

MUTANTS = [
    Mutant('Only marked reads start early', _NAMES, ' or not may_run_early(tool_def)', '', _EARLY, sample=True),
    Mutant('No call that needs approval starts early', _NAMES, "tool_def.kind != 'function' or ", '', _EARLY),
    Mutant('No tool that was not shown starts early', _NAMES, 'in on_show else', "!= '' else", _EARLY),
    Mutant(
        'Nothing starts early behind what may act',
        _FORESIGHT,
        "kind != 'acts' and name not in _REACHING_ANYTHING",
        'True',
        _FORESEEN,
    ),
    Mutant('Nothing starts early behind a sleep', _FORESIGHT, "ast.Attribute(attr='sleep') | ", '', _FORESEEN),
    Mutant(
        'What acts throws away what was read early',
        _CALLS,
        'if callee.tool_def.sequential or not callee.only_reads:',
        'if callee.tool_def.sequential:',
        _EARLY,
    ),
    Mutant('Each early result is taken once', _CALLS, 'waiting.popleft()', 'waiting[0]', _EARLY),
    Mutant(
        'A script that is refused so far starts nothing early', _SCRIPT, 'if refused is not None:', 'if False:', _EARLY
    ),
    Mutant(
        'A script that came otherwise than it was written takes no early result',
        _SCRIPT,
        'if not code.startswith(self._code):',
        'if False:',
        _EARLY,
    ),
    Mutant(
        'A script that is turned away ends its early reads at once', _STREAM, 'if not is_response:', 'if False:', _EARLY
    ),
    Mutant(
        'Only the first call of a response starts early',
        _STREAM,
        'if self._first is None and isinstance(part, ToolCallPart):',
        'if isinstance(part, ToolCallPart):',
        _EARLY,
    ),
    Mutant(
        'Nothing starts early where calls have their order',
        _STREAM,
        "manager.get_parallel_execution_mode() != 'parallel'",
        'False',
        _EARLY,
    ),
    Mutant(
        'Nothing starts early that waits for an approval as a whole',
        _STREAM,
        ' or _is_approved_first(manager.toolset, owner)',
        '',
        _EARLY,
    ),
    Mutant(
        'Nobody is asked about an early read',
        _CALLS,
        'execute_tool_call(validated,',
        'handle_call(call.part,',
        _EARLY,
    ),
    Mutant(
        'Early reads stay within the limit of the run',
        _CALLS,
        'tool_calls=usage.tool_calls + count + 2',
        'tool_calls=usage.tool_calls',
        _EARLY,
    ),
    Mutant('Early reads that were for nothing do not count', _CALLS, 'call.usage.tool_calls -= 1', 'pass', _EARLY),
    Mutant(
        'No more early reads run at a time than calls of a script',
        _CALLS,
        'asyncio.Semaphore(limits.max_concurrent_calls)',
        'asyncio.Semaphore(10_000)',
        _EARLY,
    ),
    Mutant(
        'Calls of the script go before early reads that nobody took',
        _CALLS,
        'max(0, own + len(running) - self._limits.max_concurrent_calls)',
        '0',
        _EARLY,
    ),
]
