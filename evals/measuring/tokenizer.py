"""How many tokens a text has."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from toolscript_signatures import estimate_tokens

VOCABULARY_FOLDER = Path(__file__).parents[2] / '.servers' / 'vocabulary'
"""Where ``python -m evals.vocabulary`` puts the vocabulary of a real tokenizer."""


@dataclass(frozen=True)
class Tokenizer:
    """Counts tokens, and says by what."""

    name: str
    count: Callable[[str], int]


@cache
def best_tokenizer() -> Tokenizer:
    """o200k_base where its vocabulary is on this machine, else the estimate, which needs nothing."""
    if VOCABULARY_FOLDER.is_dir():
        os.environ['TIKTOKEN_CACHE_DIR'] = str(VOCABULARY_FOLDER)
        import tiktoken

        encoding = tiktoken.get_encoding('o200k_base')

        @lru_cache(200_000)
        def count(text: str) -> int:
            return len(encoding.encode_ordinary(text))

        return Tokenizer('o200k_base', count)
    return estimate()


def estimate() -> Tokenizer:
    """The same numbers everywhere."""
    return Tokenizer('estimate', lru_cache(200_000)(estimate_tokens))
