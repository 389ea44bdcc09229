"""A value as text for the model."""

from __future__ import annotations

import json
from typing import Any


def view(value: Any, *, max_chars: int, name: str | None) -> str:
    """The value as JSON; beyond `max_chars`, its size, its beginning and end, and where the rest is."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) <= max_chars:
        return text
    half = max(0, (max_chars - 200) // 2)
    where = f' The whole value is in the variable `{name}`; slice it in the next snippet.' if name else ''
    return f'{text[:half]}\n[{len(text) - 2 * half:,} of {len(text):,} characters left out.{where}]\n{text[-half:]}'
