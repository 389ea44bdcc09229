"""Words and embeddings together, with a model of three meanings."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic_ai import Embedder, EmbeddingModel, ModelHTTPError, ModelRetry, RunContext
from pydantic_ai.embeddings import EmbeddingResult, EmbeddingSettings
from pydantic_ai.embeddings.result import EmbedInputType
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RunUsage

from toolscript.search import Document
from toolscript.search.meaning import EmbeddingCost, SearchByMeaning

_MEANINGS = [('zebra', 'striped horse'), ('umbrella', 'keep dry'), ('violin', 'string instrument')]

TOOLS = [
    Document('feed_zebra', 'Give it hay'),
    Document('open_umbrella', 'Unfold'),
    Document('tune_violin', 'Turn the pegs'),
]


class ThreeMeanings(EmbeddingModel):
    """Knows three things, each by two names, and records its requests."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.failing: str | None = None
        self.refusals: list[int] = []

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
        if self.failing and any(self.failing in text for text in texts):
            raise ValueError('no more')
        if self.refusals:
            raise ModelHTTPError(self.refusals.pop(0), self.model_name)
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


async def test_a_tool_is_found_by_meaning_and_by_words(search: SearchByMeaning) -> None:
    assert (await search.search('striped horse', TOOLS, limit=1)) == ['feed_zebra']
    assert set(await search.search('pegs of the striped horse', TOOLS, limit=2)) == {'feed_zebra', 'tune_violin'}
    assert (await search.search('tune_violin of the striped horse', TOOLS, limit=2)) == ['tune_violin', 'feed_zebra']
    assert await search.search('hay', [], limit=5) == []


async def test_a_query_with_operators_uses_only_words(search: SearchByMeaning, model: ThreeMeanings) -> None:
    assert await search.search('select:tune_violin', TOOLS, limit=5) == ['tune_violin']
    assert await search.search('+hay striped horse', TOOLS, limit=5) == ['feed_zebra']
    assert model.asked == []


async def test_each_tool_is_embedded_once(search: SearchByMeaning, model: ThreeMeanings) -> None:
    await search.search('hay', TOOLS, limit=1)
    await search.search('pegs', [*TOOLS, Document('new', 'tool')], limit=1)
    assert model.asked == [
        'feed_zebra: Give it hay', 'open_umbrella: Unfold', 'tune_violin: Turn the pegs', 'hay', 'new: tool', 'pegs',
    ]  # fmt: skip


async def test_a_semantic_search_is_accepted_by_the_search_options(search: SearchByMeaning) -> None:
    ctx = RunContext(deps=None, model=TestModel(), usage=RunUsage())
    tools = [ToolDefinition(name=tool.name, description=tool.description) for tool in TOOLS]
    assert (await search(ctx, ['string instrument'], tools))[0] == 'tune_violin'
    with pytest.raises(ModelRetry, match=r'^query is required$'):
        await search(ctx, [' '], tools)


async def test_a_cache_saves_the_next_process_all_but_the_query(model: ThreeMeanings, tmp_path: Path) -> None:
    cache = tmp_path / 'vectors' / 'tools.npz'
    await SearchByMeaning(Embedder(model), cache).search('hay', TOOLS, limit=1)
    model.asked.clear()
    later = SearchByMeaning(Embedder(model), cache)
    assert await later.search('striped horse', [*TOOLS, Document('new', 'tool')], limit=1) == ['feed_zebra']
    assert model.asked == ['new: tool', 'striped horse']


@pytest.mark.parametrize('content', [b'', b'PK', b'no archive'])
async def test_an_unreadable_cache_is_replaced(model: ThreeMeanings, tmp_path: Path, content: bytes) -> None:
    cache = tmp_path / 'tools.npz'
    cache.write_bytes(content)
    assert await SearchByMeaning(Embedder(model), cache).search('striped horse', TOOLS, limit=1) == ['feed_zebra']
    model.asked.clear()
    await SearchByMeaning(Embedder(model), cache).search('keep dry', TOOLS, limit=1)
    assert model.asked == ['keep dry']


