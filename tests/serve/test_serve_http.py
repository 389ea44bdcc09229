"""HTTP clients of a server: separate sessions, approvals, progress and access."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from inline_snapshot import snapshot
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.toolsets import AbstractToolset

from tests.serve.shop import ACCEPT, Place, Watch, a_place, initialize, shop
from tests.toolscript.scripted import Script, call
from tests.toolscript.undoing.shop import Shop as UndoShop
from toolscript import CodeModeToolset, MemoryStore, Sessions, Snapshots, ToolRule
from toolscript.cli.serve import served_target
from toolscript.serve.client import ServedClient
from toolscript.serve.http import Access
from toolscript.serve.settings import ServeSettings, read_settings

_MORTAL = Path(__file__).parents[1] / 'servers' / 'mortal.py'
TOKEN = 'for-tests-alone'
AUTHORIZED = {'Authorization': f'Bearer {TOKEN}'}


@pytest.fixture(scope='module')
async def place(anyio_backend: str) -> AsyncIterator[Place]:
    """Serve a shop on a free port, for at most four clients."""
    settings, access = ServeSettings(max_result_chars=2_000), Access(port=0, tokens=(TOKEN,), most_clients=4)
    async with a_place(access, lambda watch: settings.offered(shop(watch)), max_chars=2_000) as place:
        yield place


@dataclass
class Client:
    session: ClientSession
    heard: list[str] = field(default_factory=list[str])
    """Progress and logs, in order."""
    asked: list[str] = field(default_factory=list[str])
    decision: str = 'deny'
    meanwhile: str = ''
    """Code that runs while the user reads the next question."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def call(self, name: str, **arguments: Any) -> types.CallToolResult:
        async def progress(progress: float, total: float | None, message: str | None) -> None:
            self.heard.append(f'progress: {message}')

        answer = await self.session.call_tool(name, arguments, progress_callback=progress)
        assert isinstance(answer, types.CallToolResult)
        return answer

    async def run(self, code: str) -> str:
        return await self.text('run_code', code=code)

    async def text(self, name: str, **arguments: Any) -> str:
        answer = await self.call(name, **arguments)
        return ''.join(block.text for block in answer.content if isinstance(block, types.TextContent))

    async def tools(self) -> list[str]:
        return [tool.name for tool in (await self.session.list_tools()).tools]


@asynccontextmanager
async def client_of(place: Place, *, elicits: bool = False) -> AsyncGenerator[Client]:
    client: Client | None = None

    async def elicit(context: Any, params: Any) -> types.ElicitResult:
        assert client is not None
        client.asked.append(params.message)
        code, client.meanwhile = client.meanwhile, ''
        if code:
            await client.run(code)
        return types.ElicitResult(action='accept', content={'decision': client.decision})

    async def log(params: types.LoggingMessageNotificationParams) -> None:
        if client is not None:
            client.heard.append(f'{params.level}: {json.dumps(params.data)}')

    async def hear(message: Any) -> None:
        if client is not None and isinstance(message, types.ToolListChangedNotification):
            client.changed.set()

    async with (
        httpx2.AsyncClient(headers=AUTHORIZED, timeout=60) as http,
        streamable_http_client(place.url, http_client=http) as (incoming, outgoing, *_),
        ClientSession(
            incoming,
            outgoing,
            elicitation_callback=elicit if elicits else None,
            logging_callback=log,
            message_handler=hear,
        ) as session,
    ):
        await session.initialize()
        client = Client(session)
        yield client


async def test_a_client_lists_run_code_the_search_and_the_direct_tools(place: Place) -> None:
    async with client_of(place) as client:
        assert await client.tools() == snapshot(['hours', 'refund', 'pai_tool_search_tool', 'run_code'])
        assert (await client.call('hours')).content == [types.TextContent(text='9 to 17')]


