"""What the function of a tool says of itself, as its author wrote it.

pydantic-ai makes a tool's description from the function's docstring. Where that says what comes back, the description
is XML (`<summary>`, `<returns>`, `<type>`), and what the function raises is lost. Code is called by its signature, so
here the docstring is read anew where there is a function. What was read travels on in the definition's metadata, with
the description that it stands for: where somebody has given the tool another one, that one counts. Where there is only
a definition, of a history or another process, the markup is read back.
"""

import re
from collections.abc import Mapping
from typing import Any

from pydantic_ai.tools import ToolDefinition

from toolscript.guards import fields
from toolscript_signatures import docstring_summary

DOCS_KEY = 'toolscript_docs'
_MARKED = re.compile(
    r'(?:<summary>(?P<summary>.*)</summary>\n)?'
    r'<returns>\n(?:<type>(?P<type>[^\n]*)</type>\n)?<description>(?P<told>.*)</description>\n</returns>',
    re.DOTALL,
)


def docs_mark(function_schema: object, tool_def: ToolDefinition) -> dict[str, Any]:
    """The metadata of a tool whose function says what it returns or raises, by what pydantic-ai knows of that."""
    own = tool_def.description
    if not own or own != getattr(function_schema, 'description', None):
        return {}
    text = docstring_summary(getattr(function_schema, 'function', None))
    return {} if text is None or text == own else {DOCS_KEY: {'of': own, 'text': text}}


def description_of(tool_def: ToolDefinition) -> str | None:
    """The description, without markup."""
    docs: Mapping[str, object] = fields(tool_def.metadata.get(DOCS_KEY)) if tool_def.metadata else {}
    text, of = docs.get('text'), docs.get('of')
    if isinstance(text, str) and of == tool_def.description:
        return text
    return tool_def.description and unmarked(tool_def.description)


def unmarked(description: str) -> str:
    """A description that pydantic-ai made of a docstring, as text; any other as it is."""
    found = _MARKED.fullmatch(description.strip()) if '</returns>' in description else None
    if found is None:
        return description
    told = found['told'].strip()
    returns = f'Returns: {told}' if told and told != (found['type'] or '').strip() else ''
    return '\n\n'.join(filter(None, [(found['summary'] or '').strip(), returns]))
