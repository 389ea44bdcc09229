"""What Monty's `dataclasses` lacks."""

KW_ONLY = None
InitVar = None


class _Field:
    def __init__(self, name):
        self.name = name


def fields(class_or_instance):
    found = getattr(class_or_instance, '__dataclass_fields__', None)
    if found is None:
        found = type(class_or_instance).__dataclass_fields__
    return tuple([_Field(name) for name in found])


def is_dataclass(obj):
    return hasattr(obj, '__dataclass_fields__') or hasattr(type(obj), '__dataclass_fields__')


def asdict(obj, *, dict_factory=dict):
    return dict_factory([(field.name, _plain(getattr(obj, field.name), asdict)) for field in fields(obj)])


def astuple(obj, *, tuple_factory=tuple):
    return tuple_factory([_plain(getattr(obj, field.name), astuple) for field in fields(obj)])


def _plain(value, convert):
    if isinstance(value, dict):
        return {key: _plain(item, convert) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item, convert) for item in value]
    if isinstance(value, tuple):
        return tuple([_plain(item, convert) for item in value])
    return convert(value) if hasattr(type(value), '__dataclass_fields__') else value


def replace(obj, **changes):
    values = {field.name: getattr(obj, field.name) for field in fields(obj)}
    values.update(changes)
    return type(obj)(**values)
