"""What tokens cost."""

from genai_prices import Usage, calc_price


def dollars(model: str, *, input_tokens: int, cached: int, output: int) -> float:
    """The price of one request, by genai-prices; new input is written to the cache where that costs extra.

    Args:
        model: As `anthropic:claude-sonnet-4-6`.
        input_tokens: All of them, cached ones included.
        cached: How many were read from the cache.
        output: How many the model wrote.
    """
    wire, _, name = model.partition(':')
    written = input_tokens - cached if wire == 'anthropic' else 0
    usage = Usage(input_tokens=input_tokens, cache_read_tokens=cached, cache_write_tokens=written, output_tokens=output)
    return float(
        calc_price(usage, model_ref=name, provider_id='anthropic' if wire == 'anthropic' else 'openai').total_price
    )
