"""Whatever is changed in stored and submitted data, the script continues correctly, or nothing runs."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from pydantic import TypeAdapter, ValidationError
from pydantic_ai import UserError
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults

from tests.sampling import share
from tests.toolscript.approvals.conversation import KEY, Conversation, approve_all, conversation, desk
from tests.toolscript.scripted import run_code
from toolscript import MemoryStore, Snapshots, pending_calls, resolve
from toolscript.guards import is_array, is_object

Path: TypeAlias = tuple[str | int, ...]
CODE = "import asyncio\nn = await note('before')\nawait asyncio.gather(pay(1), ask('who?'))"

_requests = TypeAdapter(DeferredToolRequests)
_results = TypeAdapter(DeferredToolResults)

# Possible results of a conversation with changed decisions: pydantic-ai and pydantic refuse some changes themselves.
REFUSALS = (UserError, ValueError, ValidationError)


BEFORE = ['note before', 'ask who?']


async def paused(stored: bool, code: str = CODE) -> tuple[Conversation, list[str]]:
    toolset, log = desk(server='bank')
    talk = conversation(toolset, run_code(code), snapshots=kept_in(stored))
    await talk.start()
    assert log == BEFORE
    return talk, log


def decided(requests: DeferredToolRequests) -> DeferredToolResults:
    """The payment approved, the question answered."""
    answers = {'pay': True, 'ask': 'Ada'}
    return resolve(requests, {call.tool_call_id: answers[call.tool_name] for call in pending_calls(requests)})


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield every place in a JSON value."""
    if path:
        yield path
    if is_object(value):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif is_array(value):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


def changes(value: Any) -> Iterator[Any]:
    """Return values that may replace a value."""
    yield from (None, '', 0, 7, True, False, [], {}, ['x'], {'x': 'y'})
    yield from ('something else', 'approval', 'external', 'question')
    if isinstance(value, str) and value:
        yield from (value[:-1], value[1:], value + 'A', value.swapcase(), value * 2)
    if isinstance(value, list):
        yield from (value[1:], value + value)


def changed(value: Any, path: Path) -> Iterator[Any]:
    """Return the value with another value, or nothing, at the place."""
    for other in changes(_at(value, path)):
        copy = deepcopy(value)
        _at(copy, path[:-1])[path[-1]] = other
        if copy != value:
            yield copy
    copy = deepcopy(value)
    del _at(copy, path[:-1])[path[-1]]
    yield copy


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


async def outcome_of(talk: Conversation, log: list[str], results: DeferredToolResults) -> str:
    """Return the result of the decisions, which must be one of these."""
    history, answered = talk.history, len(talk.script.answers)
    try:
        waiting = await talk.resume(results)
    except REFUSALS:
        return 'refused' if log == BEFORE else f'refused, and {log} ran'
    finally:
        talk.history = history
    ran = log[len(BEFORE) :]
    # Only approved calls ran, as they were shown, and at most once.
    assert ran in ([], ['pay 1']), ran
    assert log[: len(BEFORE)] == BEFORE
    answers = talk.script.answers[answered:]
    if waiting:
        assert answers == []
        return 'asked again'
    if ran:
        return 'continued'
    assert '1 paid' not in json.dumps(answers)
    return 'denied'


def kept_in(stored: bool) -> Snapshots:
    return replace(KEY, store=MemoryStore()) if stored else KEY


with_and_without_a_store = pytest.mark.parametrize('stored', [False, True])


@with_and_without_a_store
@share(20)
async def test_a_request_with_any_changed_field_is_refused(stored: bool, one_in: int) -> None:
    def decide(other: Any) -> DeferredToolResults:
        requests = _requests.validate_python(other)
        given = {'pay': True, 'ask': 'Ada', 'run_code': True}
        return resolve(
            requests,
            {one.tool_call_id: given[one.tool_name] for one in pending_calls(requests) if one.tool_name in given},
        )

    await each_change_is_refused_or_changes_nothing(
        stored, one_in, lambda talk: _requests.dump_python(talk.requests, mode='json'), decide
    )


@with_and_without_a_store
@share(20)
async def test_a_decision_with_any_changed_field_is_refused(stored: bool, one_in: int) -> None:
    await each_change_is_refused_or_changes_nothing(
        stored, one_in, lambda talk: _results.dump_python(decided(talk.requests), mode='json'), _results.validate_python
    )


async def each_change_is_refused_or_changes_nothing(
    stored: bool,
    one_in: int,
    sound_of: Callable[[Conversation], Any],
    decisions_of: Callable[[Any], DeferredToolResults],
) -> None:
    talk, log = await paused(stored)
    store, sound, seen = talk.snapshots.store, sound_of(talk), set[str]()
    kept = dict(store.texts) if isinstance(store, MemoryStore) else None
    for path in places(sound):
        for other in [*changed(sound, path)][len(path) % one_in :: one_in]:
            toolset, log = desk(server='bank')
            log += BEFORE
            talk.toolset = toolset
            try:
                results = decisions_of(other)
            except REFUSALS:
                continue
            if kept is not None:
                talk.snapshots = replace(KEY, store=MemoryStore(dict(kept)))
            seen.add(await outcome_of(talk, log, results))
    assert 'refused' in seen
    assert seen <= {'refused', 'asked again', 'continued', 'denied'}