async def test_three_simultaneous_clients_have_separate_variables(place: Place) -> None:
    async with client_of(place) as one, client_of(place) as two, client_of(place) as three:
        clients = (one, two, three)
        await asyncio.gather(*(client.run(f'mine = await add(a={n}, b=0)') for n, client in enumerate(clients)))
        assert await asyncio.gather(*(client.run('mine') for client in clients)) == ['0', '1', '2']
        assert len(place.served.clients) == 3


async def test_calls_are_reported_as_progress_and_log_messages(place: Place) -> None:
    async with client_of(place) as client:
        assert await client.run('await add(a=1, b=2)') == '3'
        assert [text for text in client.heard if text.startswith('progress')] == snapshot(
            ['progress: add(a=1, b=2)', 'progress: add: finished']
        )
        assert '"call": "add", "arguments": {"a": 1, "b": 2}, "line": 1' in client.heard[1]


async def test_the_user_of_a_client_approves_in_the_middle_of_a_script(place: Place) -> None:
    async with client_of(place, elicits=True) as client:
        code = 'try:\n    answer = await refund(order=7)\nexcept PermissionError as error:\n    answer = str(error)\nanswer'
        assert await client.run(code) == snapshot('refund was not approved: the user said no.')
        client.decision = 'approve'
        assert await client.run(code) == '7 refunded'
        client.decision = 'approve all calls of this tool'
        assert await client.run('[await refund(order=n) for n in (8, 9)]') == '["8 refunded","9 refunded"]'
        assert len(client.asked) == 3
        assert client.asked[0] == snapshot("""\
Approve this call?
refund:
  order = 7\
""")
    assert place.watch.refunded[:3] == [7, 8, 9]


async def test_a_direct_call_that_needs_an_approval_asks_too(place: Place) -> None:
    async with client_of(place, elicits=True) as client:
        refused = await client.call('refund', order=20)
        assert refused.is_error
        assert refused.content == [types.TextContent(text='refund was not approved: the user said no.')]
        client.decision = 'approve'
        assert (await client.call('refund', order=21)).content == [types.TextContent(text='21 refunded')]
    assert place.watch.refunded[-1] == 21
    assert 20 not in place.watch.refunded


async def test_a_client_that_cannot_ask_reads_how_to_allow_the_call(place: Place) -> None:
    async with client_of(place) as client:
        answer = await client.run('await refund(order=1)')
    assert 'tools = "refund"' in answer
    assert 'requires_approval = false' in answer
    assert 1 not in place.watch.refunded


async def test_search_results_are_shown_and_directly_callable_tools_are_listed(place: Place) -> None:
    async with client_of(place) as client:
        await client.tools()
        assert 'pieces_in_stock(product: str) -> int' in await client.run("await search_tools('stock')")
        await client.changed.wait()
        assert 'pieces_in_stock' in await client.tools()
        assert (await client.call('pieces_in_stock', product='lamp')).content == [types.TextContent(text='4')]


async def test_a_long_result_is_shown_in_part_and_readable_as_a_resource(place: Place) -> None:
    async with client_of(place) as client, client_of(place) as other:
        answer = await client.call('run_code', code='list(range(10_000))')
        text, link = answer.content
        assert isinstance(text, types.TextContent)
        assert isinstance(link, types.ResourceLink)
        assert text.text.startswith('[10,000 items, more than 50,000 characters')
        assert len(text.text) <= 2_000
        [content] = (await client.session.read_resource(link.uri)).contents
        assert isinstance(content, types.TextResourceContents)
        assert json.loads(content.text) == [*range(10_000)]
        assert (await other.session.list_resources()).resources == []
        with pytest.raises(Exception, match='is no longer stored'):
            await other.session.read_resource(link.uri)


async def test_messages_of_a_tool_stay_in_the_log(place: Place) -> None:
    async with client_of(place) as client:
        for name, arguments in (('run_code', {'code': 'await broken()'}), ('hours', {'day': 'Sunday'})):
            answer = await client.call(name, **arguments)
            assert answer.is_error
            assert 'secret' not in str(answer)
            assert 'reference' in str(answer)
        assert 'hours got arguments it cannot take' in str(await client.call('hours', day=5))


