"""Functions that scripts of tests may call."""

import re

from toolscript_sandbox import Function


class Table(dict[str, Function]):
    """Functions by name, without hints for other names."""

    def hint(self, name: str, /) -> str | None:
        return None


def table(*stubs: str) -> Table:
    """Return functions with these stubs. Those that are not `async` are sequential."""
    made = Table()
    for stub in stubs:
        found = re.search(r'^(async )?def (\w+)', stub, re.MULTILINE)
        assert found is not None, stub
        made[found[2]] = Function(found[2], f'{stub}\n', not found[1])
    return made


NOTHING = Table()
