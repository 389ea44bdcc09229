"""Python identifiers for arbitrary names."""

import builtins
import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from toolscript_signatures.types.visible import without_invisible

_OUTSIDE = re.compile(r'\W+')
_OUTSIDE_ASCII = re.compile(r'[^A-Za-z0-9_]+')
_WORD = re.compile(r'[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W_]+')

BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith('_'))
"""Names that a script has without importing them. In the sandbox, a builtin hides a tool of the same name."""

TYPING = frozenset({'Any', 'Literal', 'NotRequired', 'Required', 'TypedDict'})
"""Names that stubs import."""

_SANDBOX = frozenset({'asyncio', 'typing', 'reveal_type', 'await'})


@lru_cache(maxsize=8192)
def is_identifier(name: str) -> bool:
    """Whether a name is a Python identifier that NFKC normalisation does not change."""
    return name.isidentifier() and not keyword.iskeyword(name) and name != '__debug__' and _normal(name) == name


def identifier(name: str, *, fallback: str = 'arg') -> str:
    """The identifier for a name: `x-api-key` becomes `x_api_key`, `from` becomes `from_`, `2fa` becomes `_2fa`."""
    if is_identifier(name):
        return name
    plain = _OUTSIDE.sub('_', _normal(name)).strip('_')
    if not f'_{plain}'.isidentifier():
        plain = _OUTSIDE_ASCII.sub('_', plain).strip('_')
    plain = plain or fallback
    if not plain[0].isidentifier():
        plain = f'_{plain}'
    return plain if is_identifier(plain) else f'{plain}_'


@lru_cache(maxsize=8192)
def parameter_name(name: str) -> str:
    """The identifier for a parameter. Type checkers take two leading underscores as positional-only."""
    plain = identifier(name)
    return identifier(plain.lstrip('_')) if plain.startswith('__') else plain


def function_name(name: str) -> str:
    """The identifier for a tool. It has no leading underscore, because the sandbox does not import such names."""
    plain = identifier(name, fallback='tool').lstrip('_')
    return plain if is_identifier(plain) else identifier(f'tool_{plain}')


def _normal(name: str) -> str:
    return name if name.isascii() else without_invisible(unicodedata.normalize('NFKC', name))


def distinct(
    names: Iterable[str], *, spell: Callable[[str], str] = parameter_name, taken: Collection[str] = ()
) -> list[str]:
    """A unique identifier for each name.

    A name that is an identifier takes precedence over names that are changed into it. Of several names that would get
    the same identifier, the later ones get the suffix `_2`, `_3` and so on. Names in `taken` get the suffix `_`.
    """
    wanted = list(names)
    spelled = [spell(name) for name in wanted]
    used = set(taken)
    found: dict[int, str] = {}
    for index, (name, plain) in enumerate(zip(wanted, spelled, strict=True)):
        if name == plain and plain not in used:
            found[index] = plain
            used.add(plain)
    numbers: Counter[str] = Counter()
    for index, plain in enumerate(spelled):
        if index not in found:
            found[index] = _free(plain, used, taken, numbers)
            used.add(found[index])
    return [found[index] for index in range(len(wanted))]


def _free(name: str, used: Collection[str], taken: Collection[str], numbers: Counter[str]) -> str:
    if name not in used:
        return name
    if name in taken and f'{name}_' not in used:
        return f'{name}_'
    while True:
        numbers[name] += 1
        if (numbered := f'{name}_{numbers[name] + 1}') not in used:
            return numbered


def numbered(name: str, taken: Collection[str]) -> str:
    """The name, or the first of `name2`, `name3` and so on that is free."""
    number, free = 2, name
    while free in taken:
        number, free = number + 1, f'{name}{number}'
    return free


@lru_cache(maxsize=64)
def reserved_callables(extra: frozenset[str]) -> frozenset[str]:
    """Identifiers that tools must not have: builtins, imports of stubs, and `extra`."""
    return BUILTINS | TYPING | _SANDBOX | extra


@lru_cache(maxsize=8192)
def keeps_its_name(name: str, reserved: frozenset[str] = frozenset()) -> bool:
    """Whether a tool of this name has the same name in Python, independent of other tools."""
    return function_name(name) == name and name not in reserved_callables(reserved)


def type_name(*names: str) -> str:
    """A name for a type, in CamelCase: `create-issue`, `labels` becomes `CreateIssueLabels`."""
    words = [word for name in names for word in _WORD.findall(_normal(name))]
    joined = ''.join(word[0].upper() + word[1:] for word in words)
    if not joined or not joined[0].isalpha() or not joined.isidentifier():
        joined = f'T{_OUTSIDE_ASCII.sub("", joined)}'
    return f'{joined}_' if keyword.iskeyword(joined) or joined in BUILTINS | TYPING else joined