async def test_a_cancelled_script_stops_and_the_loss_of_its_variables_is_reported(place: Place) -> None:
    place.watch.began.clear()
    place.watch.stopped.clear()
    async with client_of(place) as client:
        await client.run('kept = 5')
        calling = asyncio.create_task(client.run('await hold()'))
        await place.watch.began.wait()
        calling.cancel()
        await place.watch.stopped.wait()
        assert 'so the variables of earlier scripts are gone' in await client.run('await add(a=1, b=1)')
        assert await client.run('await add(a=1, b=1)') == '2'


async def test_a_client_that_disconnects_during_a_script_leaves_nothing_behind(place: Place) -> None:
    place.watch.began.clear()
    place.watch.stopped.clear()
    async with client_of(place) as client:
        calling = asyncio.create_task(client.run('await hold()'))
        await place.watch.began.wait()
    calling.cancel()
    await place.watch.stopped.wait()
    await place.served.closed()
    assert place.served.clients == {}


async def test_a_pydantic_ai_agent_can_be_the_client(place: Place) -> None:
    script = Script([call('run_code', code='await add(a=2, b=2)')])
    server = MCPToolset[object](place.url, headers=AUTHORIZED, init_timeout=60)
    await Agent(script.model, toolsets=[server]).run('go')
    assert script.answers == ['4']


@pytest.mark.parametrize(
    ('headers', 'status'),
    [
        ({}, 401),
        ({'Authorization': 'Bearer wrong'}, 401),
        ({**AUTHORIZED, 'Host': 'evil.example'}, 421),
        ({**AUTHORIZED, 'Host': '127.0.0.1:80@evil.example'}, 421),
        ({**AUTHORIZED, 'Host': 'localhost:1.evil.example'}, 421),
        ({**AUTHORIZED, 'Host': '[::1].evil.example'}, 421),
        ({**AUTHORIZED, 'Host': '127.0.0.1#'}, 421),
        ({**AUTHORIZED, 'Origin': 'https://evil.example'}, 403),
        ({**AUTHORIZED, 'Origin': 'http://localhost:80@evil.example'}, 403),
        ({**AUTHORIZED, 'Origin': 'http://localhost:1.evil.example'}, 403),
        ({**AUTHORIZED, 'Origin': 'http://[::1].evil.example'}, 403),
        ({**AUTHORIZED, 'Origin': 'https://evil.example', 'origin': 'http://localhost'}, 403),
        ({**AUTHORIZED, 'Origin': 'http://localhost', 'origin': 'https://evil.example'}, 403),
        ({**AUTHORIZED, 'Origin': 'http://localhost:3000'}, 200),
        ({**AUTHORIZED, 'Host': '[::1]:8000'}, 200),
        ({**AUTHORIZED, 'Mcp-Session-Id': 'guessed'}, 404),
        ({**AUTHORIZED, 'Mcp-Protocol-Version': '2026-07-28'}, 400),
    ],
)
async def test_only_allowed_clients_may_connect(place: Place, headers: dict[str, str], status: int) -> None:
    async with httpx2.AsyncClient() as http:
        answer = await http.post(place.url, json=initialize(), headers=ACCEPT | headers)
    assert answer.status_code == status


async def test_a_client_beyond_the_limit_is_refused_and_the_others_stay(place: Place) -> None:
    place.watch.holding = asyncio.Queue()
    async with client_of(place) as one, client_of(place) as two, client_of(place) as three, client_of(place) as four:
        calls = [asyncio.create_task(client.run('await hold()')) for client in (one, two, three, four)]
        for _ in calls:
            await place.watch.holding.get()
        async with httpx2.AsyncClient() as http:
            answer = await http.post(place.url, json=initialize(), headers=ACCEPT | AUTHORIZED)
        assert answer.status_code == 503
        assert answer.json()['error']['message'] == 'Too many open sessions'
        for calling in calls:
            calling.cancel()
        assert await one.run('1 + 1') == '2'


