"""The lowerings in their order, each with the marks by which a program has anything for it.

Most programs have marks of a few: to ask each of the others was half of the work of preparing a short snippet.
"""

from __future__ import annotations

import ast
from collections.abc import Set
from typing import TypeAlias

from toolscript_sandbox.text.syntax import index_of

from .abandoned import closing
from .additions import extended
from .attribute_stores import STORING, with_asked_stores
from .block_ends import with_block_ends
from .called_wrongly import with_places_of_functions
from .circle_comparisons import with_bounded_comparisons
from .class_features import ENUMERATIONS
from .class_limits import with_plain_classes
from .class_patterns import with_class_patterns
from .classes import flattened
from .complexes import with_complexes
from .comprehension_names import renamed
from .dataclass_options import with_dataclass_options
from .entry import with_main_called
from .enum_borders import with_values_of_members
from .enums import with_enums
from .failures import with_failures
from .first_keys import with_first_keys
from .formats import with_formats
from .function_attributes import with_function_attributes
from .generators import resumable
from .heirs import HEIRS, with_heirs
from .iterators import MAKERS, lazily
from .library_bases import ENCODER, with_library_bases
from .method_values import with_method_values
from .missing_attributes import with_missing_attributes
from .missing_items import with_keys
from .named_values import with_named_values
from .namespaces import with_namespaces
from .nans import with_nans_told_apart
from .nested_classes import unnested
from .own_errors import with_own_errors
from .own_formats import with_own_formats
from .positional_only import with_positional_only
from .private_names import with_private_names
from .program import Lowering, Program
from .records import RECORDS, with_records
from .rules import RULES, by_rules
from .set_changes import in_place
from .set_order import OF_SETS, SETS, VIEWS, with_set_order
from .shown_classes import with_shown_classes
from .shown_values import with_shown_values
from .tasks import with_loop
from .typed_dicts import with_typed_dicts
from .variables import NAMESPACES
from .wordings import with_wordings

Mark: TypeAlias = type[ast.AST] | str
"""A kind of node, a name in the text, or one of the kin of a session."""


class Pass:
    """A lowering, and where it has anything to do."""

    def __init__(self, lowering: Lowering, *marks: Mark) -> None:
        self.lowering = lowering
        self.marks: frozenset[Mark] = frozenset(marks)
        """A program in which none of them is found stays as it is. Without any it is asked of each."""


def marks_of(program: Program) -> Set[Mark]:
    """The kinds of its nodes, its names, and what it imports."""
    index = index_of(program.tree)
    return {*index.kinds, *index.words, *(alias.name for alias in index.kinds.get(ast.alias, ()))}


REPAIRS: tuple[Pass, ...] = (
    Pass(with_named_values, ast.JoinedStr),
    Pass(with_places_of_functions, ast.ExceptHandler, ast.keyword),
    Pass(with_library_bases, ENCODER[1]),
    Pass(with_typed_dicts, 'TypedDict'),
    Pass(with_private_names, ast.ClassDef),
    Pass(unnested, ast.ClassDef),
    Pass(with_heirs, ast.ClassDef, HEIRS),
    Pass(with_plain_classes, ast.ClassDef),
    Pass(with_class_patterns, ast.MatchClass, ast.MatchSequence),
    Pass(with_namespaces, 'SimpleNamespace', NAMESPACES),
    Pass(with_main_called, ast.FunctionDef, ast.AsyncFunctionDef),
    Pass(with_enums, ast.ClassDef, ENUMERATIONS),
    Pass(with_records, ast.ClassDef),
    Pass(with_asked_stores, ast.ClassDef, *STORING),
    Pass(with_own_errors),
    Pass(flattened),
    Pass(with_dataclass_options, ast.ClassDef),
    Pass(with_shown_classes, ast.Call, ast.JoinedStr),
    Pass(with_missing_attributes, ast.ClassDef, '__getattr__'),
    Pass(with_method_values, ast.Attribute),
    Pass(with_function_attributes, ast.Attribute, ast.Call),
    Pass(by_rules, *RULES.kinds),
)
"""What makes the text what it was meant to be; their result is checked."""

LOWERINGS: tuple[Pass, ...] = (
    Pass(with_positional_only, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda),
    Pass(with_first_keys, ast.Subscript, ast.DictComp, ast.Dict, ast.Call, ast.BinOp, ast.AugAssign),
    Pass(with_nans_told_apart, ast.Compare, ast.Call),
    Pass(with_wordings, ast.ExceptHandler),
    Pass(with_failures, ast.ExceptHandler, ast.keyword),
    Pass(with_complexes, ast.BinOp, ast.AugAssign, ast.Call),
    Pass(with_bounded_comparisons, ast.Compare),
    Pass(with_shown_values),
    Pass(with_set_order, ast.Set, ast.SetComp, *OF_SETS, *VIEWS, SETS),
    Pass(with_values_of_members, ENUMERATIONS, RECORDS),
    Pass(with_own_formats, ast.ClassDef, '__format__'),
    Pass(with_formats, ast.JoinedStr, 'format'),
    Pass(renamed, ast.comprehension),
    Pass(in_place, ast.AugAssign),
    Pass(with_keys),
    Pass(extended, ast.AugAssign),
    Pass(lazily, ast.GeneratorExp, 'iter', *MAKERS),
    Pass(closing, ast.Yield),
    Pass(resumable, ast.Yield, ast.YieldFrom, ast.AsyncFor, ast.comprehension),
    Pass(with_block_ends, ast.Try, ast.With, ast.AsyncWith),
    Pass(with_loop),
)
"""What takes the place of parts of the language that Monty lacks; the checker knows these, so it does not see it."""
