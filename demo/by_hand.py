"""The same job as done by a model that calls each tool directly, as many in one turn as possible."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from demo.job import Finding, repository_in
from demo.scripted import Call, Seen, Work

Json = dict[str, Any]


def by_hand(seen: Seen) -> Work:
    """Call, read, and call again; all arithmetic is done by the model."""
    repository = repository_in(seen.prompt)
    today, regions = (yield [Call('today', {}), Call('list_regions', {})]).results
    since, until = _two_full_weeks(date.fromisoformat(today))
    asked: list[Json] = [{'region': region['name'], 'since': since, 'until': until} for region in regions]
    first = (yield [Call('orders_placed', each) for each in asked]).results
    more = [
        {**each, 'page': page}
        for each, found in zip(asked, first, strict=True)
        for page in range(2, found['pages'] + 1)
    ]
    rest = (yield [Call('orders_placed', each) for each in more]).results if more else []
    orders: list[Json] = [order for found in [*first, *rest] for order in found['orders']]
    shipments = (yield [Call('shipment_of', {'order_id': order['id']}) for order in orders]).results
    late = {shipment['order_id'] for shipment in shipments if shipment['days_late'] > 0}
    totals = _sums((order for order in orders if order['id'] in late), 'region')
    region = next(iter(totals))
    there = [order for order in orders if order['region'] == region]
    first_day = _first_day(there, late)
    hardest_hit = list(_sums((order for order in there if order['id'] in late), 'customer_id'))[:3]
    log = {'repo_path': repository, 'max_count': 1, 'end_timestamp': f'{first_day}T23:59:59Z'}
    calls = [*(Call('customer', {'customer_id': number}) for number in hardest_hit), Call('git_log', log)]
    *customers, history = (yield calls).results
    commit = dict(line.split(': ', 1) for line in history.splitlines() if ': ' in line)
    (diff,) = (yield [Call('git_show', {'repo_path': repository, 'revision': commit['Commit']})]).results
    added = [line[1:] for line in diff.splitlines() if line.startswith('+') and not line.startswith('+++')]
    names = [customer['name'] for customer in customers]
    return Finding(
        totals, region, names, first_day, commit['Commit'], commit['Author'], commit['Message'], added[0]
    ).text()


def _two_full_weeks(today: date) -> tuple[str, str]:
    monday = today - timedelta(days=today.weekday() + 14)
    return monday.isoformat(), (monday + timedelta(days=13)).isoformat()


def _sums(orders: Iterable[Json], key: str) -> dict[Any, float]:
    totals: defaultdict[Any, float] = defaultdict(float)
    for order in orders:
        totals[order[key]] += order['total']
    return dict(sorted(totals.items(), key=lambda item: -item[1]))


def _first_day(orders: list[Json], late: set[int]) -> str:
    by_day: defaultdict[str, list[bool]] = defaultdict(list)
    for order in orders:
        by_day[order['placed']].append(order['id'] in late)
    return min(day for day, lateness in by_day.items() if 2 * sum(lateness) >= len(lateness))
