"""Functions of the host, as a worker is given them."""

from collections.abc import Callable


def placeholder(name: str) -> Callable[..., None]:
    """What Monty takes for the host's function: it knows one by its name alone, and a call of it suspends under it."""

    def called() -> None:
        raise AssertionError('called on the host')

    called.__name__ = name
    return called
