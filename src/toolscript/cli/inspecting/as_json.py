"""An inspection as JSON."""

import json
from dataclasses import asdict

from pydantic import JsonValue
from pydantic_ai.messages import ModelMessagesTypeAdapter

from toolscript.cli.inspecting.inspection import Inspection


def inspection_json(inspection: Inspection) -> str:
    """All of it, for scripts; docs/cli.md has the keys."""
    played = inspection.played
    change = played.change
    data: dict[str, JsonValue] = {
        'target': inspection.target,
        'sources': [*inspection.sources],
        'tokens': {
            'json': inspection.json_tokens,
            'signatures': inspection.signature_tokens,
            'first_request': played.first_tokens,
        },
        'requests': [asdict(request) for request in played.requests],
        'messages': ModelMessagesTypeAdapter.dump_python([*played.messages], mode='json'),
        'discovery': None
        if played.found is None
        else {
            'tool': played.found,
            'read_anew': played.read_anew,
            'change': None if change is None else {'section': change.section, 'byte': change.byte},
        },
        'tools': [{**asdict(tool), 'defer_below': inspection.pays_below(tool)} for tool in inspection.tools],
        'warnings': [asdict(warned) for warned in inspection.warnings],
    }
    return json.dumps(data, ensure_ascii=False, indent=2)
