"""Pages of the documentation, and their code as a reader without a provider's key runs it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LIVE_MODEL = re.compile(r"(?<!Embedder\()'((?:anthropic|openai):[\w.-]+)'")
"""A model as code names it. Naming one takes its provider's key; naming one that embeds does not."""


def blocks(page: str, language: str = 'python') -> list[str]:
    """The blocks of a page in a language. The page is a path within the repository, such as `docs/index.md`."""
    return re.findall(rf'```{language}\n(.*?)```', (ROOT / page).read_text(), re.DOTALL)


def run_block(code: str, names: dict[str, Any]) -> None:
    """Run a block among these names, with pydantic-ai's test model in the place of a live one."""
    exec(compile(LIVE_MODEL.sub("'test'", code), 'docs', 'exec', dont_inherit=True), names)


def run_blocks(page: str, first: int | None = None) -> dict[str, Any]:
    """What the first blocks of a page define, or all of them, run one after the other."""
    names: dict[str, Any] = {'__name__': 'docs'}
    for code in blocks(page)[:first]:
        run_block(code, names)
    return names
