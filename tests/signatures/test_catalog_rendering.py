import ast
from typing import Any

import pytest
from inline_snapshot import snapshot

from toolscript_signatures import Catalog, ToolSpec, estimate_tokens


def _object(properties: dict[str, Any], *required: str, **rest: Any) -> dict[str, Any]:
    return {'type': 'object', 'properties': properties, 'required': list(required), **rest}


_USER = _object({'name': {'type': 'string'}, 'age': {'type': 'integer', 'description': 'In full years.'}}, 'name')
_OTHER_USER = _object({'login': {'type': 'string'}}, 'login')
_GET = ToolSpec(
    'get_user', _object({'id': {'type': 'string'}}, 'id'), 'Find a user.', returns={**_USER, 'title': 'User'}
)
_PUT = ToolSpec('put_user', _object({'user': _USER}, 'user'), 'Store a user.')
_BAN = ToolSpec('ban-user', _object({'user': _OTHER_USER}, 'user'), 'Ban a user.', destructive=True, sequential=True)
_TOOLS = [_GET, _PUT, _BAN]


def test_a_catalog_writes_types_first_and_equal_types_once() -> None:
    text = Catalog(_TOOLS).render().text
    assert text == snapshot('''\
class User(TypedDict):
 name: str
 age: NotRequired[int] # In full years.

class BanUserUser(TypedDict):
 login: str

async def get_user(id: str) -> User:
 """Find a user."""

async def put_user(user: User) -> Any:
 """Store a user."""

def ban_user(user: BanUserUser) -> Any: # destructive
 """Ban a user."""\
''')
    ast.parse(text)


def test_detail_signature_has_no_docs() -> None:
    assert Catalog(_TOOLS).render(['get_user'], detail='signature').text == snapshot("""\
class User(TypedDict):
 name: str
 age: NotRequired[int]

async def get_user(id: str) -> User: ...\
""")


def test_detail_brief_is_a_line_for_each_function() -> None:
    assert Catalog(_TOOLS).render(detail='brief').text == snapshot("""\
get_user # Find a user.
put_user # Store a user.
ban_user # Ban a user.\
""")


def test_types_of_known_tools_are_not_repeated_and_keep_their_names() -> None:
    catalog = Catalog(_TOOLS)
    assert catalog.render(['put_user', 'ban-user'], known=['get_user']).text == snapshot('''\
class BanUserUser(TypedDict):
 login: str

async def put_user(user: User) -> Any:
 """Store a user."""

def ban_user(user: BanUserUser) -> Any: # destructive
 """Ban a user."""\
''')


def test_a_repeated_long_note_becomes_a_reference() -> None:
    page = {'type': 'string', 'description': 'The cursor that the page before this one ended with, or nothing.'}
    other = {'type': 'string', 'description': 'Which page of the book to print, counted from one; no more than one.'}
    tools = [ToolSpec(f'tool_{n}', _object({'page': one})) for n, one in enumerate([page, page, other, page])]
    assert Catalog(tools).render().text == snapshot("""\
# "same" is the last note on that name

async def tool_0(
 page: str = ... # The cursor that the page before this one ended with, or nothing.
) -> Any: ...

async def tool_1(
 page: str = ... # same
) -> Any: ...

async def tool_2(
 page: str = ... # Which page of the book to print, counted from one; no more than one.
) -> Any: ...

async def tool_3(
 page: str = ... # as in tool_0
) -> Any: ...\
""")


def test_a_common_beginning_of_docstrings_is_written_once() -> None:
    files = 'This tool belongs to the file system, which keeps what users write. Tool description:'
    mail = 'This tool belongs to the mail system, which sends what users write. Tool description:'
    described = {'cat': f'{files} Show a file.', 'rm': f'{files} Remove a file.\nFor good.', 'send': f'{mail} Send.'}
    tools = [ToolSpec(name, {'type': 'object'}, text) for name, text in described.items()]
    assert Catalog(tools).render().text == snapshot('''\
# In docstrings below, … is: This tool belongs to the file system, which keeps what users write. Tool description:
async def cat() -> Any:
 """… Show a file."""

async def rm() -> Any:
 """… Remove a file.
 For good."""

async def send() -> Any:
 """This tool belongs to the mail system, which sends what users write. Tool description: Send."""\
''')
    assert Catalog(tools).render(['send', 'cat']).text.count('Tool description:') == 2


def test_names_are_assigned_over_the_whole_set_in_order() -> None:
    wanted = ['get-user', 'get_user', 'get.user', 'max', 'from', 'run_code', '2fa', '_x', '', 'getUser']
    catalog = Catalog([ToolSpec(name, {}) for name in wanted], reserved=['run_code'])
    assert {function.spec.name: function.name for function in catalog} == snapshot(
        {
            'get-user': 'get_user_2',
            'get_user': 'get_user',
            'get.user': 'get_user_3',
            'max': 'max_',
            'from': 'from_',
            'run_code': 'run_code_',
            '2fa': 'tool_2fa',
            '_x': 'x',
            '': 'tool',
            'getUser': 'getUser',
        }
    )
    assert catalog.get('get_user_2') is catalog.of('get-user')
    assert catalog.get('nothing') is None
    with pytest.raises(KeyError):
        catalog.of('nothing')


def _many() -> Catalog:
    description = 'A tool with a description of about ten words, which take some tokens.'
    servers = ['one', 'one', 'one', 'one', 'two', 'three']
    return Catalog(
        [
            ToolSpec(f'tool_{number}', {}, description, server=server, pinned=number == 3)
            for number, server in enumerate(servers)
        ]
    )


def test_a_budget_takes_pinned_tools_first_and_then_one_of_each_server() -> None:
    rendered = _many().render(budget=130)
    assert rendered.shown == ('tool_0', 'tool_3', 'tool_4')
    assert rendered.text.splitlines()[0] == '# 3 of 6 functions; search for the rest'
    assert (rendered.total, len(rendered.shown) < 6) == (6, True)


@pytest.mark.parametrize('budget', [0, 10, 40, 80, 120, 200, 400])
def test_a_budget_is_respected(budget: int) -> None:
    rendered = _many().render(budget=budget)
    assert estimate_tokens(rendered.text) <= budget or not rendered.shown
    assert (len(rendered.shown) == rendered.total) == (budget >= 400)


def test_a_changed_schema_gives_a_changed_text() -> None:
    schema = _object({'x': {'type': 'integer', 'default': 1}})
    texts = [Catalog([ToolSpec('tool', schema)]).render().text]
    schema['properties']['x']['default'] = True
    texts.append(Catalog([ToolSpec('tool', schema)]).render().text)
    assert texts == snapshot(['async def tool(x: int = 1) -> Any: ...', 'async def tool(x: int = True) -> Any: ...'])
