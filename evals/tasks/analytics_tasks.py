"""Tasks with the analytics service."""

from collections import Counter

from evals.tasks.task import Check, tasks_of
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


CHECKS: dict[str, Check] = {
    'analytics-owner': Check(lambda analytics: 'cobalt-team@company.example'),
    'analytics-peak': Check(lambda analytics: max(DAYS, key=lambda day: analytics.totals['atlas', 'views', day])),
    'analytics-alert-owner': Check(
        lambda analytics: f'{analytics.alerts[_critical(analytics)[0]]["site"]}-team@company.example'
    ),
    'analytics-signup-report': Check(
        lambda analytics: sum(analytics.totals['ember', 'signups', day] for day in DAYS),
        lambda analytics: {
            **analytics.snapshot(),
            'reports': [
                {
                    'title': 'Ember',
                    'numbers': {'signups': sum(analytics.totals['ember', 'signups', day] for day in DAYS)},
                }
            ],
        },
    ),
    'analytics-errors-by-site': Check(
        lambda analytics: {site: sum(analytics.totals[site, 'errors', day] for day in DAYS) for site in SITES}
    ),
    'analytics-conversions': Check(lambda analytics: dict(_countries(analytics, 'harbor', '2026-05-09'))),
    'analytics-pricing-seconds': Check(
        lambda analytics: {day: round(average, 2) for day, average in _seconds(analytics).items()}
    ),
    'analytics-acknowledge': Check(
        _critical,
        lambda analytics: {
            **analytics.snapshot(),
            'open alerts': [
                alert['id'] for alert in analytics.alerts.values() if alert['open'] and alert['level'] != 'critical'
            ],
        },
    ),
    'analytics-stop-experiments': Check(
        _winners,
        lambda analytics: {
            **analytics.snapshot(),
            'running': sorted(analytics.experiments.keys() - _winners(analytics).keys()),
            'winners': sorted(_winners(analytics).items()),
        },
    ),
    'analytics-job': Check(
        lambda analytics: len({visit['country'] for visit in analytics.visits if visit['site'] == 'beacon'}),
        lambda analytics: {**analytics.snapshot(), 'jobs': ['beacon']},
    ),
    'analytics-live': Check(
        lambda analytics: {
            site: analytics.totals[site, 'views', DAYS[-1]] // 10 for site in ('atlas', 'beacon', 'cobalt')
        }
    ),
    'analytics-uptime': Check(_uptimes),
    'analytics-purge': Check(
        lambda analytics: {site: sum(v['site'] == site for v in analytics.visits) for site in _quiet(analytics)},
        lambda analytics: {
            **analytics.snapshot(),
            'visits': Counter(v['site'] for v in analytics.visits if v['site'] not in _quiet(analytics)),
        },
        decisions={'purge_site': True},
    ),
    'analytics-days': Check(
        lambda analytics: DAYS[0],
        lambda analytics: {**analytics.snapshot(), 'reports': [{'title': 'Days', 'numbers': {'days': len(DAYS)}}]},
    ),
}


def _quiet(analytics: Analytics) -> list[str]:
    return [site for site in SITES if sum(analytics.totals[site, 'errors', day] for day in DAYS) < 2700]


TASKS = tasks_of('analytics', CHECKS)
