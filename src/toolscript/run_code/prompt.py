"""The texts of `run_code` for the model: whole texts, part of the product."""

RUN_CODE_DESCRIPTION = """\
Run Python in a sandbox where the functions below are already defined. Do a whole job in one script: loop, chain, \
branch, try/except.
- `async def` functions need `await`; independent calls go together: `a, b = await asyncio.gather(f(), g())`.
- Only the value of the last expression and what you print come back: filter and aggregate here.
- Variables stay for the next call.
- Values are plain JSON: `row['key']`, not `row.key`.
- Standard library only (json, re, math, datetime, collections and the like), no files, no network."""

NO_FILES = ', no files'
"""Removed from the description if scripts have files."""

UNKNOWN_RESULTS = '- Where a result is Any, look at one before you rely on its shape.'
"""Included if there are such results, or may be."""

BOTH_CALLERS = """\
Some are also tools. One simple operation: call the tool directly. Chains, loops, filtering, fan-out: run_code."""

SEARCH_IN_CODE_TEXT = """\
More can be found: `await search_tools('what it does')` returns names and what they do. A function whose exact name \
you know can be called at once."""

ANSWER_IN_CODE = """\
Where you know the form of your final answer before you see the data, give it from the script that computes it: \
{calls}, once. With the script's end the job is done. Otherwise look at the data first."""

NO_FUNCTIONS = 'No function is loaded yet.'

RESTART_DESCRIPTION = 'Clear variables first.'

SINGLE_CALLS = """\
The last {count} scripts made one call each. Put the next steps into one script; where a tool can also be called \
directly, one call goes directly."""
