"""The job as done by a model that may write code: look around, search, write one script, answer."""

import re
from string import Template

from demo.job import Finding, repository_in
from demo.scripted import Call, Seen, Work

_NEEDS = {
    'list_regions': 'list the regions',
    'orders_placed': 'orders that a region placed',
    'shipment_of': 'how late is the shipment of an order',
    'customer': 'look up the name of a customer',
    'git_log': 'show the git commit log',
    'git_show': 'show the contents of a git commit',
}
"""The functions that the script calls, and the search query for each that is not shown yet."""

_SCRIPT = Template("""\
import asyncio
from datetime import date, timedelta

today = date.fromisoformat('$today')
monday = today - timedelta(days=today.weekday() + 14)
since, until = monday.isoformat(), (monday + timedelta(days=13)).isoformat()

async def orders_in(region):
    first = await orders_placed(region=region, since=since, until=until)
    others = range(2, first['pages'] + 1)
    rest = await asyncio.gather(
        *[orders_placed(region=region, since=since, until=until, page=page) for page in others]
    )
    return [order for page in [first, *rest] for order in page['orders']]

def sums(orders, key):
    totals = {}
    for order in orders:
        totals[order[key]] = round(totals.get(order[key], 0) + order['total'], 2)
    return dict(sorted(totals.items(), key=lambda item: -item[1]))

regions = await list_regions()
found = await asyncio.gather(*[orders_in(region['name']) for region in regions])
orders = [order for of_region in found for order in of_region]
shipments = await asyncio.gather(*[shipment_of(order_id=order['id']) for order in orders])
late = {shipment['order_id'] for shipment in shipments if shipment['days_late'] > 0}
late_orders = [order for order in orders if order['id'] in late]

late_by_region = sums(late_orders, 'region')
region = list(late_by_region)[0]
hardest_hit = list(sums([order for order in late_orders if order['region'] == region], 'customer_id'))[:3]
customers = await asyncio.gather(*[customer(customer_id=number) for number in hardest_hit])

by_day = {}
for order in orders:
    if order['region'] == region:
        by_day.setdefault(order['placed'], []).append(order['id'] in late)
first_day = min(day for day, lateness in by_day.items() if 2 * sum(lateness) >= len(lateness))

log = await git_log(repo_path='$repository', max_count=1, end_timestamp=first_day + 'T23:59:59Z')
commit = dict(line.split(': ', 1) for line in log.splitlines() if ': ' in line)
diff = await git_show(repo_path='$repository', revision=commit['Commit'])
added = [line[1:] for line in diff.splitlines() if line.startswith('+') and not line.startswith('+++')]

{
    'late_by_region': late_by_region,
    'region': region,
    'customers': [customer['name'] for customer in customers],
    'first_day': first_day,
    'commit': commit['Commit'],
    'author': commit['Author'],
    'message': commit['Message'],
    'change': added[0],
}
""")


def in_code(seen: Seen) -> Work:
    """Search for functions that are not shown yet, then do the whole job in one script."""
    run_code, search = _tool_taking(seen, 'code'), _tool_taking(seen, 'query')
    wanted = [query for name, query in _NEEDS.items() if name not in _offered(seen, run_code)]
    seen = yield [Call('today', {}), *(Call(search, {'query': query, 'max_results': 2}) for query in wanted)]
    offered = _offered(seen, run_code)
    if missing := [query for name, query in _NEEDS.items() if name not in offered]:
        return f'I found nothing to {", nothing to ".join(missing)}.'
    code = _SCRIPT.substitute(today=seen.results[0], repository=repository_in(seen.prompt))
    (result,) = (yield [Call(run_code, {'code': code})]).results
    return Finding(**result).text() if 'region' in result else f'The script failed: {result}'


def _tool_taking(seen: Seen, parameter: str) -> str:
    return next(name for name, tool in seen.tools.items() if parameter in tool.parameters_json_schema['properties'])


def _offered(seen: Seen, run_code: str) -> set[str]:
    """Return the functions that `run_code` shows."""
    return set(re.findall(r'def (\w+)\(', seen.tools[run_code].description or ''))
