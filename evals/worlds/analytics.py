"""An analytics service with pages, rate limits, jobs and results too large to read."""

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Literal

from pydantic_ai import ModelRetry
from typing_extensions import TypedDict

from evals.worlds.world import Service

PAGE_SIZE = 100
SITES = ['atlas', 'beacon', 'cobalt', 'dune', 'ember', 'fjord', 'grove', 'harbor']
DAYS = [f'2026-05-{day:02}' for day in range(1, 15)]

Metric = Literal['views', 'clicks', 'errors', 'signups']


class Visit(TypedDict):
    """One visit of a site."""

    id: int
    site: str
    day: str
    country: str
    page: str
    seconds: int
    clicks: int
    converted: bool


class VisitPage(TypedDict):
    """Some of the visits asked for."""

    visits: list[Visit]
    next_cursor: str | None
    """To be given with the next call; None on the last page."""


class DayTotal(TypedDict):
    """A metric of one day."""

    day: str
    value: int


class Alert(TypedDict):
    """Something that somebody should look at."""

    id: int
    site: str
    level: Literal['info', 'warning', 'critical']
    text: str
    open: bool


class Job(TypedDict):
    """A report that is being made."""

    id: int
    state: Literal['queued', 'running', 'done']
    value: int | None
    """The result, once it is done."""


class Experiment(TypedDict):
    """A test of two variants."""

    name: str
    site: str
    variants: dict[str, dict[str, int]]
    """For each variant its visitors and its conversions."""
    running: bool


