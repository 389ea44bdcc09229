"""Tasks with the analytics service."""

from collections import Counter

from evals.tasks.task import Task
from evals.worlds.analytics import DAYS, SITES, Analytics


def _countries(analytics: Analytics, site: str, day: str) -> Counter[str]:
    return Counter(v['country'] for v in analytics.visits if v['site'] == site and v['day'] == day and v['converted'])


def _seconds(analytics: Analytics) -> dict[str, float]:
    found: dict[str, list[int]] = {}
    for visit in analytics.visits:
        if visit['site'] == 'fjord' and visit['day'] in DAYS[:4] and visit['page'] == '/pricing':
            found.setdefault(visit['day'], []).append(visit['seconds'])
    return {day: sum(seconds) / len(seconds) for day, seconds in found.items()}


def _critical(analytics: Analytics) -> list[int]:
    return [alert['id'] for alert in analytics.alerts.values() if alert['open'] and alert['level'] == 'critical']


def _winners(analytics: Analytics) -> dict[str, str]:
    winners: dict[str, str] = {}
    for experiment in analytics.experiments.values():
        rates = {name: one['conversions'] / one['visitors'] for name, one in experiment['variants'].items()}
        if abs(rates['A'] - rates['B']) > 0.05:
            winners[experiment['name']] = max(rates, key=lambda name: rates[name])
    return winners


def _uptimes(analytics: Analytics) -> dict[str, float | None]:
    return {site: None if site in ('dune', 'grove') else 100 - SITES.index(site) / 10 for site in SITES}


