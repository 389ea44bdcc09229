"""What Monty knows of classes, as far as it means there what it means in Python.

Tables for what stands in for the rest (`inheritance.py`), and for what refuses it (`class_limits.py`).
"""

from __future__ import annotations

ENUMERATIONS = 'enum.Enum'
"""Among the kin of a session: that it has enumerations."""

WITHOUT_EFFECT = frozenset(['object', 'Protocol', 'Generic', 'ABC'])
"""Bases that only say something to those who read."""

KNOWN_ELSEWHERE = frozenset(
    ['Enum', 'IntEnum', 'StrEnum', 'NamedTuple', 'TypedDict', 'BaseException', 'ExceptionGroup']
)
"""Bases whose heirs have rules of their own."""

BUILTINS = frozenset(
    [
        'dict',
        'list',
        'str',
        'int',
        'float',
        'tuple',
        'set',
        'frozenset',
        'bytes',
        'type',
        'bool',
        'complex',
        'bytearray',
        'defaultdict',
        'Counter',
        'deque',
        'OrderedDict',
        'UserDict',
        'UserList',
        'JSONDecoder',
        'Decimal',
        'datetime',
    ]
)
"""Types that classes cannot inherit from."""

OPTIONS = frozenset(['frozen', 'eq', 'unsafe_hash', 'init', 'order', 'kw_only', 'repr', 'slots', 'match_args'])
"""What `dataclass` can be told."""

CLASS_OF_SELF = frozenset(['cls', 'type(self)', 'self.__class__'])
"""Texts that mean the class of whom a method is called for."""

MEANT = frozenset(
    f'__{name}__'
    for name in [
        'add',
        'sub',
        'mul',
        'truediv',
        'floordiv',
        'mod',
        'pow',
        'matmul',
        'divmod',
        'and',
        'or',
        'xor',
        'lshift',
        'rshift',
        'radd',
        'rsub',
        'rmul',
        'rtruediv',
        'rfloordiv',
        'rmod',
        'rpow',
        'rmatmul',
        'rdivmod',
        'rand',
        'ror',
        'rxor',
        'rlshift',
        'rrshift',
        'init',
        'post_init',
        'str',
        'repr',
        'eq',
        'hash',
        'lt',
        'le',
        'gt',
        'ge',
        'neg',
        'pos',
        'invert',
        'abs',
        'int',
        'float',
        'index',
        'round',
        'floor',
        'trunc',
        'ceil',
        'getitem',
        'setitem',
        'contains',
        'iter',
        'next',
        'call',
        'enter',
        'exit',
        'aenter',
        'aexit',
        'aiter',
        'anext',
        'copy',
        'deepcopy',
        'len',
        'bool',
        'slots',
        'init_subclass',
        'match_args',
        'doc',
        'format',
        'getattr',
        'missing',
        'setattr',
        'delattr',
    ]
)
"""Methods that Monty, or a rule, calls wherever Python would."""

INSTEAD = {
    '__new__': 'Write a function that makes the object.',
    '__class_getitem__': 'Inherit from Generic[T].',
    '__del__': 'Write a method, and call it, or use `with`.',
}
"""What to write in place of methods that are not called."""

UNSEEN = dict.fromkeys(
    [
        '__base__',
        '__annotations__',
        '__abstractmethods__',
        '__module__',
        '__dataclass_fields__',
        '__func__',
        '__self__',
        '__wrapped__',
    ],
    'Ask with isinstance or issubclass, or keep what you need in a list.',
)
"""Attributes that classes and methods lack, and what to write instead."""

_SIGNS = ('add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'matmul', 'divmod', 'and', 'or', 'xor')
MIRRORED = {**{f'__{name}__': f'__r{name}__' for name in (*_SIGNS, 'lshift', 'rshift')}, '__eq__': '__eq__'}
"""Methods that Python asks first of a right operand whose class is an heir of the left one, in place of these."""
