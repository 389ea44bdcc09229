"""What the analysis costs, counted in work: it grows with the script, not with its square."""

from collections.abc import Callable

import pytest

from toolscript.flows.analysis import analyse
from toolscript.flows.graph import Graph

_SHAPES: dict[str, Callable[[int], str]] = {
    'one list gets many items': lambda n: 'xs = []\n' + 'xs.append(get())\n' * n + 'send(xs)',
    'one text grows': lambda n: 'x = get()\n' + 'x = x + "a"\n' * n + 'send(x)',
    'each call gets the result before': lambda n: (
        'x0 = get()\n' + ''.join(f'x{i} = get(x{i - 1})\n' for i in range(1, n))
    ),
    'each result is kept and used': lambda n: 'xs = []\n' + 'x = get()\nxs.append(x)\nsend(x, to=xs[0])\n' * n,
    'one function is called often': lambda n: 'def f(x):\n    return x + "a"\n' + 'send(f(get()))\n' * n,
}


def _work(code: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often the analysis adds sources to a node."""
    added = 0
    add = Graph.add

    def counted(graph: Graph, node: int, sources: int, objects: int) -> None:
        nonlocal added
        added += 1
        add(graph, node, sources, objects)

    with monkeypatch.context() as patch:
        patch.setattr(Graph, 'add', counted)
        assert analyse([code], {'get', 'send'}.__contains__).is_complete
    return added


@pytest.mark.parametrize('shape', _SHAPES)
def test_twice_the_script_is_twice_the_work(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (_work(_SHAPES[shape](n), monkeypatch) for n in (200, 400))
    assert large < 2.2 * small
