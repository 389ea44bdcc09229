"""A tool's schemas, read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from toolscript_signatures.schemas.parameters import ParameterList, read_parameters
from toolscript_signatures.schemas.reader import Reader
from toolscript_signatures.schemas.reading import NOTHING_KNOWN, Place
from toolscript_signatures.shapes.json_values import is_object, text_at
from toolscript_signatures.shapes.pytypes import ANY, PyType, Record
from toolscript_signatures.shapes.spec import ToolSpec

from .writing import record_references


@dataclass(frozen=True)
class ToolShape:
    """What a tool takes and gives, as Python types."""

    parameters: ParameterList
    returns: PyType
    returns_note: str
    records: Mapping[str, Record]
    """The `TypedDict`s of parameters and result by place, inner ones first."""
    observed: bool
    """Whether the type of the result was only seen, not promised."""

    @cached_property
    def later(self) -> Mapping[str, frozenset[str]]:
        """For each place, the places whose definition does not come before it, of those that it names."""
        order = {at: index for index, at in enumerate(self.records)}
        return {
            at: frozenset(inner for inner in record_references(record) if order.get(inner, 0) >= order[at])
            for at, record in self.records.items()
        }


def read_tool(spec: ToolSpec) -> ToolShape:
    """The shape of a tool. Reads any schema, and never raises."""
    try:
        return _read(spec)
    except Exception:  # whatever a schema does that no other did: it must not take the rest of the catalog with it
        return ToolShape(ParameterList((), ANY, False), ANY, '', {}, False)


def _read(spec: ToolSpec) -> ToolShape:
    takes = Reader(spec.parameters)
    parameters = read_parameters(takes, spec.parameters, spec.variadic)
    schema = spec.returns
    observed = schema is None and spec.observed is not None and spec.observed.samples > 0
    if observed and spec.observed is not None:
        schema = spec.observed.shape
    gives = Reader(schema, 'result:')
    result = NOTHING_KNOWN if schema is None else gives.read(schema, Place('result:#', _result_hint(spec, schema)))
    return ToolShape(parameters, result.type, result.note, {**takes.records, **gives.records}, observed)


def _result_hint(spec: ToolSpec, schema: object) -> str:
    title = text_at(schema, 'title') if is_object(schema) else ''
    return title if title.isidentifier() and title[0].isupper() else f'{spec.name}Result'