@dataclass
class Analytics(Service):
    visits: list[Visit]
    totals: dict[tuple[str, str, str], int]
    """Totals by site, metric and day."""
    alerts: dict[int, Alert]
    experiments: dict[str, Experiment]
    jobs: dict[int, tuple[str, int]] = field(default_factory=dict[int, tuple[str, int]])
    """The site of each job, and the number of times its state was queried."""
    reports: list[tuple[str, dict[str, float]]] = field(default_factory=list[tuple[str, dict[str, float]]])
    winners: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Experiments that were stopped, with the variant that all visitors got."""
    calls: Counter[str] = field(default_factory=Counter[str])

    careful = ('purge_site',)

    def list_sites(self) -> list[str]:
        """List the names of all sites."""
        return list(SITES)

    def list_days(self) -> list[str]:
        """List the days that there is data for, oldest first."""
        return list(DAYS)

    def site_owner(self, site: str) -> str:
        """Tell the email address of the team that owns a site."""
        return f'{_known(site)}-team@company.example'

    def query_visits(self, site: str, day: str, cursor: str | None = None) -> VisitPage:
        """List single visits of a site on a day, 100 to a page.

        Args:
            site: The name of the site.
            day: As 2026-05-01.
            cursor: `next_cursor` of the page before.
        """
        found = [visit for visit in self.visits if visit['site'] == _known(site) and visit['day'] == day]
        start = int(cursor or 0)
        end = start + PAGE_SIZE
        return VisitPage(visits=found[start:end], next_cursor=str(end) if end < len(found) else None)

    def daily_totals(self, site: str, metric: Metric) -> list[DayTotal]:
        """List a metric of a site for each day."""
        return [DayTotal(day=day, value=self.totals[_known(site), metric, day]) for day in DAYS]

    def live_visitors(self, site: str) -> int:
        """Count who is on a site now. The counter is overloaded: every first call for a site fails, try again."""
        self.calls[f'live {_known(site)}'] += 1
        if self.calls[f'live {site}'] == 1:
            raise ModelRetry('503: the counter is overloaded, try again.')
        return self.totals[site, 'views', DAYS[-1]] // 10

    def site_uptime(self, site: str) -> float:
        """Tell how many percent of the time a site was up. There is no such number for sites that move."""
        if _known(site) in ('dune', 'grove'):
            raise ModelRetry(f'410: {site} is being moved and has no uptime.')
        return 100 - SITES.index(site) / 10

    def list_alerts(self, open_only: bool = True) -> list[Alert]:
        """List alerts, oldest first."""
        return [alert for alert in self.alerts.values() if alert['open'] or not open_only]

    def acknowledge_alert(self, alert_id: int) -> Alert:
        """Close an alert."""
        if alert_id not in self.alerts:
            raise ModelRetry(f'There is no alert {alert_id}.')
        self.alerts[alert_id] = {**self.alerts[alert_id], 'open': False}
        return self.alerts[alert_id]

    def list_experiments(self) -> list[str]:
        """List the names of all experiments."""
        return list(self.experiments)

    def get_experiment(self, name: str) -> Experiment:
        """Look up an experiment and its numbers."""
        if name not in self.experiments:
            raise ModelRetry(f'There is no experiment {name!r}.')
        return self.experiments[name]

    def stop_experiment(self, name: str, winner: str) -> Experiment:
        """Stop an experiment and give all visitors the winning variant."""
        self.experiments[name] = {**self.get_experiment(name), 'running': False}
        self.winners.append((name, winner))
        return self.experiments[name]

    def start_job(self, site: str) -> Job:
        """Start counting the distinct countries of all visits of a site; ask `job_state` for the result."""
        number = len(self.jobs) + 1
        self.jobs[number] = (_known(site), 0)
        return Job(id=number, state='queued', value=None)

    def job_state(self, job_id: int) -> Job:
        """Tell how far a job is."""
        if job_id not in self.jobs:
            raise ModelRetry(f'There is no job {job_id}.')
        site, asked = self.jobs[job_id]
        self.jobs[job_id] = (site, asked + 1)
        if asked < 3:
            return Job(id=job_id, state='running', value=None)
        return Job(id=job_id, state='done', value=len({v['country'] for v in self.visits if v['site'] == site}))

    def save_report(self, title: str, numbers: dict[str, float]) -> int:
        """Save a report and return its number."""
        self.reports.append((title, numbers))
        return len(self.reports)

    def purge_site(self, site: str) -> int:
        """Delete all visits of a site for good and return how many there were."""
        kept = [visit for visit in self.visits if visit['site'] != _known(site)]
        gone = len(self.visits) - len(kept)
        self.visits = kept
        return gone

    def snapshot(self) -> list[str]:
        """Return everything that a tool could change, without the number of queries for a job."""
        visits = Counter(visit['site'] for visit in self.visits)
        return [
            *(f'{count} visits of {site}' for site, count in visits.items()),
            *(f'alert {number} is open' for number, alert in self.alerts.items() if alert['open']),
            *(f'{name} is running' for name, experiment in self.experiments.items() if experiment['running']),
            *(f'{winner} won {name}' for name, winner in self.winners),
            *(f'job about {site}' for site, _ in self.jobs.values()),
            *(f'report {title}: {json.dumps(numbers)}' for title, numbers in self.reports),
        ]


def open_analytics() -> Analytics:
    """Return the service with two weeks of data, the same each time."""
    made = _made()
    # Tools replace values instead of changing them, so shallow copies of the containers are enough.
    return Analytics([*made.visits], made.totals, {**made.alerts}, {**made.experiments})


@cache
def _made() -> Analytics:
    random = Random(514)
    visits = [_visit(random, number) for number in range(1, 22_001)]
    totals = {
        (site, metric, day): random.randint(100, 5000) if metric == 'views' else random.randint(0, 400)
        for site in SITES
        for metric in ('views', 'clicks', 'errors', 'signups')
        for day in DAYS
    }
    alerts = {number: _alert(random, number) for number in range(1, 41)}
    experiments = {f'exp-{number}': _experiment(random, number) for number in range(1, 13)}
    return Analytics(visits, totals, alerts, experiments)


def _known(site: str) -> str:
    if site not in SITES:
        raise ModelRetry(f'There is no site {site!r}; list_sites knows them.')
    return site


def _visit(random: Random, number: int) -> Visit:
    return Visit(
        id=number,
        site=random.choice(SITES),
        day=random.choice(DAYS),
        country=random.choice(['AT', 'BR', 'CH', 'DE', 'ES', 'FR', 'JP', 'KE', 'US']),
        page=random.choice(['/', '/pricing', '/docs', '/blog', '/signup']),
        seconds=random.randint(1, 600),
        clicks=random.randint(0, 20),
        converted=random.random() < 0.07,
    )


def _alert(random: Random, number: int) -> Alert:
    return Alert(
        id=number,
        site=random.choice(SITES),
        level=random.choice(['info', 'info', 'warning', 'critical']),
        text=random.choice(['Disk is filling up.', 'Many errors.', 'Certificate ends soon.', 'Slow answers.']),
        open=random.random() < 0.6,
    )


def _experiment(random: Random, number: int) -> Experiment:
    variants = {
        variant: {'visitors': random.randint(800, 1200), 'conversions': random.randint(20, 160)} for variant in 'AB'
    }
    return Experiment(name=f'exp-{number}', site=random.choice(SITES), variants=variants, running=True)
