"""The scripted model: it does what a task's author would do with what it is shown."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from evals.playing.by_hand import Called, Finished, Wants, play
from evals.playing.program import is_single_call, tools_of, uses
from evals.playing.queries import queries_for
from evals.playing.shown import RUN_CODE, SEARCH_TOOLS, Shown
from evals.tasks.task import Task
from tests.wires.loopback import Request
from tests.wires.replies import Call, Reply, Search, reply


class NotShown(Exception):
    """The model was not shown what it needs to go on."""


@dataclass(frozen=True)
class Player:
    """Plays one task. It keeps nothing: each reply comes from the request alone."""

    task: Task

    def __call__(self, request: Request) -> Reply:
        """The reply to a request."""
        shown = Shown(request)
        needed = tools_of(self.task.plan)
        if shown.has_code and not self._prefers_direct(shown):
            return self._by_code(shown, needed)
        return self._by_hand(shown, needed)

    def _prefers_direct(self, shown: Shown) -> bool:
        """As `run_code` advises where both doors are open: a single operation goes directly.

        What has begun at one door goes on there.
        """
        if any(called.tool == RUN_CODE for called in shown.history):
            return False
        needed = tools_of(self.task.plan)
        # Which doors a tool has is only known once it was found.
        known = all(name in shown.direct for name in needed)
        return known and is_single_call(self.task.plan)

    def _by_code(self, shown: Shown, needed: list[str]) -> Reply:
        ran = [called for called in shown.history if called.tool == RUN_CODE]
        if ran:
            return reply(self._told(ran[-1]))
        missing = [name for name in needed if name not in shown.functions]
        if missing:
            return self._search(shown, missing)
        _check(self.task.plan, shown.functions)
        return reply(Call(RUN_CODE, {'code': self.task.plan}))

    def _told(self, ran: Called) -> str:
        """The answer to the user, from the result of the snippet."""
        if ran.result.failed:
            raise NotShown(f'The snippet failed: {ran.result.text}')
        return json.dumps(ran.result.value(is_list='JSON list' in self.task.ask))

    def _by_hand(self, shown: Shown, needed: list[str]) -> Reply:
        missing = [name for name in needed if name not in shown.direct]
        if missing and shown.reading.search is not None:
            return self._native_search(shown, needed, missing)
        if missing:
            return self._search(shown, missing)
        _check(self.task.plan, shown.direct)
        return self._next_calls(shown, needed)

    def _next_calls(self, shown: Shown, needed: list[str]) -> Reply:
        match play(self.task.plan, needed, [called for called in shown.history if called.tool in needed]):
            case Finished(value):
                return reply(_said(value))
            case Wants(calls):
                return reply(*(Call(tool, _json(arguments)) for tool, arguments in calls))

    def _search(self, shown: Shown, missing: list[str]) -> Reply:
        """Search for each missing tool, in words that were not tried yet."""
        tool = shown.search_tool
        if tool is None:
            raise NotShown(f'{self.task.name}: {missing} are not shown, and there is no search tool.')
        tried = [str(called.arguments) for called in shown.history if called.tool in SEARCH_TOOLS]
        wanted = [_untried(name, tried) for name in missing]
        arguments: Callable[[str], Mapping[str, JsonValue]] = (
            (lambda query: {'queries': [query]}) if 'queries' in shown.direct[tool] else (lambda query: {'query': query})
        )
        return reply(*(Call(tool, arguments(query)) for query in wanted))

    def _native_search(self, shown: Shown, needed: list[str], missing: list[str]) -> Reply:
        """Let the provider search, and go on in the same reply with what it found."""
        searches = {name: queries_for(name) for name in missing}
        queries = [
            next((query for query in queries if name in shown.reading.find(query)), None)
            for name, queries in searches.items()
        ]
        if None in queries:
            raise NotShown(f'{self.task.name}: the provider finds not all of {missing}.')
        going_on = self._next_calls(shown, needed)
        return Reply((*(Search(query) for query in queries if query), *going_on.parts))


def _untried(name: str, tried: list[str]) -> str:
    for query in queries_for(name):
        if not any(query in one for one in tried):
            return query
    raise NotShown(f'{name} is not found by any of {queries_for(name)}.')


def _check(plan: str, shown: Mapping[str, frozenset[str]]) -> None:
    """Refuse to call what was not shown: a model could not know these names."""
    for use in uses(plan):
        unknown = use.arguments - shown[use.tool]
        if unknown:
            raise NotShown(f'{use.tool} is shown with {sorted(shown[use.tool])}, not with {sorted(unknown)}.')


def _said(value: Any) -> str:
    return json.dumps(value)


def _json(arguments: Mapping[str, Any]) -> Mapping[str, JsonValue]:
    return dict(arguments)
