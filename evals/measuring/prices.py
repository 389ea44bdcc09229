"""The price of tokens."""

from genai_prices import Usage, calc_price


def dollars(model: str, *, input_tokens: int, cached: int, output: int) -> float:
    """Return the price of requests, by genai-prices; new input is written to the cache where that costs extra.

    Args:
        model: As `anthropic:claude-sonnet-4-6`; `responses:` and `chat:` are OpenAI's.
        input_tokens: All input tokens, including cached ones.
        cached: The tokens read from the cache.
        output: The tokens that the model wrote.

    Raises:
        LookupError: No price is known.
    """
    written = input_tokens - cached if model.startswith('anthropic:') else 0
    usage = Usage(input_tokens=input_tokens, cache_read_tokens=cached, cache_write_tokens=written, output_tokens=output)
    return list_price(model, usage)


def list_price(model: str, usage: Usage) -> float:
    """Return the price of one request in dollars.

    Raises:
        LookupError: No price is known.
    """
    provider, _, name = model.partition(':')
    provider = _PROVIDERS.get(provider, provider)
    return float(calc_price(usage, model_ref=name, provider_id=provider).total_price)


_PROVIDERS = {
    'responses': 'openai',
    'chat': 'openai',
    'openai-responses': 'openai',
    'openai-chat': 'openai',
    'google-gla': 'google',
    'google-vertex': 'google',
}
"""The names that genai-prices uses for providers with another name here."""
