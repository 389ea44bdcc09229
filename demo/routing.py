"""The history of the rules by which parcels are routed. One of its changes is the cause of the delays."""

from datetime import UTC, datetime, timedelta

from demo.repository import Commit
from demo.rows import CARRIERS

_TO_BLAME = 'Send eastern parcels through the Lindholm hub'
_CHANGES = [
    (70, 'Mira', 'Collect northern parcels an hour earlier', 'north', 'pickup = "15:00"'),
    (63, 'Leon', 'Let Sunline take bulky goods in the west', 'west', 'bulky = true'),
    (55, 'Ines', 'Take the evening ferry to the islands', 'islands', 'ferry = "evening"'),
    (48, 'Mira', 'Insure southern parcels above 500', 'south', 'insured_above = 500'),
    (41, 'Hugo', 'Skip the depot in Varberg', 'west', 'depots = ["Alby"]'),
    (33, 'Leon', 'Sort northern parcels by street', 'north', 'sort_by = "street"'),
    (26, 'Ines', 'Print labels in the east at the depot', 'east', 'labels = "depot"'),
    (19, 'Hugo', 'Promise the islands four days', 'islands', 'promise_days = 4'),
    (14, 'Mira', 'Raise the weight limit in the south', 'south', 'max_kg = 31'),
    (12, 'Hugo', _TO_BLAME, 'east', 'hub = "Lindholm"'),
    (9, 'Leon', 'Name a second contact in the north', 'north', 'contact = "Tove"'),
    (6, 'Ines', 'Leave island parcels with neighbours', 'islands', 'neighbours = true'),
    (3, 'Mira', 'Return western parcels by train', 'west', 'returns = "train"'),
]
"""Days before the shop's today, author, reason, place, and the line that the change adds."""


def history() -> list[Commit]:
    today = datetime(2026, 6, 24, 14, tzinfo=UTC)
    rules = {region: f'carrier = "{carrier}"\n' for region, carrier in CARRIERS.items()}
    files = {f'routes/{region}.toml': text for region, text in rules.items()}
    commits = [Commit('Write the routing rules down', 'Hugo', today - timedelta(days=90), files)]
    for days, author, message, region, line in _CHANGES:
        rules[region] += f'{line}\n'
        changed = {f'routes/{region}.toml': rules[region]}
        commits.append(Commit(message, author, today - timedelta(days=days), changed))
    return commits
