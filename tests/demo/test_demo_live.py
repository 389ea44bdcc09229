"""Who asks for a live model and cannot have it learns what to do."""

import pytest
from inline_snapshot import snapshot

from demo.live import NoModel, live_model


def test_a_name_without_a_provider() -> None:
    assert _refusal('gpt-5') == snapshot(
        "MODEL is 'gpt-5'; write it as provider:name, like anthropic:claude-sonnet-4-5."
    )


def test_an_unknown_provider() -> None:
    assert _refusal('nobody:model') == snapshot('nobody:model cannot be used. Unknown model: nobody:model.')


def test_a_provider_whose_package_is_missing() -> None:
    assert _refusal('groq:llama') == snapshot(
        "The package of 'groq' is not installed. Run: .venv/bin/uv pip install 'pydantic-ai-slim[groq]'"
    )


def test_a_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv('ANTHROPIC_API_KEY', raising=False)
    assert _refusal('anthropic:claude-sonnet-4-5') == snapshot(
        'anthropic:claude-sonnet-4-5 cannot be used. Set the `ANTHROPIC_API_KEY` environment variable or pass it via '
        '`AnthropicProvider(api_key=...)` to use the Anthropic provider.'
    )


def test_a_model_that_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('ANTHROPIC_API_KEY', 'none')
    assert live_model('anthropic:claude-sonnet-4-5').model_name == 'claude-sonnet-4-5'


def _refusal(name: str) -> str:
    with pytest.raises(NoModel) as caught:
        live_model(name)
    return str(caught.value)
