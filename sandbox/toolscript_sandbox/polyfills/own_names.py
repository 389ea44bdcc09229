"""What Python calls the classes and functions of guests, which have the guest's name before their own."""

_HOMES = {
    'asyncio': 'asyncio contextlib enum event_loop task_groups waiting',
    'asyncio.exceptions': 'tasks',
    'asyncio.locks': 'locks',
    'asyncio.queues': 'queues',
    'asyncio.timeouts': 'deadlines',
    'builtins': 'builtins byte_arrays byte_values errors groups hashes iterators rounding shown types_of',
    'contextlib': 'async_contexts contextlib error_kinds exit_stacks',
    'datetime': 'date_methods date_reading datetime',
    '_io': 'io',
    'urllib.parse': 'urllib_parse',
    'collections.abc': 'collections_abc',
}
_OWN = (
    'calendar cmath collections colorsys concurrent_futures copy dataclasses difflib enum fnmatch fractions functools '
    'graphlib heapq hmac html json keyword logging math numbers operator pathlib pprint random re secrets shlex '
    'statistics string sys textwrap time traceback types typing uuid warnings zoneinfo'
)
_OTHERS = {
    'PatternError': ('re', 'error'),
    '_builtins_Nothing': ('builtins', 'object'),
    '_iterators_Values': ('builtins', 'generator'),
    '_generators_Generator': ('builtins', 'generator'),
    '_heapq_merge': ('builtins', 'generator'),
    '_heaps_of_objects_merge': ('builtins', 'generator'),
    '_async_generators_AsyncGenerator': ('builtins', 'async_generator'),
    '_iterators__Listed': ('builtins', 'list_iterator'),
    '_iterators__Reversed': ('builtins', 'list_reverseiterator'),
    '_iterators_iterator': ('builtins', 'iter'),
    '_rounding_rounded': ('builtins', 'round'),
    '_hashes_hash_of': ('builtins', 'hash'),
    '_date_methods__IsoDate': ('datetime', 'IsoCalendarDate'),
}
_SHOWN = {
    "<class 'json.JSONDecodeError'>": "<class 'json.decoder.JSONDecodeError'>",
    "<class 're.PatternError'>": "<class 're.error'>",
    "<class 'Counter'>": "<class 'collections.Counter'>",
    "<class 'PosixPath'>": "<class 'pathlib.PosixPath'>",
    "<class 'FrozenInstanceError'>": "<class 'dataclasses.FrozenInstanceError'>",
}
"""Monty's own classes that are called otherwise in Python."""
_known = {}


def _parts(name):
    """The module of Python and the name in it."""
    if name in _OTHERS:
        return _OTHERS[name]
    if not name.startswith('_'):
        return ('', name)
    if name not in _known:
        _known[name] = ('', name)
        for module, homes in [*_HOMES.items(), *[(home, home) for home in _OWN.split()]]:
            for home in homes.split():
                if name.startswith(f'_{home}_'):
                    _known[name] = (module, name.removeprefix(f'_{home}_').removeprefix('_'))
    return _known[name]


def own_name(name):
    """The name itself where it is none of a guest's."""
    return _parts(name)[1]


def text_of_class(cls):
    """What a class shows, but for those of the script."""
    module, name = _parts(getattr(cls, '_named', getattr(cls, '__name__', '')))
    if hasattr(cls, '_named'):
        module = _parts(cls.__name__)[0]
    if not module:
        return _SHOWN.get(repr(cls), repr(cls))
    return f"<class '{name}'>" if module == 'builtins' else f"<class '{module}.{name}'>"