@with_and_without_a_store
@pytest.mark.parametrize('bucket', ['calls', 'approvals'])
async def test_a_decision_must_have_the_kind_that_its_call_waits_for(stored: bool, bucket: str) -> None:
    talk, log = await paused(stored)
    results = decided(talk.requests)
    (run_code_id,) = results.metadata
    inner = results.metadata[run_code_id]['toolscript_decisions']['results']
    pay, ask = (call.tool_call_id for call in sorted(talk.waiting, key=lambda call: call.tool_name, reverse=True))
    if bucket == 'calls':
        del inner['approvals'][pay]
        inner['calls'][pay] = {'return_value': 'paid', 'kind': 'tool-return'}
    else:
        del inner['calls'][ask]
        inner['approvals'][ask] = True
    with pytest.raises(UserError, match='the decisions contain something else'):
        await talk.resume(results)
    assert log == BEFORE


@with_and_without_a_store
@pytest.mark.parametrize(
    'snapshot', ['', ' ', None, 0, b'', [], {}, 'stored:', 'stored:' + 'a' * 40, 'waits for its turn:']
)
async def test_no_form_of_an_empty_snapshot_restarts_a_script(stored: bool, snapshot: Any) -> None:
    talk, log = await paused(stored)
    results = decided(talk.requests)
    (run_code_id,) = results.metadata
    results.metadata[run_code_id]['toolscript_decisions']['snapshot'] = snapshot
    with pytest.raises(UserError, match='othing was run'):
        await talk.resume(results)
    talk.requests.metadata[run_code_id]['toolscript_snapshot'] = snapshot
    if isinstance(snapshot, str):
        with pytest.raises(UserError, match='othing was run'):
            await talk.resume(decided(talk.requests))
    assert log == BEFORE


@with_and_without_a_store
async def test_a_started_script_is_not_accepted_as_one_that_has_not_started(stored: bool) -> None:
    toolset, log = desk(server='bank')
    talk = conversation(toolset, snapshots=kept_in(stored))
    talk.script.turns.append([run_code('await pay(1)'), run_code("await note('second')\nawait pay(2)")])
    await talk.start()
    second = talk.requests.approvals[1].tool_call_id
    turn = talk.requests.metadata[second]['toolscript_snapshot']
    await talk.resume(talk.approved)
    assert log == ['pay 1', 'note second']
    talk.requests.metadata[second]['toolscript_snapshot'] = turn
    results = talk.approved
    if stored:
        assert [call.args for call in await talk.resume(resolve(talk.requests, {}))] == [{'amount': 2}]
        await talk.resume(results)
    else:
        with pytest.raises(UserError, match='resumed without the snapshot'):
            await talk.resume(results)
    assert log == ['pay 1', 'note second', *(['pay 2'] if stored else [])]


@with_and_without_a_store
async def test_an_earlier_snapshot_of_a_script_is_not_accepted_as_the_latest(stored: bool) -> None:
    toolset, log = desk(server='bank')
    talk = conversation(toolset, run_code('await pay(1)\nawait pay(2)'), snapshots=kept_in(stored))
    await talk.start()
    first = talk.approved
    asked = await talk.resume(first)
    if stored:
        assert await talk.resume(first) == asked
    else:
        with pytest.raises(UserError, match='belong to an earlier pause'):
            await talk.resume(first)
    assert log == ['pay 1']
    await talk.resume(talk.approved)
    assert log == ['pay 1', 'pay 2']


@with_and_without_a_store
async def test_state_of_one_conversation_is_refused_in_another_with_the_same_ids_and_code(stored: bool) -> None:
    store = MemoryStore()
    talks = list[tuple[Conversation, list[str]]]()
    for _ in range(2):
        toolset, log = desk(server='bank')
        same = replace(run_code(CODE), tool_call_id='functions.run_code:0')
        talk = conversation(toolset, same, snapshots=replace(KEY, store=store) if stored else KEY)
        await talk.start()
        talks.append((talk, log))
    (ada, _), (bob, log) = talks
    with pytest.raises(UserError, match='another call or conversation'):
        await bob.resume(decided(ada.requests))
    assert log == BEFORE
    await bob.resume(decided(bob.requests))
    assert log == [*BEFORE, 'pay 1']


async def test_the_same_code_and_id_later_in_a_conversation_is_another_script() -> None:
    toolset, log = desk(server='bank')
    same = replace(run_code('await pay(1)'), tool_call_id='functions.run_code:0')
    talk = conversation(toolset, same, same)
    await talk.start()
    first = talk.requests
    await talk.resume(talk.approved)
    assert log == ['pay 1']
    with pytest.raises(UserError, match='another call or conversation'):
        await talk.resume(approve_all(first))
    assert log == ['pay 1']
