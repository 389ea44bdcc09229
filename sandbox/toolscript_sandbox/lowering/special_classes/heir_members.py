"""What heirs of builtin types have: for each member, the guest module and the name there. A table for `heirs.py`."""

from __future__ import annotations

Members = dict[str, tuple[str, str]]


def _of(module: str, **names: str) -> Members:
    return {name: (module, there) for name, there in names.items()}


_OF_BOTH = _of(
    'heirs',
    __len__='size',
    __iter__='walked',
    __reversed__='backwards',
    __ne__='unequal',
    __repr__='shown',
    __contains__='has',
    _plain_='plain',
    clear='emptied',
    copy='copied',
)
_LIST = _of(
    'heirs',
    __init__='list_made',
    __getitem__='at',
    __setitem__='put',
    __delitem__='taken_out',
    __eq__='list_equal',
    __lt__='less',
    __le__='at_most',
    __gt__='greater',
    __ge__='at_least',
    __add__='joined',
    __radd__='joined_to',
    __iadd__='joined_in_place',
    __mul__='repeated',
    __rmul__='repeated',
    __imul__='repeated_in_place',
    append='append',
    extend='extend',
    insert='insert',
    pop='pop',
    remove='remove',
    index='index',
    count='count',
    sort='sort',
    reverse='reverse',
)
_DICT = _of(
    'heirs',
    __init__='dict_made',
    __getitem__='value_of',
    __setitem__='stored',
    __delitem__='dropped',
    __eq__='dict_equal',
    __or__='merged',
    __ror__='merged_to',
    __ior__='merged_in_place',
    pop='take',
    get='get',
    setdefault='setdefault',
    popitem='popitem',
    keys='keys',
    values='values',
    items='items',
    update='update',
)
_ORDERED = _of(
    'ordered_heirs',
    __init__='made',
    __eq__='equal',
    __ne__='unequal',
    __or__='merged',
    __ror__='merged_to',
    __ior__='merged_in_place',
    __repr__='shown',
    _plain_='plain',
    copy='copied',
    setdefault='setdefault',
    popitem='popitem',
    move_to_end='move_to_end',
    update='update',
)
MEMBERS: dict[str, Members] = {
    'list': {**_OF_BOTH, **_LIST},
    'dict': {**_OF_BOTH, **_DICT},
    'OrderedDict': {**_OF_BOTH, **_DICT, **_ORDERED},
}
"""By the builtin type."""
