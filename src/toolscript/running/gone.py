"""What a model is told of variables that it set and that are no longer there."""

from collections.abc import Iterable


def gone_lines(failure: str, gone: Iterable[str]) -> list[str]:
    """A line on those of the variables that the failure is about; none where it is about others.

    Args:
        failure: What the model is told of its snippet, which puts names in quotes.
        gone: Variables that earlier snippets of the conversation set and that the session does not have.
    """
    names = sorted(name for name in gone if f'`{name}`' in failure or f"'{name}'" in failure)
    if not names:
        return []
    return [
        f'Earlier scripts of this conversation set {", ".join(names)}, but the sandbox was started anew since, without '
        'their variables. Set them again in this script.'
    ]
