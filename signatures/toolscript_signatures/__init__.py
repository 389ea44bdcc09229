"""Show a function or a JSON schema to a model as Python."""

from .catalog import Catalog, Rendered
from .from_function import signature_from_function
from .from_schema import FunctionSignature, signature_from_schema
from .function_text import Detail
from .identifiers import identifier, keeps_its_name
from .observed import ObservedShape
from .parameters import MISSING, Parameter
from .spec import ToolSpec
from .tokens import estimate_tokens
from .tool_function import ToolFunction

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
    'estimate_tokens',
    'identifier',
    'keeps_its_name',
    'signature_from_function',
    'signature_from_schema',
]