async def test_vectors_embedded_before_a_failure_are_kept(model: ThreeMeanings, tmp_path: Path) -> None:
    cache = tmp_path / 'tools.npz'
    many = [Document(f'tool_{n}', 'fails' if n == 300 else 'works') for n in range(400)]
    model.failing = 'fails'
    with pytest.raises(ValueError, match='no more'):
        await SearchByMeaning(Embedder(model), cache).search('hay', many, limit=1)
    model.failing, model.asked = None, []
    await SearchByMeaning(Embedder(model), cache).search('hay', many, limit=1)
    assert model.asked == [f'tool_{n}: {"fails" if n == 300 else "works"}' for n in range(256, 400)] + ['hay']


async def test_another_model_does_not_read_the_vectors_of_the_first(model: ThreeMeanings, tmp_path: Path) -> None:
    class Another(ThreeMeanings):
        @property
        def model_name(self) -> str:
            return 'another'

    cache, other = tmp_path / 'tools.npz', Another()
    await SearchByMeaning(Embedder(model), cache).search('hay', TOOLS, limit=1)
    await SearchByMeaning(Embedder(other), cache).search('hay', TOOLS, limit=1)
    assert len(other.asked) == 4


async def test_a_cost_estimate_counts_only_uncached_texts(search: SearchByMeaning, model: ThreeMeanings) -> None:
    many = [Document(f'tool_{number:03}', 'Works') for number in range(300)]
    assert search.cost(many) == EmbeddingCost(tools=300, requests=2, tokens=300 * len('tool_000: Works') // 4)
    assert model.asked == []
    await search.search('hay', many, limit=1)
    assert search.cost([*many, TOOLS[0]]) == EmbeddingCost(
        tools=1, requests=1, tokens=len('feed_zebra: Give it hay') // 4
    )


async def test_a_busy_embedder_is_retried_and_a_refusal_is_not(search: SearchByMeaning, model: ThreeMeanings) -> None:
    model.refusals = [429]
    assert await search.search('striped horse', TOOLS, limit=1) == ['feed_zebra']
    model.refusals = [401, 401]
    with pytest.raises(ModelHTTPError):
        await search.search('keep dry', TOOLS, limit=1)
    assert model.refusals == [401]


async def test_the_best_match_by_words_stays_among_five(search: SearchByMeaning) -> None:
    near = [Document(f'zebra_{number}', 'A striped animal') for number in range(40)]
    tools = [*near, Document('buy_hay'), *(Document(f'other_{number}') for number in range(90))]
    found = await search.search('hay of a striped horse with stripes', tools, limit=len(tools))
    assert 'buy_hay' in found[:5]


async def test_each_sentence_of_a_request_finds_its_own_tool(search: SearchByMeaning, model: ThreeMeanings) -> None:
    others = [Document(f'other_{number}') for number in range(150)]
    sentences = ['Something for a striped horse', 'Then help us keep dry', 'Finally care for my string instrument.']
    found = await search.search('. '.join(sentences), [*others, *TOOLS], limit=3)
    assert set(found) == {tool.name for tool in TOOLS}
    assert model.asked[-3:] == sentences
    # Of two clauses the longer is embedded too, of more only the whole request.
    for request, asked in (
        ('keep dry, or feed a striped horse', ['feed a striped horse']),
        ('feed horse a, feed horse b, feed horse c', []),
    ):
        model.asked.clear()
        await search.search(request, TOOLS, limit=3)
        assert model.asked == [request, *asked]


async def test_the_best_tool_of_each_sentence_ranks_before_similar_tools_of_another(search: SearchByMeaning) -> None:
    alike = [Document(f'sell_hay_{number}', 'Sell hay at a market') for number in range(10)]
    horses = [Document('draw_horse', 'Draw something for a horse'), Document('feed_zebra', 'Oats for a horse')]
    tools = [*alike, *horses, *(Document(f'other_{number}') for number in range(150))]
    request = 'Sell hay at a market. Then something for a striped horse'
    assert 'feed_zebra' in await search.search(request, tools, limit=3)
