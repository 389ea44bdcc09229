"""Tools of other services, as distractors for the search."""

from functools import cache
from itertools import islice, product
from typing import Any

from pydantic_ai import ModelRetry, Tool
from pydantic_ai.toolsets import AbstractToolset, FunctionToolset

_SERVICES = [
    'crm', 'payroll', 'fleet', 'clinic', 'campus', 'studio', 'garage', 'museum', 'airport', 'bakery', 'library',
    'farm', 'harbour', 'theatre', 'lab', 'press', 'gym', 'bank', 'court', 'hotel', 'kitchen', 'depot', 'council',
    'radio', 'zoo',
]  # fmt: skip
_THINGS = [
    'contact', 'shift', 'vehicle', 'patient', 'course', 'recording', 'repair', 'exhibit', 'flight', 'recipe',
    'loan', 'field', 'berth', 'rehearsal', 'sample', 'article', 'membership', 'transfer', 'hearing', 'booking',
]  # fmt: skip
_VERBS = {
    'list': 'List {thing}s, filtered by status.',
    'get': 'Look up one {thing} by its number.',
    'create': 'Create a {thing}.',
    'update': 'Change the fields of a {thing}.',
    'remove': 'Remove a {thing} for good.',
    'assign': 'Assign a {thing} to somebody.',
    'export': 'Export {thing}s as a table.',
    'count': 'Count {thing}s by status.',
}


@cache
def crowd(count: int) -> AbstractToolset[Any]:
    """Return `count` tools, the same each time; there are at most 4,000."""
    names = islice(product(_VERBS, _THINGS, _SERVICES), count)
    return FunctionToolset([_tool(verb, thing, service) for verb, thing, service in names], id='crowd')


def _tool(verb: str, thing: str, service: str) -> Tool[Any]:
    def refuse(**arguments: Any) -> dict[str, Any]:
        raise ModelRetry(f'The {service} knows nothing of this.')

    return Tool[Any].from_schema(
        refuse,
        name=f'{service}_{verb}_{thing}',
        description=f'{_VERBS[verb].format(thing=thing)} Part of the {service} service.',
        json_schema={
            'type': 'object',
            'properties': {
                f'{thing}_id': {'type': 'integer', 'description': f'The number of the {thing}.'},
                'status': {'type': 'string', 'enum': ['open', 'closed', 'any'], 'default': 'any'},
                'note': {'type': 'string', 'description': 'Written into the log.'},
            },
            'required': [f'{thing}_id'],
            'additionalProperties': False,
        },
    )
