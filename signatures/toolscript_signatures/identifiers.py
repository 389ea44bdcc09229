"""Python identifiers for arbitrary names."""

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterable

_OUTSIDE = re.compile(r'[^A-Za-z0-9_]+')
_WORD = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_]+')

BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith('_'))
"""Names that a script has without importing them. A builtin wins over a tool of its name in the sandbox."""

TYPING = frozenset({'Any', 'Literal', 'NotRequired', 'Required', 'TypedDict'})
"""Names that stubs import."""

_SANDBOX = frozenset({'asyncio', 'typing', 'reveal_type', 'await'})


def is_identifier(name: str) -> bool:
    """Whether a name can be a parameter as it is, in source that every editor and parser reads alike.

    Names that Python would read as another one (it normalises identifiers to NFKC) do not count.
    """
    return name.isidentifier() and not keyword.iskeyword(name) and unicodedata.normalize('NFKC', name) == name


def identifier(name: str, *, fallback: str = 'arg') -> str:
    """The identifier nearest to a name: `x-api-key` becomes `x_api_key`, `from` `from_`, `2fa` `_2fa`."""
    if is_identifier(name) and name != '__debug__':
        return name
    plain = unicodedata.normalize('NFKC', name)
    if not _is_word(plain):
        plain = _OUTSIDE.sub('_', plain).strip('_') or fallback
    if plain[0].isdigit():
        plain = f'_{plain}'
    return f'{plain}_' if keyword.iskeyword(plain) or plain == '__debug__' else plain


def _is_word(name: str) -> bool:
    return name.isidentifier()


def distinct(names: Iterable[str], *, taken: Collection[str] = ()) -> list[str]:
    """An identifier for each name, no two alike.

    A name that is an identifier already keeps it over those that merely become it; where two become the same one, the
    later gets `_2`, `_3` and so on. `taken` are identifiers that none may have.
    """
    wanted = list(names)
    claimed = {name for name in wanted if identifier(name) == name and name not in taken}
    used = set(taken)
    found: dict[int, str] = {}
    for index, name in enumerate(wanted):
        if name in claimed and name not in used:
            found[index] = name
            used.add(name)
    for index, name in enumerate(wanted):
        if index not in found:
            found[index] = _free(identifier(name), used)
            used.add(found[index])
    return [found[index] for index in range(len(wanted))]


def _free(name: str, used: Collection[str]) -> str:
    if name not in used:
        return name
    if name in BUILTINS and f'{name}_' not in used:
        return f'{name}_'
    number = 2
    while f'{name}_{number}' in used:
        number += 1
    return f'{name}_{number}'


def reserved_callables(extra: Collection[str] = ()) -> frozenset[str]:
    """Identifiers that no tool may have: builtins, what stubs import, and `extra`."""
    return BUILTINS | TYPING | _SANDBOX | frozenset(extra)


def type_name(*names: str) -> str:
    """A name for a type, in CamelCase: `create-issue`, `labels` becomes `CreateIssueLabels`."""
    words = [word for name in names for word in _WORD.findall(unicodedata.normalize('NFKC', name))]
    joined = ''.join(word[0].upper() + word[1:] for word in words)
    if not joined or not joined[0].isalpha() or not joined.isidentifier():
        joined = f'T{_OUTSIDE.sub("", joined)}'
    return f'{joined}_' if keyword.iskeyword(joined) or joined in BUILTINS | TYPING else joined


def singular(name: str) -> str:
    """A plural without its ending, for the name of one item: `entries` becomes `entry`."""
    if name.endswith('ies') and len(name) > 4:
        return f'{name[:-3]}y'
    return name[:-1] if name.endswith('s') and not name.endswith('ss') and len(name) > 3 else name
