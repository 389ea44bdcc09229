"""Calls of scripts, read from histories."""

from dataclasses import replace

from pydantic_ai import Agent, ModelMessagesTypeAdapter, ToolReturn
from pydantic_ai.exceptions import CallDeferred, ToolFailed
from pydantic_ai.tools import ToolApproved

from tests.toolscript.approvals.conversation import conversation
from tests.toolscript.scripted import Script, Turn, call, run_code
from toolscript import ApproveCalls, CodeModeToolset, FunctionToolset, ScriptCall, script_calls

bank = FunctionToolset[object]()


@bank.tool_plain
def balance(account: str) -> int:
    if account == 'nobody':
        raise ToolFailed('no such account')
    return len(account)


@bank.tool_plain
def note(text: str) -> ToolReturn[str]:
    return ToolReturn(return_value=text, metadata={'page': 3})


@bank.tool_plain(requires_approval=True)
def pay(amount: int) -> str:
    return f'{amount} paid'


async def calls(*turns: Turn) -> list[ScriptCall]:
    """Return those of a run whose history went through JSON, without parts that vary."""
    agent = Agent(Script([*turns]).model, deps_type=object, toolsets=[CodeModeToolset(bank)])
    history = (await agent.run('go')).all_messages_json()
    return plain(script_calls(ModelMessagesTypeAdapter.validate_json(history)))


def plain(found: list[ScriptCall]) -> list[ScriptCall]:
    assert all(one.seconds is not None and one.seconds >= 0 for one in found)
    ids = list(dict.fromkeys(one.run_code_id for one in found))
    return [
        replace(one, seconds=None, tool_call_id=f'script{ids.index(one.run_code_id)}__{one.tool_call_id[-1]}')
        for one in found
    ]


async def test_each_call_is_recorded_with_arguments_end_and_line() -> None:
    failing = "await note('hello')\ntry:\n    await balance('nobody')\nexcept Exception:\n    pass\n1 / 0"
    first, second, third = await calls(run_code(failing), run_code("await balance(account='me')"))
    assert first == ScriptCall(
        tool_call_id='script0__1',
        tool_name='note',
        function='note',
        status='finished',
        arguments={'text': 'hello'},
        result='hello',
        line=1,
        metadata={'page': 3},
    )
    assert (second.tool_call_id, second.arguments, second.line) == ('script0__2', {'account': 'nobody'}, 3)
    assert (second.status, second.error) == ('failed', 'RuntimeError: no such account')
    assert (third.tool_call_id, third.arguments, third.result) == ('script1__1', {'account': 'me'}, 2)


async def test_the_record_of_a_script_is_small() -> None:
    found = await calls(run_code("for n in range(600):\n    await note('x' * 1500)"))
    whole = [one for one in found if not one.truncated]
    assert len(found) == 600
    assert 0 < len(whole) < 100
    assert len(str([one.to_json() for one in found])) < 400_000


async def test_parts_of_other_tools_are_ignored() -> None:
    def odd() -> ToolReturn[str]:
        return ToolReturn(return_value='x', metadata={'tool_calls': [{'tool_call_id': 1}, 'x'], 'failed_scripts': 7})

    other = FunctionToolset[object]([odd])
    agent = Agent(Script([run_code('await odd()')]).model, deps_type=object, toolsets=[CodeModeToolset(other)])
    direct = Agent(Script([call('odd')]).model, toolsets=[other])
    assert [one.tool_name for one in script_calls((await agent.run('go')).all_messages())] == ['odd']
    assert script_calls((await direct.run('go')).all_messages()) == []


async def test_a_decision_is_recorded_with_the_arguments_that_were_used() -> None:
    code = """\
for amount in (1, 2, 3, 4):
    try:
        await pay(amount)
    except PermissionError:
        pass"""
    talk = conversation(bank, run_code(code))
    await talk.start()
    for decision in (
        True,
        ToolApproved(override_args={'amount': 20}),
        ToolApproved(override_args={'amount': 3}),
        False,
    ):
        await talk.decide_each([decision])
    assert [(call.arguments, call.decision, call.result) for call in script_calls(talk.messages)] == [
        ({'amount': 1}, 'approved', '1 paid'),
        ({'amount': 20}, 'changed', '20 paid'),
        ({'amount': 3}, 'approved', '3 paid'),
        ({'amount': 4}, 'denied', None),
    ]


async def test_decisions_of_rules_and_external_results_are_recorded() -> None:
    outside = FunctionToolset[object]()

    @outside.tool_plain
    def ask(what: str) -> str:
        raise CallDeferred

    @outside.tool_plain(requires_approval=True)
    def pay(amount: int) -> str:
        return f'{amount} paid'

    talk = conversation(outside, run_code("await pay(1)\nawait pay(2)\nawait ask('why')"))
    await talk.start()
    await talk.decide(ApproveCalls('pay'))
    await talk.decide(ask='because')
    assert [(call.function, call.decision) for call in script_calls(talk.messages)] == [
        ('pay', 'approved'),
        ('pay', 'approved'),
        ('ask', 'answered'),
    ]
