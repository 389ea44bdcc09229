"""Pages of the documentation, and their code as it runs without a provider's key."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LIVE_MODEL = re.compile(r"(?<!Embedder\()'((?:anthropic|openai):[\w.-]+)'")
"""A model named in code. It requires its provider's key, except for embedding models."""


def blocks(page: str, language: str = 'python') -> list[str]:
    """Return the code blocks of a page in a language. The page is a path in the repository, such as `docs/index.md`."""
    return blocks_in((ROOT / page).read_text(), language)


def blocks_in(text: str, language: str = 'python') -> list[str]:
    """Return the code blocks of a text in a language."""
    return re.findall(rf'```{language}\n(.*?)```', text, re.DOTALL)


def run_block(code: str, names: dict[str, Any]) -> None:
    """Run a block in this namespace, with pydantic-ai's test model instead of a live one."""
    exec(compile(LIVE_MODEL.sub("'test'", code), 'docs', 'exec', dont_inherit=True), names)


def run_blocks(page: str, first: int | None = None) -> dict[str, Any]:
    """Run the blocks of a page in order, all or the `first` ones, and return their namespace."""
    names: dict[str, Any] = {'__name__': 'docs'}
    for code in blocks(page)[:first]:
        run_block(code, names)
    return names
