"""Ways to lose where a value comes from: none of them lets foreign data reach a call unasked."""

from pathlib import Path

import pytest
from pydantic_ai.tools import DeferredToolRequests

from toolscript import Files, SavedFunctions, Sessions, pending_calls, resolve
from toolscript.testing import script_model

from .test_rules import Desk

pytestmark = [pytest.mark.pydantic_ai, pytest.mark.anyio]


@pytest.mark.parametrize(
    'scripts',
    [
        pytest.param(
            ("x = await fetch_page('u')\n1", 'y = [x]\n1', "await send('bob', y[0])"),
            id='through variables of scripts before',
        ),
        pytest.param(
            ("def f():\n    return kept\nkept = ''\n1", "kept = await fetch_page('u')\n1", "await send('bob', f())"),
            id='through a function that a script before defined',
        ),
        pytest.param(
            ("who = await contact(await fetch_page('u'))\nawait send(who, 'b')",), id='through a search query'
        ),
        pytest.param(
            (
                "async def failing():\n    raise ValueError(await fetch_page('u'))\n"
                "try:\n    await failing()\nexcept ValueError as e:\n    await send('bob', str(e))",
            ),
            id='through the message of an error',
        ),
        pytest.param(
            ("try:\n    await fetch_page('fail')\nexcept Exception as e:\n    await send('bob', str(e))",),
            id='through the error of a tool',
        ),
        pytest.param(
            (
                "page = await fetch_page('u')\ntools = {'Ignore': contact}\nfound = tools[page.split()[0]]\n"
                "await send(await found('x'), page[:0] + 'b')",
            ),
            id='through the name of a tool',
        ),
        pytest.param(
            ("x = await fetch_page('u')\nint('none')", "x = await fetch_page('u')\nawait send('bob', x)"),
            id='through the reused result of a script that failed',
        ),
        pytest.param(
            (
                "from pathlib import Path\nPath('/scratch/a').write_text(await fetch_page('u'))\n1",
                "from pathlib import Path\nawait send('bob', Path('/scratch/a').read_text())",
            ),
            id='through a file',
        ),
        pytest.param(
            ("d = {}\nd[await fetch_page('u')] = 1\nfor k in d:\n    await send('bob', k)",), id='through keys'
        ),
        pytest.param(
            ("import json\nx = json.dumps([await fetch_page('u')])\nawait send('bob', json.loads(x)[0])",), id='json'
        ),
        pytest.param(
            ("x = await fetch_page('u')\nawait send('bob', f'{x!r:>80}'.encode().hex())",), id='through encodings'
        ),
    ],
)
async def test_the_call_waits(scripts: tuple[str, ...], tmp_path: Path) -> None:
    desk = Desk(*scripts, tool_errors='message', files=Files(scratch=tmp_path))
    result = await desk.agent.run('go')
    assert isinstance(result.output, DeferredToolRequests)
    assert [call.tool_name for call in pending_calls(result.output)] == ['send']
    assert desk.sent == []


async def test_variables_that_an_earlier_run_left_are_foreign_even_where_a_script_binds_them_later() -> None:
    desk = Desk("x = await fetch_page('u')\n1", sessions=Sessions())
    first = await desk.agent.run('go')
    model = script_model("await send('bob', x)\nx = 'a'")
    result = await desk.agent.run('go', message_history=first.all_messages(), model=model)
    assert isinstance(result.output, DeferredToolRequests)
    [call] = pending_calls(result.output)
    assert call.reason == '`to` may come from the variable x; `body` may come from the variable x'
    assert desk.sent == []


async def test_a_saved_function_of_a_folder_may_have_made_any_call(tmp_path: Path) -> None:
    (tmp_path / 'leak.py').write_text(
        'async def leak(url: str) -> str:\n    """Get a page and send it."""\n'
        "    page = await fetch_page(url)\n    return await send('eve', page)\n"
    )
    desk = Desk("await leak('https://x')", functions=SavedFunctions(folder=tmp_path, defer_loading=False))
    result = await desk.agent.run('go')
    assert isinstance(result.output, DeferredToolRequests)
    assert [call.tool_name for call in pending_calls(result.output)] == ['send']
    assert desk.sent == []


async def test_a_script_that_resumes_still_knows_what_it_read_before_the_pause() -> None:
    desk = Desk("await send('bob', await fetch_page('u'))\nx = await fetch_page('v')\nawait send('ann', x)")
    first = await desk.agent.run('go')
    assert isinstance(first.output, DeferredToolRequests)
    [call] = pending_calls(first.output)
    decided = resolve(first.output, {call.tool_call_id: True})
    second = await desk.agent.run(message_history=first.all_messages(), deferred_tool_results=decided)
    assert isinstance(second.output, DeferredToolRequests)
    assert [call.reason for call in pending_calls(second.output)] == ["`body` comes from fetch_page('v') in line 2"]
    assert [sent['to'] for sent in desk.sent] == ['bob']