TASKS = [
    Task(
        name='analytics-owner',
        kind='one call',
        world='analytics',
        ask='Who owns the site cobalt? Answer with the email address, a JSON string.',
        plan="await site_owner(site='cobalt')\n",
        answer=lambda analytics: 'cobalt-team@company.example',
    ),
    Task(
        name='analytics-peak',
        kind='one call',
        world='analytics',
        ask='On which day had the site atlas the most views? Answer with the day, a JSON string.',
        plan="""\
totals = await daily_totals(site='atlas', metric='views')
sorted(totals, key=lambda total: total['value'])[-1]['day']
""",
        answer=lambda analytics: max(DAYS, key=lambda day: analytics.totals['atlas', 'views', day]),
    ),
    Task(
        name='analytics-alert-owner',
        kind='chain',
        world='analytics',
        ask=(
            'Who owns the site of the oldest open alert of level critical? Answer with the email address, a JSON'
            ' string.'
        ),
        plan="""\
alerts = [alert for alert in await list_alerts() if alert['level'] == 'critical']
await site_owner(site=alerts[0]['site'])
""",
        answer=lambda analytics: f'{analytics.alerts[_critical(analytics)[0]]["site"]}-team@company.example',
    ),
    Task(
        name='analytics-signup-report',
        kind='chain',
        world='analytics',
        ask=(
            "Add up the signups of the site ember over all days and save them as a report with the title 'Ember' and"
            ' the numbers {"signups": the sum}. Answer with the sum.'
        ),
        plan="""\
totals = await daily_totals(site='ember', metric='signups')
signups = sum([total['value'] for total in totals])
await save_report(title='Ember', numbers={'signups': signups})
signups
""",
        answer=lambda analytics: sum(analytics.totals['ember', 'signups', day] for day in DAYS),
        leaves=lambda analytics: {
            **analytics.snapshot(),
            'reports': [
                {
                    'title': 'Ember',
                    'numbers': {'signups': sum(analytics.totals['ember', 'signups', day] for day in DAYS)},
                }
            ],
        },
    ),
    Task(
        name='analytics-errors-by-site',
        kind='fan-out',
        world='analytics',
        ask='How many errors had each site over all days? Answer with a JSON object from site to number.',
        plan="""\
import asyncio
sites = await list_sites()
totals = await asyncio.gather(*[daily_totals(site=site, metric='errors') for site in sites])
{site: sum([total['value'] for total in found]) for site, found in zip(sites, totals)}
""",
        answer=lambda analytics: {site: sum(analytics.totals[site, 'errors', day] for day in DAYS) for site in SITES},
    ),
    Task(
        name='analytics-conversions',
        kind='aggregate',
        world='analytics',
        ask=(
            'From which countries came the visits of the site harbor on 2026-05-09 that converted, and how many from'
            ' each? Answer with a JSON object from country to number.'
        ),
        plan="""\
page = await query_visits(site='harbor', day='2026-05-09')
visits = list(page['visits'])
while page['next_cursor'] is not None:
    page = await query_visits(site='harbor', day='2026-05-09', cursor=page['next_cursor'])
    visits += page['visits']
countries = {}
for visit in visits:
    if visit['converted']:
        countries[visit['country']] = countries.get(visit['country'], 0) + 1
countries
""",
        answer=lambda analytics: dict(_countries(analytics, 'harbor', '2026-05-09')),
    ),
    Task(
        name='analytics-pricing-seconds',
        kind='aggregate',
        world='analytics',
        ask=(
            'How many seconds did visits of the page /pricing of the site fjord take on average, on each day from'
            ' 2026-05-01 to 2026-05-04? Answer with a JSON object from day to average, to two places.'
        ),
        plan="""\
import asyncio

async def average_of(day):
    page = await query_visits(site='fjord', day=day)
    seconds = [visit['seconds'] for visit in page['visits'] if visit['page'] == '/pricing']
    while page['next_cursor'] is not None:
        page = await query_visits(site='fjord', day=day, cursor=page['next_cursor'])
        seconds += [visit['seconds'] for visit in page['visits'] if visit['page'] == '/pricing']
    return round(sum(seconds) / len(seconds), 2)

days = ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04']
averages = await asyncio.gather(*[average_of(day) for day in days])
dict(zip(days, averages))
""",
        answer=lambda analytics: {day: round(average, 2) for day, average in _seconds(analytics).items()},
    ),
    Task(
        name='analytics-acknowledge',
        kind='loop',
        world='analytics',
        ask='Acknowledge every open alert of level critical. Answer with a JSON list of their numbers.',
        plan="""\
import asyncio
critical = [alert['id'] for alert in await list_alerts() if alert['level'] == 'critical']
await asyncio.gather(*[acknowledge_alert(alert_id=number) for number in critical])
critical
""",
        answer=_critical,
        leaves=lambda analytics: {
            **analytics.snapshot(),
            'open alerts': [
                alert['id'] for alert in analytics.alerts.values() if alert['open'] and alert['level'] != 'critical'
            ],
        },
    ),
    Task(
        name='analytics-stop-experiments',
        kind='loop',
        world='analytics',
        ask=(
            'Stop every experiment whose two variants differ by more than 0.05 in conversions per visitor, with the'
            ' better variant as the winner. Answer with a JSON object from the name of the experiment to the winner.'
        ),
        plan="""\
import asyncio
names = await list_experiments()
experiments = await asyncio.gather(*[get_experiment(name=name) for name in names])
winners = {}
for experiment in experiments:
    rates = {key: one['conversions'] / one['visitors'] for key, one in experiment['variants'].items()}
    if abs(rates['A'] - rates['B']) > 0.05:
        winners[experiment['name']] = 'A' if rates['A'] > rates['B'] else 'B'
await asyncio.gather(*[stop_experiment(name=name, winner=winner) for name, winner in winners.items()])
winners
""",
        answer=_winners,
        leaves=lambda analytics: {
            **analytics.snapshot(),
            'running': sorted(analytics.experiments.keys() - _winners(analytics).keys()),
            'winners': sorted(_winners(analytics).items()),
        },
    ),
    Task(
        name='analytics-job',
        kind='loop',
        world='analytics',
        ask=(
            'Start the job that counts the distinct countries of the visits of the site beacon, ask for its state'
            ' until it is done, and answer with its value, a number.'
        ),
        plan="""\
job = await start_job(site='beacon')
state = await job_state(job_id=job['id'])
while state['state'] != 'done':
    state = await job_state(job_id=job['id'])
state['value']
""",
        answer=lambda analytics: len({visit['country'] for visit in analytics.visits if visit['site'] == 'beacon'}),
        leaves=lambda analytics: {**analytics.snapshot(), 'jobs': ['beacon']},
    ),
    Task(
        name='analytics-live',
        kind='recovery',
        world='analytics',
        ask=(
            'How many visitors are on each of the sites atlas, beacon and cobalt now? The counter fails at times: try'
            ' again. Answer with a JSON object from site to number.'
        ),
        plan="""\
import asyncio

async def count_on(site):
    for attempt in range(3):
        try:
            return await live_visitors(site=site)
        except Exception:
            continue
    return None

sites = ['atlas', 'beacon', 'cobalt']
dict(zip(sites, await asyncio.gather(*[count_on(site) for site in sites])))
""",
        answer=lambda analytics: {
            site: analytics.totals[site, 'views', DAYS[-1]] // 10 for site in ('atlas', 'beacon', 'cobalt')
        },
    ),
    Task(
        name='analytics-uptime',
        kind='recovery',
        world='analytics',
        ask=(
            'What is the uptime of each site? Some have none. Answer with a JSON object from site to percent, null'
            ' where there is none.'
        ),
        plan="""\
import asyncio

async def uptime_of(site):
    try:
        return await site_uptime(site=site)
    except Exception:
        return None

sites = await list_sites()
dict(zip(sites, await asyncio.gather(*[uptime_of(site) for site in sites])))
""",
        answer=_uptimes,
    ),
    Task(
        name='analytics-purge',
        kind='approval',
        world='analytics',
        ask=(
            'Delete the visits of every site that has less than 2,700 errors over all days. Answer with a JSON object'
            ' from site to how many visits were deleted.'
        ),
        plan="""\
import asyncio
sites = await list_sites()
totals = await asyncio.gather(*[daily_totals(site=site, metric='errors') for site in sites])
quiet = [site for site, found in zip(sites, totals) if sum([total['value'] for total in found]) < 2700]
dict(zip(quiet, await asyncio.gather(*[purge_site(site=site) for site in quiet])))
""",
        answer=lambda analytics: {site: sum(v['site'] == site for v in analytics.visits) for site in _quiet(analytics)},
        leaves=lambda analytics: {
            **analytics.snapshot(),
            'visits': Counter(v['site'] for v in analytics.visits if v['site'] not in _quiet(analytics)),
        },
        decisions={'purge_site': True},
    ),
]


def _quiet(analytics: Analytics) -> list[str]:
    return [site for site in SITES if sum(analytics.totals[site, 'errors', day] for day in DAYS) < 2700]
