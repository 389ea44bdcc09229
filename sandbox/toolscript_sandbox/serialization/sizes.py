"""How large a value is before anything of it is copied: as JSON, and in the memory of a script."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, cast

CONTAINERS = frozenset[type[Any]]([list, tuple, dict, set, frozenset])
MOST = 10**15
"""More is as good as endless: a list that holds itself twice, and so on, soon has a size of thousands of digits."""
ITEM_BYTES = 120
"""Of the sandbox's memory, for an item of a list, whose places grow by doubling. Measured, as are the others."""
ENTRY_BYTES = 300
"""For a key, its value and their place in a dict."""


class Sizes(NamedTuple):
    """Bytes of one value, at most `MOST`; shared parts count as often as they are written, and are looked at once."""

    written: int
    """As JSON. What is neither plain nor a container counts as nothing much."""
    held: int
    """Of the sandbox's memory, roughly."""


def sizes_of(value: Any, most_held: int | None = None) -> Sizes:
    """How large a value is. Where it holds more than `most_held`, either may be any number, but `held` one above:
    nothing is looked at any longer."""
    if type(value) not in CONTAINERS:
        return _look_at([value]).sizes
    by_level = _by_level(value, most_held)
    return sizes_of_each(value, most_held) if by_level is None else by_level


def _by_level(value: Any, most_held: int | None) -> Sizes | None:
    """The same, many containers at a time; None where one stands at different depths, in itself for example."""
    written, held, seen = 0, 0, {id(value)}
    level: dict[int, list[Any]] = {1: [value]}
    while level:
        # By their ids, the containers of the next level, and how often each of them stands there.
        below, often = dict[int, Any](), Counter[int]()
        for times, containers in level.items():
            for some in _parts(containers, _MANY):
                for look in _looks(some):
                    written += times * look.sizes.written
                    held += times * look.sizes.held
                    if look.inner:
                        below.update(zip(map(id, look.inner), look.inner, strict=True))
                        _count(often, look.inner, times)
                if most_held is not None and held > most_held:
                    return Sizes(min(MOST, written), held)
        if written >= MOST and held >= MOST:
            break
        if not seen.isdisjoint(below):
            return None
        seen.update(below)
        level = _grouped(below, often)
    return Sizes(min(MOST, written), min(MOST, held))


def _count(often: Counter[int], inner: list[Any], times: int) -> None:
    if times == 1:
        often.update(map(id, inner))
        return
    for number, count in Counter(map(id, inner)).items():
        often[number] += count * times


def _grouped(containers: Mapping[int, Any], often: Mapping[int, int]) -> dict[int, list[Any]]:
    """Containers, by how often they stand there."""
    grouped = defaultdict[int, list[Any]](list)
    for number, container in containers.items():
        grouped[often[number]].append(container)
    return grouped


def _looks(containers: Sequence[Any]) -> Iterator[_Look]:
    """What there is in them, all together."""
    dicts: list[dict[Any, Any]] = [container for container in containers if type(container) is dict]
    others = [container for container in containers if type(container) is not dict]
    entries, items = sum(map(len, dicts)), sum(map(len, others))
    empty = Sizes(
        2 * len(containers) + 4 * entries + 2 * items,
        _CONTAINER_BYTES * len(containers) + ENTRY_BYTES * entries + ITEM_BYTES * items,
    )
    yield _Look(empty, [])
    if entries <= _MOST_IN_COLUMNS and (table := Table.of(dicts)) is not None:
        written, held = _look_at_many(table.keys).sizes
        yield _Look(Sizes(len(dicts) * written, len(dicts) * held), [])
        parts = map(table.column, range(len(table.keys)))
    else:
        parts = _parts(chain(chain.from_iterable(dicts), chain.from_iterable(map(dict[Any, Any].values, dicts))), _MANY)
    for some in chain(parts, _parts(chain.from_iterable(others), _MANY)):
        yield _look_at_many(some)


class Table(NamedTuple):
    """Dicts with equal keys in the same order, all of them text: what databases and services give."""

    keys: list[str]
    cells: list[Any]
    """Row by row."""

    @classmethod
    def of(cls, rows: Sequence[dict[Any, Any]]) -> Table | None:
        """The table; None if the dicts are none."""
        keys = list(chain.from_iterable(rows))
        first = keys[: len(rows[0])] if rows else []
        if not first or not _TEXT.issuperset(map(type, keys)) or keys != first * len(rows):
            return None
        cells = list(chain.from_iterable(map(dict[Any, Any].values, rows)))
        return cls(first, cells) if len(cells) == len(keys) else None

    def column(self, place: int) -> list[Any]:
        """What the rows have for a key."""
        return self.cells[place :: len(self.keys)]


def _parts(values: Iterable[Any], most: int) -> Iterator[list[Any]]:
    iterator = iter(values)
    while some := list(islice(iterator, most)):
        yield some


def _look_at_many(values: list[Any]) -> _Look:
    # For each kind of them all at once, where a loop over them would take several times as long.
    written, held, inner = 0, 0, list[Any]()
    kinds = set(map(type, values))
    for kind in kinds:
        of_it = values if len(kinds) == 1 else of_kind(values, kind)
        if kind in CONTAINERS:
            inner += of_it
            continue
        if kind is str:
            sizes = Sizes(texts_size(of_it), _held_by_texts(of_it))
        elif kind is int and max(map(int.bit_length, of_it)) < _WIDE:
            sizes = Sizes(integers_size(of_it), 0)
        else:
            sizes = _look_at(of_it).sizes
        written, held = written + sizes.written, held + sizes.held
    return _Look(Sizes(written, held), inner)