@contextmanager
def serving(place: Place, offered: Callable[[], AbstractToolset[None]]) -> Generator[None]:
    """Give later clients another catalog."""
    before, place.served.toolset = place.served.toolset, offered
    try:
        yield
    finally:
        place.served.toolset = before


async def test_signatures_in_the_description_change_the_list_of_tools(place: Place) -> None:
    settings = ServeSettings(catalog='description')
    with serving(place, lambda: settings.offered(shop(place.watch))):
        async with client_of(place) as client:
            await client.tools()
            await client.run("await search_tools('stock')")
            await client.changed.wait()
            tools = {tool.name: tool.description or '' for tool in (await client.session.list_tools()).tools}
    assert 'async def pieces_in_stock(product: str) -> int' in tools['run_code']


async def test_a_tool_that_a_rule_makes_direct_is_listed_among_deferred_ones(place: Place) -> None:
    settings = ServeSettings(rules=[ToolRule('pieces_in_stock', allowed_callers='both'), ToolRule(defer_loading=True)])
    with serving(place, lambda: settings.offered(shop(place.watch))):
        async with client_of(place) as client:
            tools = await client.tools()
    assert 'pieces_in_stock' in tools
    assert 'add' not in tools


async def test_each_client_has_its_own_processes_of_the_wrapped_servers(place: Place, tmp_path: Path) -> None:
    config = tmp_path / 'mcp.json'
    server = {'command': sys.executable, 'args': [str(_MORTAL), str(tmp_path / 'orders')]}
    await asyncio.to_thread((tmp_path / 'orders').write_text, 'live')
    await asyncio.to_thread(config.write_text, json.dumps({'mcpServers': {'clinic': server}}))
    with serving(place, served_target(str(config), [], ServeSettings(start_seconds=60))):
        async with client_of(place) as one, client_of(place) as two:
            pids = await asyncio.gather(one.run('await clinic_pid()'), two.run('await clinic_pid()'))
    assert len({*pids}) == 2


async def test_an_agent_with_code_mode_is_served(place: Place) -> None:
    with serving(place, served_target('tests.cli.shop:agent', [], ServeSettings())):
        async with client_of(place) as client:
            assert await client.run('len(await orders_of(2))') == '2'


async def test_a_client_undoes_its_script_after_its_user_approves(tmp_path: Path) -> None:
    world = UndoShop(tmp_path / 'shop.db')
    (tmp_path / 'toolscript.toml').write_text('undo_tool = true')
    settings = read_settings(tmp_path / 'toolscript.toml')
    async with (
        a_place(Access(port=0, tokens=(TOKEN,)), lambda _: settings.offered(world.tools)) as place,
        client_of(place, elicits=True) as one,
        client_of(place, elicits=True) as other,
    ):
        assert 'undo_script' in await one.tools()
        await one.run('await refund(order=1, amount=5)')
        listed = json.loads(await one.text('undo_script'))
        assert [call['status'] for call in listed['calls']] == ['can']
        # A client has its own conversation.
        stolen = await other.call('undo_script', script_id=listed['script_id'], commit=True)
        assert (stolen.is_error, other.asked) == (True, [])
        assert (await one.call('undo_script', commit=True)).is_error
        assert world.rows == [(1001, 5)]
        one.decision = 'approve'
        one.meanwhile = 'await refund(order=2, amount=6)'
        done = json.loads(await one.text('undo_script', commit=True))
        assert [call['args']['order'] for call in done['calls'] if call['status'] == 'undone'] == [2]
    listed = [[order for order in (1, 2) if f'refund(order={order}' in text] for text in one.asked]
    # The user approved the list of the first script, and then that of the one that ran meanwhile.
    assert listed == [[1], [1], [2]]
    assert world.rows == [(1001, 5)]


