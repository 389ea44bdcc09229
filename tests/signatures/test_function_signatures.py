"""Signatures of functions, the agreed vectors, and the example of the page."""

import ast
import contextlib
import dataclasses
import enum
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NotRequired, TypedDict, TypeVar

import pytest
from inline_snapshot import snapshot
from pydantic import BaseModel, Field

from toolscript_signatures import FunctionSignature, signature_from_function, signature_from_schema

_T = TypeVar('_T')


class RunContext(Generic[_T]):
    """A stand-in, which is recognised by its name."""


class _Place(TypedDict):
    lat: float
    name: NotRequired[str]
    near: 'list[_Place]'


@dataclasses.dataclass
class _Size:
    width: int
    unit: Annotated[str, 'Of length'] = 'cm'


class _Order(BaseModel):
    id: int = Field(ge=1, description='The number')
    parts: 'list[_Order]' = []


class _Color(enum.Enum):
    RED = 'red'
    BLUE = 'blue'


def _text(found: FunctionSignature) -> str:
    text = '\n\n'.join([*found.type_definitions, found.signature])
    ast.parse(text)
    return text


def test_a_function_is_shown_with_its_types_and_its_whole_docstring() -> None:
    async def order(
        ctx: RunContext[int], place: _Place, /, size: _Size | None = None, *, color: _Color = _Color.RED, urgent: bool
    ) -> list[_Order]:
        """Order something.

        It is brought to you.

        Args:
            place: Where to
                bring it.
            size (_Size): How big.

        Returns:
            What was ordered.

        Raises:
            ValueError: If nobody is there.
        """
        raise NotImplementedError

    assert _text(signature_from_function(order)) == snapshot('''\
class Place(TypedDict):
    lat: float
    name: NotRequired[str]
    near: 'list[Place]'

class Size(TypedDict):
    width: int
    unit: NotRequired[str]  # Of length

class Order(TypedDict):
    id: int  # The number (>=1)
    parts: NotRequired['list[Order]']

async def order(place: Place, /, size: Size | None = None, *, color: Literal['red', 'blue'] = 'red', urgent: bool) -> list[Order]:
    """
    Order something.

    It is brought to you.

    Args:
        place: Where to bring it.
        size: How big.

    Returns:
        What was ordered.

    Raises:
        ValueError: If nobody is there.
    """\
''')


_STYLES = {
    'google': 'Args:\n    x: From here.\n\nReturns:\n    The next.\n\nRaises:\n    ValueError: At the end.',
    'numpy': (
        'Parameters\n----------\nx : int\n    From here.\n\nReturns\n-------\nint\n    The next.\n\n'
        'Raises\n------\nValueError\n    At the end.'
    ),
    'sphinx': ':param x: From here.\n:returns: The next.\n:raises ValueError: At the end.',
}


def _count(x: int) -> int:
    return x


@pytest.mark.parametrize('style', _STYLES)
def test_three_docstring_styles_give_the_same_signature(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_count, '__doc__', f'Count.\n\n{_STYLES[style]}\n')
    assert signature_from_function(_count, name='count').signature == snapshot('''\
def count(x: int) -> int:
    """
    Count.

    Args:
        x: From here.

    Returns:
        The next.

    Raises:
        ValueError: At the end.
    """\
''')


def test_name_description_and_return_type_can_be_overridden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_count, '__doc__', f'Count.\n\n{_STYLES["google"]}\n')
    found = signature_from_function(_count, name='count-up', description='Go "on"', include_return_type=False)
    assert found.signature.splitlines()[:3] == ['def count_up(x: int):', '    """', '    Go "on"']


def test_every_kind_of_parameter_is_shown() -> None:
    class Id(str): ...

    class Plain: ...

    def kinds(
        a: Plain,
        b: Sequence[str] = (),
        /,
        c: Literal['x', 1] = 1,
        *more: int,
        d: object = object(),
        e: Id,
        **rest: float,
    ) -> None: ...

    assert signature_from_function(kinds).signature == snapshot(
        "def kinds(a: Any, b: list[str] = [], /, c: Literal['x', 1] = 1, *more: int, d: Any = ..., e: str, **rest: float) -> None: ..."
    )


def test_unresolvable_annotations_are_shown_as_written() -> None:
    namespace: dict[str, Any] = {}
    exec("def vague(x: 'Missing', y: 'no python') -> 'list[Missing]': ...", namespace)
    assert signature_from_function(namespace['vague']).signature == snapshot(
        'def vague(x: Missing, y: Any) -> list[Missing]: ...'
    )


def test_a_context_parameter_is_recognised_even_if_its_annotation_cannot_be_resolved() -> None:
    namespace: dict[str, Any] = {}
    exec("def aware(ctx: 'ai.RunContext[Missing]', x: int): ...", namespace)
    assert signature_from_function(namespace['aware']).signature == 'def aware(x: int) -> Any: ...'


def test_builtins_and_methods_have_signatures_too() -> None:
    heads = [signature_from_function(func).signature.splitlines()[0] for func in (len, dict[str, int], 'x'.join)]
    assert heads == snapshot(
        [
            'def len(obj: Any, /) -> Any:',
            'def dict(*args: Any, **kwargs: Any) -> Any:',
            'def join(iterable: Any, /) -> Any:',
        ]
    )


_VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / 'vectors' / 'signature.json').read_text())


def _get_user(user_id: str) -> Any:
    """Fetch user by ID."""


_get_user.__name__ = 'get_user'
_get_user.__annotations__['return'] = dict


@pytest.mark.parametrize('vector', _VECTORS['schema'])
def test_a_schema_gives_exactly_the_agreed_signature(vector: dict[str, Any]) -> None:
    found = signature_from_schema(
        name=vector['name'],
        parameters_json_schema=vector['schema'],
        description=vector.get('description'),
        return_json_schema=vector.get('return_schema'),
    )
    assert found.signature == vector['sig']
    assert found.type_definitions == vector.get('defs', found.type_definitions)


def test_a_function_gives_exactly_the_agreed_signature() -> None:
    assert signature_from_function(_get_user).signature == _VECTORS['function']


_PAGE = Path(__file__).parents[2] / 'docs' / 'signatures.md'


def test_the_first_example_of_the_page_prints_the_second() -> None:
    code, shown = re.findall(r'```(?:python|text)\n(.*?)```', _PAGE.read_text(), re.DOTALL)[:2]
    namespace: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, namespace)
    assert printed.getvalue() == shown
    arguments = namespace['catalog'].of('search-books').arguments(['Emma'], {'x_lang': 'en'})
    assert arguments == {'title': 'Emma', 'x-lang': 'en'}
    assert f'`{arguments!r}`' in _PAGE.read_text()
