"""What a model is told of a search that found nothing, or not all that it named."""

import pytest

from tests.toolscript.scripted import play, search
from toolscript import FunctionToolset, SearchableToolset

pytestmark = pytest.mark.anyio


def office() -> FunctionToolset[object]:
    toolset = FunctionToolset[object](defer_loading=True)

    @toolset.tool_plain
    def send_mail(to: str) -> str:
        """Send an e-mail message."""
        return to

    @toolset.tool_plain
    def refund_payment(number: int) -> int:
        """Give money back."""
        return number

    return toolset


async def message_of(query: str) -> str:
    script = await play(SearchableToolset(office()), search(query))
    return script.answers[0]['message']


@pytest.mark.parametrize(
    ('query', 'message'),
    [
        ('zebra', "No tools found for 'zebra'"),
        ('select:create_refund', "No tools found for 'select:create_refund'. The closest names: refund_payment."),
        ('select:', "No tools found for 'select:'. Write select:name_a,name_b."),
        ('select:send_mail,zebra', 'Found 1 of 2 deferred tools. No tool is called zebra.'),
        (
            'select:send_mail,create_refund',
            'Found 1 of 2 deferred tools. No tool is called create_refund. The closest names: refund_payment.',
        ),
        ('select:Send-Mail,refund_paymint', 'Found 2 of 2 deferred tools.'),
    ],
)
async def test_a_miss_says_what_to_write_instead(query: str, message: str) -> None:
    assert await message_of(query) == message


@pytest.mark.parametrize('query', ['q' * 10_000, 'select:' + ','.join(f'zebra_{n}' for n in range(2_000))])
async def test_an_answer_repeats_little_of_a_long_query(query: str) -> None:
    assert len(await message_of(query)) < 400
    assert len(await message_of(f'{query},send_mail')) < 3_000
