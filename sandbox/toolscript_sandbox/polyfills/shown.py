"""Values as Python shows them: ordered dicts, classes and sets, whatever they stand in."""

from .first_keys import known_pairs, made_of_parts
from .own_names import text_of_class
from .set_order import in_order, ordered, union

_PLAIN = {int, str, float, bool, type(None), bytes}
_KINDS = (list, tuple, dict, set, frozenset)
_OF_ITEMS = ('list', 'tuple', 'deque', 'dict_keys', 'dict_values', 'dict_items')
_MODULES = {'struct_time': 'time.', 'version_info': 'sys.'}
_CIRCLES = {'list': '[...]', 'deque': '[...]', 'dict': '{...}', 'tuple': '(...)'}
_ordered_dicts = {}


class _Shown:
    """Shows a value when it is asked to: it may have changed by then."""

    def __init__(self, obj):
        self.obj = obj

    def __repr__(self):
        return repr_of(self.obj)


def shown(obj):
    """What is to be shown in the place of a value."""
    kind = type(obj)
    if kind in _PLAIN:
        return obj
    if isinstance(obj, _KINDS) or kind.__name__ in _OF_ITEMS or kind.__name__ == 'type':
        return _Shown(obj)
    return _Shown(obj) if is_data(kind) and not hasattr(kind, '__str__') else obj


def all_shown(values):
    return [shown(value) for value in in_order(values)]


def each_shown(obj):
    """What stands behind the `%` of a template."""
    return tuple(all_shown(obj)) if type(obj) is tuple else (shown(obj),)


def repr_of(obj):
    return _repr(obj, ())


def _holds(obj, asked):
    """Whether it is, or holds, anything that Monty would show otherwise. `asked`: what is being asked already."""
    kind = type(obj)
    if kind in _PLAIN:
        return False
    if id(obj) in asked:
        return False
    asked.add(id(obj))
    name = kind.__name__
    if kind is dict:
        return is_ordered(obj) or _hold([*obj.keys(), *obj.values()], asked)
    if name == 'type':
        return getattr(obj, '__name__', '') in _places() or text_of_class(obj) != repr(obj)
    if kind is set or kind is frozenset:
        return len(obj) > 1 or _hold(obj, asked)
    if name in _MODULES:
        return True
    if name in _OF_ITEMS or isinstance(obj, (dict, tuple)):
        return _hold([*obj.keys(), *obj.values()] if isinstance(obj, dict) else obj, asked)
    return is_data(kind) and _hold([getattr(obj, name) for name in kind.__dataclass_fields__], asked)


def _hold(items, asked):
    kinds = {type(item) for item in items}
    return not kinds <= _PLAIN and any([_holds(item, asked) for item in items])


def is_data(kind):
    # A function that Monty made has the name of its class.
    return hasattr(kind, '__dataclass_fields__') and ".__repr__'" in repr(kind.__repr__)


def _places():
    """For each class of the session, where it stands; a snippet that shows none says nothing of them."""
    try:
        return _class_places
    except NameError:
        return {}


def is_ordered(obj):
    return _ordered_dicts.get(id(obj)) is obj


def _repr(obj, above):
    kind = type(obj)
    if kind in _PLAIN:
        return repr(obj)
    if id(obj) in above:
        return '...' if is_ordered(obj) else _CIRCLES.get(kind.__name__, '...')
    if len(above) > 50 or not _holds(obj, set()):
        return repr(obj)
    above, name = (*above, id(obj)), kind.__name__
    if name == 'type':
        place = _places().get(getattr(obj, '__name__', ''))
        return text_of_class(obj) if place is None else f"<class '__main__.{place}'>"
    if isinstance(obj, dict):
        return _of_dict(obj, name, above)
    if kind is set or kind is frozenset:
        return _of_set(obj, kind, above)
    if is_data(kind):
        fields = [f'{name}={_repr(getattr(obj, name), above)}' for name in kind.__dataclass_fields__]
        return f'{_places().get(name, name)}({", ".join(fields)})'
    if isinstance(obj, tuple) and hasattr(obj, '_fields'):
        return f'{_MODULES.get(name, "")}{name}({", ".join([f"{key}={_repr(item, above)}" for key, item in zip(obj._fields, obj)])})'
    items = ', '.join([_repr(item, above) for item in obj])
    if isinstance(obj, tuple):
        return f'({items},)' if len(obj) == 1 else f'({items})'
    if name == 'deque':
        return f'deque([{items}])' if obj.maxlen is None else f'deque([{items}], maxlen={obj.maxlen})'
    return f'[{items}]' if name == 'list' else f'{name}([{items}])'


def _of_dict(obj, name, above):
    if is_ordered(obj):
        pairs = [f'({_repr(key, above)}, {_repr(value, above)})' for key, value in obj.items()]
        return f'OrderedDict([{", ".join(pairs)}])' if pairs else 'OrderedDict()'
    if name == 'Counter':
        return repr(obj)
    text = '{' + ', '.join([f'{_repr(key, above)}: {_repr(value, above)}' for key, value in obj.items()]) + '}'
    return f'defaultdict({_repr(obj.default_factory, above)}, {text})' if name == 'defaultdict' else text


def _of_set(obj, kind, above):
    text = '{' + ', '.join([_repr(item, above) for item in ordered(obj)]) + '}'
    return text if kind is set else f'frozenset({text})'


def made_ordered(*args, **kwargs):
    """An `OrderedDict`: a dict of which is known that it shows itself, and compares, as an ordered one."""
    found = dict(*args, **kwargs)
    _ordered_dicts[id(found)] = found
    return found


def copied(obj):
    return made_ordered(obj) if is_ordered(obj) else obj.copy()


def copied_by(copy, obj):
    """What `copy.copy` and `copy.deepcopy` give."""
    return _alike(obj, copy(obj))


def _alike(obj, new):
    # The copies of ordered dicts are such, wherever they stand.
    if new is not obj:
        if isinstance(obj, dict):
            if is_ordered(obj):
                _ordered_dicts[id(new)] = new
            for value, copied in zip(obj.values(), new.values()):
                _alike(value, copied)
        elif isinstance(obj, (list, tuple)):
            for value, copied in zip(obj, new):
                _alike(value, copied)
    return new


def joined(a, b):
    if type(a) is dict and type(b) is dict and (is_ordered(a) or is_ordered(b)):
        return made_ordered(made_of_parts([(a,), (b,)]))
    return union(a, b)


def joined_in_place(a, b):
    if type(a) is dict or type(a) is set:
        a.update(known_pairs(b, a))
        return a
    return joined(a, b)


class _Ordered:
    """What `type` says of an ordered dict."""

    _named = 'OrderedDict'

    def __repr__(self):
        return "<class 'collections.OrderedDict'>"

    def __call__(self, *args, **kwargs):
        return made_ordered(*args, **kwargs)


_ordered_kind = _Ordered()


def kind(made, obj):
    return _ordered_kind if type(obj) is dict and is_ordered(obj) else made(obj)


def ordered_from_keys(keys, value=None):
    return made_ordered({}.fromkeys(keys, value))


def ordered_within(value):
    """What was read of JSON, with ordered dicts."""
    if isinstance(value, dict):
        return made_ordered([(key, ordered_within(item)) for key, item in value.items()])
    return [ordered_within(item) for item in value] if isinstance(value, list) else value


def equal(a, b):
    if type(a) is dict and type(b) is dict and is_ordered(a) and is_ordered(b):
        return list(a.items()) == list(b.items())
    return a == b


def unequal(a, b):
    return not equal(a, b) if type(a) is dict and type(b) is dict else a != b
