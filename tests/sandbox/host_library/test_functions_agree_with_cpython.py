"""Each row of the table has a name that a program of `cases/` uses, where CPython says what it should answer."""

from zoneinfo import available_timezones

import pytest

from tests.sandbox.guest_cases import FOLDER
from toolscript_sandbox.host_library import HostLibrary, HostLibraryError
from toolscript_sandbox.host_library.table import functions
from toolscript_sandbox.language.dialect import MODULES

pytestmark = pytest.mark.anyio


def test_each_function_that_scripts_may_name_is_tried() -> None:
    tried = '\n'.join(file.read_text() for file in FOLDER.glob('*.txt'))
    offered = {f'{module}.{name}' for module in MODULES for name in MODULES[module].providers}
    assert {name for name in functions.keys() & offered if name.rpartition('.')[2] not in tried} == set()


async def test_wrong_arguments_raise_as_in_cpython(library: HostLibrary) -> None:
    with pytest.raises(HostLibraryError) as caught:
        await library.call('html.escape', [], {}, seconds=60)
    assert (caught.value.builtin, caught.value.message) == (
        'TypeError',
        "escape() missing 1 required positional argument: 's'",
    )


async def test_zones_are_listed_and_unknown_ones_refused(library: HostLibrary) -> None:
    assert await library.call('zoneinfo.available_timezones', [], {}, seconds=60) == available_timezones()
    for key in ('Nope/Nope', '../../../etc/passwd', '/etc/passwd', 'tzdata.zi', '', 3, ['UTC']):
        with pytest.raises(HostLibraryError, match='No time zone found with key'):
            await library.call('zoneinfo.changes', [key], {}, seconds=60)
