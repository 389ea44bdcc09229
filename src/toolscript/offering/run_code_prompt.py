"""What the model reads of `run_code`: whole texts, part of the product."""

RUN_CODE_DESCRIPTION = """\
Run Python in a sandbox. The functions below are already defined; do not import them.
- `async def` functions need `await`; run independent calls together: `a, b = await asyncio.gather(f(), g())`. \
Plain `def` ones do not.
- The value of the last expression is the result. Only it and what you print come back: filter and aggregate here.
- Do a whole job in one script: loop, chain, branch, try/except.
- Variables stay for the next call; restart=true clears them.
- Values are plain JSON: `row['key']`, not `row.key`. Where a result is Any, look at one before you rely on its shape.
- Standard library only (json, re, math, datetime, collections and the like), no files, no network."""

BOTH_DOORS = """\
Some tools can also be called directly. One simple operation: call the tool directly.
Chains, loops, filtering, fan-out: run_code, never for one call only."""

SEARCH_IN_CODE_TEXT = """\
More functions can be found: `await search_tools('what it does')` returns their names and what they do, and \
a function that you know by its exact name can be called at once."""

NO_FUNCTIONS = 'No function is loaded yet.'

RESTART_DESCRIPTION = 'Clear the variables of earlier calls first.'

SINGLE_CALLS = """\
The last {count} scripts made one call each. Put the next steps into one script; where a tool can also be called \
directly, one call goes directly."""
