# Types stand as values where a script gives them names.
from typing import Any, Callable, Dict, List, Literal, Optional, ParamSpec, Tuple, TypeVar, Union
T = TypeVar('T')
P = ParamSpec('P')
Row = Dict[str, Any]
Graph = Dict[str, List[Tuple[str, int]]]
Handler = Callable[[Row], Optional[T]]
Mode = Literal['r', 'w']
Maybe = Optional['Node']
Number = Union[int, float]
class Node:
    below: List['Node']
    def __init__(self, below: Maybe = None) -> None:
        self.below = [below] if below else []
def first(items: List[T], otherwise: Optional[T] = None) -> Optional[T]:
    return items[0] if items else otherwise
first([3]), first([], 'x'), len(Node(Node()).below), isinstance(2.5, Number), isinstance('2', Number), isinstance(None, Optional[int])
# ---
import typing
typing.cast(typing.List[int], [1]), typing.cast('list[int]', (2,))
