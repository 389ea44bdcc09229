"""The cost of signatures in tokens.

    python -m benchmarks.signatures [--schemas FILE]

Tokens are those of o200k_base after `python -m evals.vocabulary`, else an estimate.
"""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic_ai.function_signature import FunctionSignature
from pydantic_ai.tools import ToolDefinition

from evals.measuring.tokenizer import best_tokenizer
from toolscript_signatures import Catalog, ToolSpec, estimate_tokens

Row = dict[str, Any]

_SHARED = Path(os.environ.get('TOOLSCRIPT_SHARED', Path(__file__).parents[2] / 'shared'))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--schemas', type=Path, default=_SHARED / 'data' / 'schemas.jsonl')
    options = parser.parse_args()
    print_tokens([json.loads(line) for line in options.schemas.read_text().splitlines()])


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


if __name__ == '__main__':
    main()
