"""The scripted model: it does what a task's author would do with what a request shows."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.playing.by_hand import Called, Finished, Wants, play
from evals.playing.program import (
    answering,
    is_single_call,
    keys_in,
    look,
    looked_at,
    missing_keys,
    to_look_at,
    tools_of,
    uses,
)
from evals.playing.queries import queries_for
from evals.playing.shown import FINAL_TEXT, RUN_CODE, SEARCH_TOOL, Shown
from evals.playing.signature import Signature
from evals.tasks.task import Task
from tests.providers.loopback import Request
from tests.providers.replies import Call, Reply, Search, reply
from toolscript.guards import fields


class NotShown(Exception):
    """The model was not shown what it needs to continue."""


@dataclass(frozen=True)
class Player:
    """Plays one task. It is stateless: each reply depends only on the request."""

    task: Task

    def __call__(self, request: Request) -> Reply:
        shown = Shown(request)
        if any(called.tool == RUN_CODE and _look_of(called) is None for called in shown.history):
            return self._after_snippet(shown)
        under_way = [RUN_CODE, *self._needed]
        if shown.reading.search is not None and not any(called.tool in under_way for called in shown.history):
            return self._after_native_search(shown)
        return self._continue(shown)

    @property
    def _needed(self) -> list[str]:
        return tools_of(self.task.plan)

    def _continue(self, shown: Shown) -> Reply:
        """Call directly or from code, as `run_code` advises: a single operation is called directly if possible.

        A task begun with direct calls continues with them, because a script would repeat it from the start.
        """
        begun = any(called.tool in self._needed for called in shown.history)
        if begun or self._goes_direct(shown, shown.direct):
            return self._by_hand(shown, shown.direct)
        return self._by_code(shown)

    def _goes_direct(self, shown: Shown, direct: Mapping[str, Signature]) -> bool:
        if not shown.has_code:
            return True
        advised = shown.advises_direct_calls and is_single_call(self.task.plan)
        return advised and all(name in direct for name in self._needed)

    def _by_code(self, shown: Shown) -> Reply:
        functions = shown.functions(self._needed)
        missing = [name for name in self._needed if name not in functions]
        return self._search(shown, missing) if missing else self._run(shown, functions)

    def _run(self, shown: Shown, functions: Mapping[str, Signature]) -> Reply:
        """Run the program, or look at a result first if the program would rest on guesses."""
        plan = self.task.plan
        _check(plan, functions)
        seen = {
            tool: frozenset(keys_in(_value(called)))
            for called in shown.history
            if called.tool == RUN_CODE and (tool := _look_of(called)) is not None
        }
        unseen = to_look_at(plan, functions, shown.records, seen)
        if unseen is not None:
            return reply(Call(RUN_CODE, {'code': look(plan, unseen, functions[unseen])}))
        if missing := missing_keys(plan, functions, shown.records, seen):
            raise NotShown(f'Nothing tells of the keys {missing}.')
        # The user's words determine the form of each answer, so it can be written before any data is seen.
        code = self.task.draft or plan
        return reply(Call(RUN_CODE, {'code': answering(code, FINAL_TEXT) if shown.takes_answers_from_code else code}))

    def _by_hand(self, shown: Shown, direct: Mapping[str, Signature]) -> Reply:
        missing = [name for name in self._needed if name not in direct]
        if missing:
            return self._search(shown, missing)
        _check(self.task.plan, direct)
        return self._next_calls(shown, direct)

    def _after_snippet(self, shown: Shown) -> Reply:
        """Answer the user from the snippet's result; after a draft, run the plan."""
        *before, ran = [called for called in shown.history if called.tool == RUN_CODE and _look_of(called) is None]
        if self.task.draft and not before:
            if not ran.result.failed or _NOTHING_RAN not in ran.result.text:
                raise NotShown(f'The mistake was not noticed before the draft ran: {ran.result.text}')
            return reply(Call(RUN_CODE, {'code': self.task.plan}))
        if ran.result.failed:
            raise NotShown(f'The snippet failed: {ran.result.text}')
        return reply(json.dumps(_value(ran, is_list='JSON list' in self.task.ask)))

    def _after_native_search(self, shown: Shown) -> Reply:
        """Let the provider search, and use what it found in the same reply."""
        missing = [name for name in self._needed if name not in shown.direct]
        queries = dict.fromkeys(self._finding(shown, name) for name in missing)
        direct = shown.with_found(missing)
        # A look at a result that the provider's definitions leave open is an ordinary call, so it is made directly.
        by_hand = self._goes_direct(shown, direct) or bool(to_look_at(self.task.plan, direct, shown.records, {}))
        following = self._by_hand(shown, direct) if by_hand else self._run(shown, direct)
        return Reply((*map(Search, queries), *following.parts))

    def _next_calls(self, shown: Shown, direct: Mapping[str, Signature]) -> Reply:
        history = [called for called in shown.history if called.tool in self._needed]
        tried = {called.tool for called in history}
        match play(self.task.plan, self._needed, history):
            case Finished(value):
                return reply(json.dumps(value))
            case Wants(calls):
                # A tool without a description is tried once before it is relied on.
                unclear = [call for call in calls if not direct[call[0]].described and call[0] not in tried]
                return reply(*(Call(tool, dict(arguments)) for tool, arguments in unclear[:1] or calls))

    def _search(self, shown: Shown, missing: list[str]) -> Reply:
        """Search for each missing tool, in words that were not tried yet."""
        if SEARCH_TOOL not in shown.direct:
            raise NotShown(f'{self.task.name}: {missing} are not shown, and there is no search tool.')
        tried = [called.arguments['query'] for called in shown.history if called.tool == SEARCH_TOOL]
        # Words that match two of them are sent once.
        wanted = dict.fromkeys(self._untried(name, tried) for name in missing)
        return reply(*(Call(SEARCH_TOOL, {'query': query}) for query in wanted))

    def _finding(self, shown: Shown, name: str) -> str:
        """Return words with which the provider's search finds a tool."""
        queries = queries_for(self.task.name, name)
        for query in queries:
            if name in shown.reading.find(query):
                return query
        raise NotShown(f'The provider finds {name} by none of {queries}.')

    def _untried(self, name: str, tried: Sequence[object]) -> str:
        queries = queries_for(self.task.name, name)
        for query in queries:
            if query not in tried:
                return query
        raise NotShown(f'{name} is not found by any of {queries}.')


_NOTHING_RAN = 'Nothing was run'


def _look_of(called: Called) -> str | None:
    return looked_at(str(called.arguments.get('code')))


def _value(called: Called, *, is_list: bool = False) -> object:
    """Return a snippet's value. If a script finds functions and the catalog is appended, they come with its result."""
    beside = fields(called.result.value(is_list=False))
    return beside['result'] if 'new_functions' in beside else called.result.value(is_list=is_list)


def _check(plan: str, shown: Mapping[str, Signature]) -> None:
    """Refuse calls that use anything not shown: a model could know neither these names nor the arguments."""
    for use in uses(plan):
        parameters = shown[use.tool].parameters
        if unknown := use.arguments - parameters.keys():
            raise NotShown(f'{use.tool} is shown with {sorted(parameters)}, not with {sorted(unknown)}.')
        if untold := [name for name in sorted(use.arguments) if parameters[name] in ('', 'Any')]:
            raise NotShown(f'Nothing tells what {use.tool} takes as {untold}.')
