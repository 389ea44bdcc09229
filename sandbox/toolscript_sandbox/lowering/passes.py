"""The lowerings in their order, each with the marks by which a program has anything for it.

Most programs have marks of a few: to ask each of the others was half of the work of preparing a short snippet.
"""

from __future__ import annotations

import ast
from collections.abc import Set
from typing import TypeAlias

from toolscript_sandbox.text.syntax import index_of

from .class_features import ENUMERATIONS
from .classes.attribute_stores import STORING, with_asked_stores
from .classes.inheritance import flattened
from .classes.missing_attributes import with_missing_attributes
from .classes.nested_classes import unnested
from .classes.private_names import with_private_names
from .classes.variables import NAMESPACES
from .errors.block_ends import with_block_ends
from .errors.called_wrongly import with_places_of_functions
from .errors.failures import with_failures
from .errors.missing_items import with_keys
from .errors.own_errors import with_own_errors
from .errors.wordings import with_wordings
from .generators.abandoned import closing
from .generators.generator_functions import resumable
from .generators.iterators import MAKERS, lazily
from .names.comprehension_names import renamed
from .names.entry import with_main_called
from .names.positional_only import with_positional_only
from .program import Lowering, Program
from .refusals.class_limits import with_plain_classes
from .rules.all_rules import RULES, by_rules
from .rules.function_attributes import with_function_attributes
from .rules.method_values import with_method_values
from .rules.tasks import with_loop
from .special_classes.bases_from_library import ENCODER, with_library_bases
from .special_classes.class_patterns import with_class_patterns
from .special_classes.dataclass_options import with_dataclass_options
from .special_classes.enum_borders import with_values_of_members
from .special_classes.enums import with_enums
from .special_classes.heirs import HEIRS, with_heirs
from .special_classes.namespaces import with_namespaces
from .special_classes.records import RECORDS, with_records
from .special_classes.shown_classes import with_shown_classes
from .special_classes.typed_dicts import with_typed_dicts
from .values.additions import extended
from .values.circle_comparisons import with_bounded_comparisons
from .values.complexes import with_complexes
from .values.first_keys import with_first_keys
from .values.formats import with_formats
from .values.named_values import with_named_values
from .values.nans import with_nans_told_apart
from .values.own_formats import with_own_formats
from .values.set_changes import in_place
from .values.set_order import OF_SETS, SETS, VIEWS, with_set_order
from .values.shown_values import with_shown_values

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