def of_kind(values: list[Any], kind: type[Any]) -> list[Any]:
    """Those of them that are of this very type, which is that of one of them."""
    return [value for value in values if type(value) is kind]


def texts_size(texts: list[str]) -> int:
    """Bytes of texts as JSON, each by itself."""
    if sum(map(len, texts)) < _JOINED and (together := ''.join(texts)).isprintable():
        # All that has to be escaped is as long in each of them as in all together.
        return text_size(together) + 2 * (len(texts) - 1)
    return sum(map(text_size, texts))


def integers_size(numbers: list[int]) -> int:
    """Bytes of integers as JSON. Raises `IndexError` where one has more than `WIDEST` bits."""
    return sum(map(_DIGITS.__getitem__, map(int.bit_length, numbers)))


def _held_by_texts(texts: list[str]) -> int:
    lengths = list(map(len, texts))
    short = lengths.count(0) + lengths.count(1)
    length = sum(lengths) - lengths.count(1)
    if not all(map(str.isascii, texts)):
        length = sum([len(text.encode('utf-8', 'replace')) for text in texts if len(text) > 1])
    # Text is there twice while it comes in.
    return _OBJECT_BYTES * (len(texts) - short) + 2 * length


def sizes_of_each(value: Any, most_held: int | None = None) -> Sizes:
    """The sizes of a container, looked into one by one, however its containers hold each other."""
    known, opened, least = dict[int, Sizes](), dict[int, _Look](), 0
    waiting = [value]
    while waiting:
        part = waiting[-1]
        if (look := opened.pop(id(part), None)) is not None:
            # All that it holds is known by now.
            known[id(waiting.pop())] = look.with_inner(known)
        elif id(part) in known:
            waiting.pop()
        else:
            empty = _of_container(part)
            if most_held is not None and least + empty.held > most_held:
                return Sizes(empty.written, least + empty.held)
            look = _look_into(part, empty)
            least += look.sizes.held
            if look.inner:
                # A circle ends here: a container that is still open counts as nothing inside itself.
                known[id(part)] = _NOTHING
                opened[id(part)] = look
                waiting += {id(item): item for item in look.inner if id(item) not in known}.values()
            else:
                known[id(waiting.pop())] = look.sizes
    return known[id(value)]


def text_size(text: str) -> int:
    """Bytes of a text as JSON."""
    if text.isascii() and text.isprintable() and '"' not in text and '\\' not in text:
        return len(text) + 2
    if not text.isprintable() and len(text) < _LONG:
        return len(json.dumps(text, ensure_ascii=False))
    inner = len(text) if text.isascii() else len(text.encode('utf-8', 'replace'))
    return inner + 2 + text.count('"') + text.count('\\') + text.count('\n')


class _Look(NamedTuple):
    """What there is in a container, or in a row of values."""

    sizes: Sizes
    """Without what the containers in it hold."""
    inner: list[Any]
    """Those containers, each as often as it stands there."""

    def with_inner(self, known: Mapping[int, Sizes]) -> Sizes:
        """All of it."""
        inner = [known[id(item)] for item in self.inner]
        return Sizes(
            min(MOST, self.sizes.written + sum([sizes.written for sizes in inner])),
            min(MOST, self.sizes.held + sum([sizes.held for sizes in inner])),
        )


def _of_container(container: Any) -> Sizes:
    """Without what is in it, but for what is plain and small."""
    count = len(container)
    if type(container) is dict:
        return Sizes(2 + 4 * count, _CONTAINER_BYTES + ENTRY_BYTES * count)
    return Sizes(2 + 2 * count, _CONTAINER_BYTES + ITEM_BYTES * count)


def _look_into(container: Any, empty: Sizes) -> _Look:
    values: Iterable[Any] = container
    if type(container) is dict:
        entries = cast('dict[Any, Any]', container)
        values = chain(entries, entries.values())
    (written, held), inner = _look_at(values)
    return _Look(Sizes(empty.written + written, empty.held + held), inner)


def _look_at(values: Iterable[Any]) -> _Look:
    # One loop with all cases in it: a call for each value would take most of the time.
    written, held, inner = 0, 0, list[Any]()
    for value in values:
        kind = type(value)  # pyright: ignore[reportUnknownVariableType]
        if kind is str:
            length = len(value)
            if value.isascii() and value.isprintable() and '"' not in value and '\\' not in value:
                written += length + 2
            else:
                written += text_size(value)
                length = length if value.isascii() else len(value.encode('utf-8', 'replace'))
            if len(value) > 1:
                # Text is there twice while it comes in.
                held += _OBJECT_BYTES + 2 * length
        elif kind is int:
            bits = value.bit_length()
            written += 1 + int(bits * 0.302)
            if bits >= _WIDE:
                held += _OBJECT_BYTES + bits // 8
        elif kind in CONTAINERS:
            inner.append(value)
        elif kind is bytes:
            written += len(value)
            held += len(value)
        else:
            written += 12 if kind is float else 4
    return _Look(Sizes(written, held), inner)


_NOTHING = Sizes(0, 0)
_LONG = 50_000
_CONTAINER_BYTES = 110
_OBJECT_BYTES = 90
_WIDE = 64
_MANY = 5_000
"""Looked at together: other threads wait for as long as that takes."""
_MOST_IN_COLUMNS = 50_000
_TEXT = frozenset[type[Any]]([str])
_JOINED = 1_000_000
"""Characters of texts that are put together to be looked at."""
WIDEST = 255
_DIGITS = tuple([1 + int(bits * 0.302) for bits in range(WIDEST + 1)])
"""Of integers, by their bits."""
