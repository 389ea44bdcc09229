"""Functions that scripts of tests may call."""

from toolscript_sandbox import Function


class Table(dict[str, Function]):
    """Functions by name, without hints for other names."""

    def hint(self, name: str, /) -> str | None:
        """Returns None."""
        return None


NOTHING = Table()
