"""The findings of Monty's type checker about the stubs of functions."""

from collections.abc import Sequence

from pydantic_monty import ExternalModule, Monty, MontyTypingError

from toolscript_signatures import ToolFunction

POOL = Monty()


def diagnostics(functions: Sequence[ToolFunction], code: str) -> list[str]:
    """Return the checker's findings about code that uses these functions."""
    modules = {
        f'_tool_{number}': ExternalModule({function.name: len}, stubs=function.stub)
        for number, function in enumerate(functions)
    }
    imports = [f'from _tool_{number} import {function.name}' for number, function in enumerate(functions)]
    with POOL as pool, pool.checkout(type_check=True, type_check_format='concise', external_modules=modules) as session:
        try:
            session.feed_run('\n'.join([*imports, code]))
        except MontyTypingError as error:
            return str(error).splitlines()
    return []


def assert_known(functions: Sequence[ToolFunction]) -> None:
    """Assert that the checker accepts all stubs, and knows each of their types."""
    uses = [f'    reveal_type({function.name})' for function in functions]
    lines = diagnostics(functions, '\n'.join(['def _uses():', *uses]))
    revealed = [line for line in lines if 'Revealed type' in line]
    assert len(revealed) == len(functions)
    assert [line for line in lines if 'error[' in line or 'Unknown' in line] == []
