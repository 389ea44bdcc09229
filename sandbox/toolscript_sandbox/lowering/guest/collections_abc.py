"""What `isinstance` asks of containers."""

Mapping = dict
MutableMapping = dict
Sequence = (list, tuple, str, bytes, range)
MutableSequence = list
Set = (set, frozenset)
MutableSet = set
Iterable = (list, tuple, str, bytes, range, dict, set, frozenset)
Collection = Iterable
Container = Iterable
Sized = Iterable
Hashable = (str, int, float, bool, tuple, frozenset, bytes)
