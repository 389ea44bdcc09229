"""The cost of signatures in tokens and in time.

    python -m benchmarks.signatures [tokens|time] [--schemas FILE]

Tokens are those of o200k_base after `python -m evals.vocabulary`, else an estimate.
"""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic_ai.function_signature import FunctionSignature
from pydantic_ai.tools import ToolDefinition

from evals.measuring.tokenizer import best_tokenizer
from toolscript_signatures import Catalog, ToolSpec, estimate_tokens
from toolscript_signatures.types.json_values import is_array, is_object

Row = dict[str, Any]

_SHARED = Path(os.environ.get('TOOLSCRIPT_SHARED', Path(__file__).parents[2] / 'shared'))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', nargs='?', choices=['tokens', 'time', 'all'], default='all')
    parser.add_argument('--schemas', type=Path, default=_SHARED / 'data' / 'schemas.jsonl')
    options = parser.parse_args()
    rows: list[Row] = [json.loads(line) for line in options.schemas.read_text().splitlines()]
    if options.what in ('tokens', 'all'):
        print_tokens(rows)
    if options.what in ('time', 'all'):
        print_time(rows)


def print_tokens(rows: Sequence[Row]) -> None:
    """Print the sizes of the same tools as JSON, as rendered by pydantic-ai and by us."""
    tokenizer = best_tokenizer()
    unit, count = f'tokens of {tokenizer.name}', tokenizer.count
    with_returns = [row for row in rows if 'return_schema' in row]
    for title, some, returns in (
        (f'{len(rows)} tools, without return schemas', rows, False),
        (f'{len(with_returns)} tools that have one, with return schemas', with_returns, True),
    ):
        whole = sum(count(_compact(row, returns)) for row in some)
        print(f'\n{title}: {whole} {unit} as compact JSON')
        _print_share(
            'descriptions alone', sum(count(text) for row in some for text in _descriptions(row, returns)), whole
        )
        _print_share('pydantic-ai', count(_theirs(some, returns)), whole)
        catalog = Catalog(_specs(some, returns))
        for detail in ('full', 'signature', 'brief'):
            text = catalog.render(detail=detail).text
            size = count(text)
            _print_share(f'ours, {detail}', size, whole, f'estimated {estimate_tokens(text) / size:.2f} of that')
        _print_share('ours, full, each alone', sum(count(function.render()) for function in catalog), whole)


def _print_share(name: str, size: int, whole: int, more: str = '') -> None:
    print(f'  {name:24} {size:8} {size / whole:6.3f}  {more}'.rstrip())


def _compact(row: Row, returns: bool) -> str:
    shown = {'name': row['name'], 'description': row['description'], 'parameters': row['parameters_json_schema']}
    if returns:
        shown['returns'] = row['return_schema']
    return json.dumps(shown, separators=(',', ':'), ensure_ascii=False)


def _descriptions(row: Row, returns: bool) -> Iterator[str]:
    yield row['description'] or ''
    yield from _inner_descriptions(row['parameters_json_schema'])
    if returns:
        yield from _inner_descriptions(row['return_schema'])


def _inner_descriptions(value: Any) -> Iterator[str]:
    if is_object(value):
        for key, inner in value.items():
            if key == 'description' and isinstance(inner, str):
                yield inner
            else:
                yield from _inner_descriptions(inner)
    elif is_array(value):
        for inner in value:
            yield from _inner_descriptions(inner)


def _specs(rows: Sequence[Row], returns: bool) -> list[ToolSpec]:
    return [
        ToolSpec(
            row['name'],
            row['parameters_json_schema'],
            row['description'],
            returns=row.get('return_schema') if returns else None,
            server=row.get('server'),
        )
        for row in rows
    ]


def _theirs(rows: Sequence[Row], returns: bool) -> str:
    pairs = [
        (definition, signature) for definition in _definitions(rows, returns) if (signature := _signed(definition))
    ]
    signatures = [signature for _, signature in pairs]
    conflicts = FunctionSignature.get_conflicting_type_names(signatures)
    types = FunctionSignature.render_type_definitions(signatures, conflicts)
    functions = [
        signature.render(
            '...',
            name=definition.name,
            description=definition.description,
            is_async=True,
            conflicting_type_names=conflicts,
        )
        for definition, signature in pairs
    ]
    return '\n\n'.join([*types, *functions])


def _definitions(rows: Sequence[Row], returns: bool) -> list[ToolDefinition]:
    return [
        ToolDefinition(
            name=row['name'],
            description=row['description'],
            parameters_json_schema=row['parameters_json_schema'],
            return_schema=row.get('return_schema') if returns else None,
        )
        for row in rows
    ]


def _signed(definition: ToolDefinition) -> FunctionSignature | None:
    try:
        return definition.function_signature
    except Exception:  # It cannot handle some malformed schemas.
        return None


def print_time(rows: Sequence[Row], wanted: int = 10_000) -> None:
    """Print the seconds of processor time to render ten thousand tools, and a comparison."""
    many = [
        {**rows[index % len(rows)], 'name': f'{rows[index % len(rows)]["name"]}_{index}'} for index in range(wanted)
    ]
    specs = _specs(many, True)
    small = _seconds(lambda: _theirs(rows, True))
    ours = _seconds(lambda: Catalog(_specs(rows, True)).render())
    print(f'\n{len(rows)} tools, cold: pydantic-ai {small:.2f} s, ours {ours:.2f} s, ratio {ours / small:.2f}')
    print(f'{wanted} tools, cold: {_seconds(lambda: Catalog(specs).render()):.2f} s')
    print(f'{wanted} tools, same specs again: {_seconds(lambda: Catalog(specs).render()) * 1000:.0f} ms')
    catalog = Catalog(specs)
    print(f'{wanted} tools, same catalog again: {_seconds(lambda: catalog.render()) * 1000:.0f} ms')
    copies = _specs(json.loads(json.dumps(many)), True)
    print(f'{wanted} tools, equal specs again: {_seconds(lambda: Catalog(copies).render()) * 1000:.0f} ms')


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == '__main__':
    main()
