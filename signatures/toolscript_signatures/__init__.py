"""Show a function or a JSON schema to a model as Python."""

from .catalogs.catalog import Catalog, Rendered
from .catalogs.observed_text import observed_text
from .catalogs.tokens import estimate_tokens
from .catalogs.tool_function import ToolFunction
from .docstrings.docstrings import docstring_summary
from .from_function import signature_from_function
from .from_schema import FunctionSignature, signature_from_schema
from .schemas.parameters import MISSING, Parameter
from .shapes.identifiers import identifier, keeps_its_name
from .shapes.observed import ObservedShape
from .shapes.spec import ToolSpec, content_of
from .shapes.visible import with_visible, without_invisible
from .writing.function_text import Detail

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