async def test_a_plan_is_one_question_to_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine, the preview could take longer than that.
    monkeypatch.setattr('toolscript.plans.preview.SECONDS', 3_600)
    planned = ServeSettings(plan_writes=True)
    code = (
        'for n in (1, 2, 3):\n    last = await refund(order=n)\n    if len(last) < 15: await refund(order=n + 10)\nlast'
    )
    async with (
        a_place(Access(port=0, tokens=(TOKEN,)), lambda watch: planned.offered(shop(watch))) as place,
        client_of(place, elicits=True) as one,
    ):
        assert 'PermissionError' in await one.run(code)
        assert (len(one.asked), place.watch.refunded) == (1, [])
        one.decision = 'approve'
        assert await one.run(code) == '3 refunded'
        one.decision = 'approve all calls of this tool'
        await one.run('await refund(order=20)')
        await one.run('for n in (21, 22):\n    last = await refund(order=n)')
    assert one.asked[0] == snapshot("""\
Approve all of this plan?
3 changes:
refund, 3 calls, line 2; order adds up to 6:
  row 1: order = 1
  row 2: order = 2
  row 3: order = 3
  each row only if the one before succeeds, unless it says otherwise\
""")
    assert (place.watch.refunded, len(one.asked)) == ([1, 11, 2, 12, 3, 13, 20, 21, 22], 6)


@pytest.mark.parametrize(
    ('more', 'limit', 'questions'), [(3, 10, 2), (3, 3, 4), (1, 10, 3), (True, 10, 5), (0, 10, 5), (3, '10', 5)]
)
async def test_more_calls_of_a_line_are_approved_within_the_limit_of_the_user(
    more: object, limit: object, questions: int
) -> None:
    watch, forms = Watch(), list[dict[str, Any]]()
    code = 'n = 1\nfor _ in range(5):\n    n = int((await refund(order=n)).split()[0]) + 1'

    async def ask(message: str, form: dict[str, Any]) -> types.ElicitResult:
        forms.append(form)
        content: dict[str, Any] = {'decision': 'approve', 'more_calls': more, 'limit': limit}
        return types.ElicitResult.model_construct(action='accept', content=content)

    client = ServedClient(CodeModeToolset(shop(watch), plan_writes=True, snapshots=Snapshots(key='k' * 8)), 1_000)
    living = asyncio.create_task(client.live())
    await client.call('run_code', {'code': code}, ask=ask)
    client.end()
    await living
    assert (watch.refunded, len(forms)) == ([1, 2, 3, 4, 5], questions)
    assert ['more_calls' in form['properties'] for form in forms[:2]] == [False, True]


async def test_a_script_waits_while_the_user_is_asked_about_another(tmp_path: Path) -> None:
    world, asked, decides = UndoShop(tmp_path / 'shop.db'), asyncio.Event(), asyncio.Event()

    async def ask(message: str, form: dict[str, Any]) -> types.ElicitResult:
        asked.set()
        await decides.wait()
        return types.ElicitResult(action='accept', content={'decision': 'approve'})

    def run(code: str) -> asyncio.Task[types.CallToolResult]:
        return asyncio.create_task(client.call('run_code', {'code': code}, ask=ask))

    options: Any = {'snapshots': Snapshots(key='k' * 8), 'sessions': Sessions(MemoryStore())}
    client = ServedClient(CodeModeToolset(world.tools, plan_writes=True, **options), 1_000)
    living = asyncio.create_task(client.live())
    await run('kept = 5')
    gone = run('await refund(order=1, amount=5)')
    await asked.wait()
    gone.cancel()
    asked.clear()
    waiting = run('await refund(order=2, amount=6)\nx = kept + 2')
    await asked.wait()
    later = run('x + 1')
    assert not (await asyncio.wait([later], timeout=0.2))[0]
    decides.set()
    assert [block.text for block in (await later).content if isinstance(block, types.TextContent)] == ['8']
    assert (waiting.done(), world.rows) == (True, [(1002, 6)])
    assert 'variables of earlier scripts are gone' not in str(await waiting)
    client.end()
    await living
