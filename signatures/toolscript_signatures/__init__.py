"""Show a function or a JSON schema to a model as Python."""

from .catalog.catalog import Catalog, Rendered
from .catalog.tool_function import ToolFunction, estimate_tokens
from .render.docstrings import docstring_summary
from .render.function_text import Detail
from .render.plain import FunctionSignature, signature_from_function, signature_from_schema
from .render.tool_types import observed_text
from .schemas.parameters import MISSING, Parameter
from .types.identifiers import identifier, keeps_its_name
from .types.observed import ObservedShape
from .types.spec import ToolSpec, content_of
from .types.visible import with_visible, without_invisible

__all__ = [
    'MISSING',
    'Catalog',
    'Detail',
    'FunctionSignature',
    'ObservedShape',
    'Parameter',
    'Rendered',
    'ToolFunction',
    'ToolSpec',
    'content_of',
    'docstring_summary',
    'estimate_tokens',
    'identifier',
    'keeps_its_name',
    'observed_text',
    'signature_from_function',
    'signature_from_schema',
    'with_visible',
    'without_invisible',
]
