"""How well `run_code` tells valid arguments from broken ones before anything runs.

    python benchmarks/arguments.py [--schemas FILE] [--every N] [--holdout M/N] [--show KIND]

Each tool is called from a script with arguments drawn from its JSON schema, written out as literals: valid ones, and
the same with one thing broken. Each script goes through the sandbox like one of a model; the sandbox either stops it
before the call or does not. Sources (the origins of tools) are split by name: `--holdout 0/2` measures one half,
`--holdout 1/2` the other, so that nothing has to be measured on the data it was tuned on.
"""

import argparse
import asyncio
import copy
import json
import os
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.sandbox.tables import Table
from tests.signatures.broken_values import broken_values
from tests.signatures.schema_values import SchemaValues
from toolscript_sandbox import Call, Completed, Failed, Function, Sandbox
from toolscript_signatures import Catalog, ToolFunction, ToolSpec
from toolscript_signatures.types.json_values import is_object

Row = dict[str, Any]
_SHARED = Path(os.environ.get('TOOLSCRIPT_SHARED', Path(__file__).parents[2] / 'shared'))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--schemas', type=Path, default=_SHARED / 'data' / 'schemas.jsonl')
    parser.add_argument('--every', type=int, default=1, help='every n-th tool only')
    parser.add_argument('--holdout', default='0/1', help='which part of the sources, of how many')
    parser.add_argument('--show', help='print up to ten misses of a kind, or of "valid"')
    options = parser.parse_args()
    rows: list[Row] = [json.loads(line) for line in options.schemas.read_text().splitlines()]
    part, parts = map(int, options.holdout.split('/'))
    rows = [row for row in rows if zlib.crc32(_source(row).encode()) % parts == part][:: options.every]
    asyncio.run(_measure(rows, options.show))


def _source(row: Row) -> str:
    return str(row.get('server') or row.get('source') or '')


async def _measure(rows: list[Row], show: str | None) -> None:
    taken, given = Counter[str](), Counter[str]()
    misses = defaultdict[str, list[str]](list)
    async with Sandbox() as sandbox:
        for row in rows:
            for kind, code, answer in _scripts(row):
                given[kind] += 1
                outcome = await _outcome(sandbox, answer, code)
                taken[kind] += outcome is None
                if (outcome is None) != (kind == 'valid') and len(misses[kind]) < _SHOWN:
                    misses[kind].append(f'{code}\n{answer.stub}\n{outcome}')
    broken = {kind: count for kind, count in given.items() if kind != 'valid'}
    print(f'{len(rows)} tools')
    print(f'valid arguments refused: {given["valid"] - taken["valid"]} of {given["valid"]}')
    accepted = sum(taken[kind] for kind in broken)
    print(f'broken arguments accepted: {accepted} of {sum(broken.values())} ({accepted / sum(broken.values()):.2%})')
    for kind, count in sorted(broken.items()):
        print(f'  {kind:28} {taken[kind]:5} of {count:5}  {taken[kind] / count:.2%}')
    for miss in misses.get(show or '', []):
        print(f'\n{miss}')


def _scripts(row: Row) -> Iterator[tuple[str, str, Function]]:
    """Yield the kind, the text and the function of each script."""
    spec = ToolSpec(row['name'], row['parameters_json_schema'], row['description'])
    made = next(iter(Catalog([spec])))
    function = Function(made.name, made.stub, made.spec.sequential, made.signature, made.validate)
    random = Random(f'{row["name"]}/{row.get("source")}')
    values = SchemaValues(spec.parameters, random)
    for full in (True, False):
        drawn = values.draw(full)
        if not is_object(drawn) or not values.valid(drawn):
            continue
        yield 'valid', _call(made, dict(drawn), by_word=False, named_once=False), function
        for kind, broken in broken_values(spec.parameters, copy.deepcopy(dict(drawn)), random):
            yield kind, _call(made, broken, random.random() < 0.5, random.random() < _NAMED), function


def _call(function: ToolFunction, arguments: dict[str, Any], by_word: bool, named_once: bool) -> str:
    """Return the call as a script.

    Args:
        function: The function to call.
        arguments: Its arguments.
        by_word: Whether unknown keys are passed as keywords, rather than in an unpacked dict.
        named_once: Whether the arguments are first assigned to variables.
    """
    named = {parameter.key: parameter.name for parameter in function.parameters}
    words = {key: named.get(key, key) for key in arguments if key in named or (by_word and key.isidentifier())}
    rest = {key: value for key, value in arguments.items() if key not in words}
    given = {words[key]: repr(value) for key, value in arguments.items() if key in words}
    lines = [f'value_{index} = {text}' for index, text in enumerate(given.values())] if named_once else []
    written = [f'{word}={f"value_{index}" if named_once else text}' for index, (word, text) in enumerate(given.items())]
    written += [f'**{rest!r}'] if rest else []
    return '\n'.join([*lines, f'await {function.name}({", ".join(written)})'])


async def _outcome(sandbox: Sandbox, function: Function, code: str) -> str | None:
    """Return the error that stopped the script before its call, or None."""
    called = False

    async def dispatch(call: Call) -> None:
        nonlocal called
        called = True

    async with sandbox.session() as session:
        outcome = await session.run(code, Table({function.name: function}), dispatch)
    if called:
        return None
    assert isinstance(outcome, (Completed, Failed)), outcome
    return outcome.error.message if isinstance(outcome, Failed) else 'it made no call'


_NAMED = 0.3
_SHOWN = 10


if __name__ == '__main__':
    main()
