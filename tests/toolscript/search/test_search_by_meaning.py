"""Words and embeddings together, with a model of three meanings."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pydantic_ai import Embedder, EmbeddingModel, ModelRetry, RunContext
from pydantic_ai.embeddings import EmbeddingResult, EmbeddingSettings
from pydantic_ai.embeddings.result import EmbedInputType
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RunUsage

from toolscript.search import Document
from toolscript.search.meaning import SearchByMeaning

pytestmark = pytest.mark.anyio

_MEANINGS = [('zebra', 'striped horse'), ('umbrella', 'keep dry'), ('violin', 'string instrument')]

TOOLS = [
    Document('feed_zebra', 'Give it hay'),
    Document('open_umbrella', 'Unfold'),
    Document('tune_violin', 'Turn the pegs'),
]


class ThreeMeanings(EmbeddingModel):
    """Knows three things, each by two names, and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    @property
    def model_name(self) -> str:
        return 'three-meanings'

    @property
    def system(self) -> str:
        return 'test'

    async def embed(
        self, inputs: str | Sequence[str], *, input_type: EmbedInputType, settings: EmbeddingSettings | None = None
    ) -> EmbeddingResult:
        texts, _ = self.prepare_embed(inputs, settings)
        self.asked += texts
        vectors = [[float(any(name in text for name in names)) for names in _MEANINGS] for text in texts]
        return EmbeddingResult(
            vectors, inputs=texts, input_type=input_type, model_name=self.model_name, provider_name=self.system
        )


@pytest.fixture
def model() -> ThreeMeanings:
    return ThreeMeanings()


@pytest.fixture
def search(model: ThreeMeanings) -> SearchByMeaning:
    return SearchByMeaning(Embedder(model))


async def test_a_tool_is_found_by_what_it_means(search: SearchByMeaning) -> None:
    assert (await search.search('striped horse', TOOLS, limit=1)) == ['feed_zebra']
    assert (await search.search('I want to keep dry', TOOLS, limit=1)) == ['open_umbrella']


async def test_words_and_meaning_both_count(search: SearchByMeaning) -> None:
    assert set(await search.search('pegs of the striped horse', TOOLS, limit=2)) == {'feed_zebra', 'tune_violin'}


async def test_a_query_with_operators_is_answered_by_words_alone(search: SearchByMeaning, model: ThreeMeanings) -> None:
    assert await search.search('select:tune_violin', TOOLS, limit=5) == ['tune_violin']
    assert await search.search('+hay striped horse', TOOLS, limit=5) == ['feed_zebra']
    assert model.asked == []


async def test_each_tool_is_embedded_once(search: SearchByMeaning, model: ThreeMeanings) -> None:
    await search.search('hay', TOOLS, limit=1)
    await search.search('pegs', [*TOOLS, Document('new', 'tool')], limit=1)
    assert model.asked == [
        'feed_zebra: Give it hay', 'open_umbrella: Unfold', 'tune_violin: Turn the pegs', 'hay', 'new: tool', 'pegs',
    ]  # fmt: skip


async def test_it_is_what_the_search_options_take(search: SearchByMeaning) -> None:
    ctx = RunContext(deps=None, model=TestModel(), usage=RunUsage())
    tools = [ToolDefinition(name=tool.name, description=tool.description) for tool in TOOLS]
    assert (await search(ctx, ['string instrument'], tools))[0] == 'tune_violin'
    with pytest.raises(ModelRetry, match=r'^query is required$'):
        await search(ctx, [' '], tools)


async def test_nothing_is_found_among_nothing(search: SearchByMeaning) -> None:
    assert await search.search('hay', [], limit=5) == []
