"""Members of classes that Monty lacks: properties, and methods that need no object."""

from .builtins import has_attribute, without_slice


class Property:
    def __init__(self, getter, setter, name, kept, deleter=None):
        self.getter, self.setter, self.name, self.kept, self.deleter = getter, setter, name, kept, deleter


def property_of(fget=None, fset=None, fdel=None, doc=None):
    return Property(fget, fset, None, False, fdel)


class Static:
    """Kept in an object, a function is not bound to whom it is asked of."""

    def __init__(self, function):
        self.function = function

    def __call__(self, /, *args, **kwargs):
        return self.function(*args, **kwargs)


class OfClass:
    def __init__(self, function, cls):
        self.function, self.cls = function, cls

    def __call__(self, /, *args, **kwargs):
        return self.function(self.cls, *args, **kwargs)


def kept(decorator, function):
    """A method behind its cache: functions alone are bound to whom they are asked of."""
    ask = decorator(function)

    def asked(*args, **kwargs):
        return ask(*args, **kwargs)

    return asked


def inherited(member, cls):
    """A member of a base, as an heir has it."""
    return OfClass(member.function, cls) if isinstance(member, OfClass) else member


def read(obj, name):
    member = getattr(obj, name)
    if not isinstance(member, Property) or type(obj).__name__ == 'type':
        return member
    value = member.getter(obj)
    if member.kept:
        setattr(obj, name, value)
        obj._names_ = [*getattr(obj, '_names_', ()), name]
    return value


def stored(obj, name, value):
    member = getattr(type(obj), name, None)
    if isinstance(member, Property) and not member.kept:
        if member.setter is None:
            raise AttributeError(f"property '{name}' of '{type(obj).__name__}' object has no setter")
        member.setter(obj, value)
    else:
        setattr(obj, name, value)


def deleted(obj, name):
    member = getattr(type(obj), name, None)
    if not isinstance(member, Property):
        raise NotImplementedError('an attribute cannot be deleted here: set it to None')
    if member.deleter is None:
        raise AttributeError(f"property '{name}' of '{type(obj).__name__}' object has no deleter")
    member.deleter(obj)


def set_by(obj, name, value):
    """Stores on an object as its class says."""
    kind = type(obj)
    if kind.__name__ != 'type' and hasattr(kind, '__setattr__'):
        kind.__setattr__(obj, name, value)
    else:
        stored(obj, name, value)


def set_on(obj, name, value):
    """`object.__setattr__`."""
    member = getattr(type(obj), name, None)
    if isinstance(member, Property):
        stored(obj, name, value)
    else:
        object.__setattr__(obj, name, value)


def deleted_by(obj, name):
    kind = type(obj)
    if kind.__name__ != 'type' and hasattr(kind, '__delattr__'):
        kind.__delattr__(obj, name)
    else:
        deleted(obj, name)


def given(obj, name, *default):
    """What `getattr` gives."""
    try:
        return read(obj, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def changed(obj, name, change):
    stored(obj, name, change(read(obj, name)))


def derived(cls, above, bases, late, copied):
    """Tells the class and its bases of each other, and gives it what was stored on these late."""
    for name in late:
        found = [base for base in above if hasattr(base, name)]
        if found and not hasattr(cls, name):
            setattr(cls, name, getattr(found[0], name))
    cls._line_, cls._bases_, cls._heirs_, cls._inherited_ = above, bases, [], [*copied, *late]
    for base in bases:
        base._heirs_ = [*(base._heirs_ if hasattr(base, '_heirs_') else []), cls]


def stored_on(cls, name, value):
    """Stores on a class, and on those below that have it from above."""
    setattr(cls, name, value)
    if type(cls).__name__ == 'type':
        if name in getattr(cls, '_inherited_', ()):
            cls._inherited_ = [one for one in cls._inherited_ if one != name]
        _spread(cls, name)


def _spread(cls, name):
    for heir in getattr(cls, '_heirs_', ()):
        if name in heir._inherited_ or not hasattr(heir, name):
            owners = [one for one in heir._line_ if hasattr(one, name) and name not in getattr(one, '_inherited_', ())]
            setattr(heir, name, getattr(owners[0], name))
            heir._inherited_ = [*[one for one in heir._inherited_ if one != name], name]
        _spread(heir, name)


class _Bound:
    """The methods that were taken from an object; a copy of the object has none yet."""

    def __init__(self, owner):
        self.owner, self.methods = owner, {}

    def __deepcopy__(self, memo):
        return _Bound(None)


def bound(obj, take, name):
    """A method of an object, the same one each time."""
    if type(obj).__name__ == 'type' or not hasattr(type(obj), name) or not _is_method(getattr(type(obj), name)):
        return take(obj)
    known = getattr(obj, '_bound_', None)
    if known is None or known.owner is not obj:
        known = _Bound(obj)
        object.__setattr__(obj, '_bound_', known)
    method = take(obj)
    # Where somebody put another function in the method's place, that is meant.
    if repr(method) != '<bound method>':
        return method
    return known.methods.setdefault(name, method)


def _is_method(member):
    return type(member).__name__ == 'function'


def class_of(obj):
    return type(obj)


def beyond(obj, table):
    """The member that `super()` finds, for whom the method is called."""
    return table[obj.__name__ if type(obj).__name__ == 'type' else type(obj).__name__]()


def nothing(self, *args, **words):
    """`object.__init__`."""
    end_of_line(*args, **words)


def end_of_line(*args, **words):
    if args or words:
        raise TypeError('object.__init__() takes exactly one argument (the instance to initialize)')


def _of_script(cls):
    if cls in (int, str, list, dict, tuple, set, frozenset, float, bool, bytes, object, type):
        raise AttributeError('only classes of the script tell here what they inherit from')
    return cls


_ABOVE = (
    ValueError,
    ArithmeticError,
    LookupError,
    NameError,
    ImportError,
    OSError,
    RuntimeError,
    Exception,
    BaseException,
)


def _errors_above(cls):
    # An exception of the script, and what it inherits from; Monty's own tell nothing of themselves.
    if hasattr(cls, '_line_'):
        raise AttributeError('what exceptions with several bases inherit from is not kept here: ask with issubclass')
    kind, error = cls._kind, cls._kind('')
    return (*cls._lineage, kind, *[base for base in _ABOVE if base is not kind and isinstance(error, base)])


def line_of(cls):
    if hasattr(cls, '_lineage'):
        return (*_errors_above(cls), object)
    return (cls, *getattr(_of_script(cls), '_line_', ()), object)


def bases_of(cls):
    if hasattr(cls, '_lineage'):
        return (_errors_above(cls)[1],)
    return getattr(_of_script(cls), '_bases_', ()) or (object,)


def heirs_of(cls):
    if hasattr(cls, '_lineage'):
        raise AttributeError('what inherits from an exception is not kept here: ask each class with issubclass')
    heirs = list(getattr(_of_script(cls), '_heirs_', ()))
    return lambda: heirs


def abstract(cls, names):
    """Lets nobody make an object of the class itself."""
    start = getattr(cls, '__init__', None)

    def made(self, *args, **kwargs):
        if type(self) is cls:
            word = 'method' if len(names) == 1 else 'methods'
            raise TypeError(f"Can't instantiate abstract class {cls.__name__} with abstract {word} {', '.join(names)}")
        if start is not None:
            start(self, *args, **kwargs)

    cls.__init__ = made


def is_a(obj, kinds):
    """Whether an object is of a class or of one below it."""
    kind = type(obj)
    for wanted in kinds if isinstance(kinds, tuple) else (kinds,):
        if isinstance(wanted, tuple):
            if is_a(obj, wanted):
                return True
        elif hasattr(type(wanted), '_has_'):
            if wanted._has_(obj):
                return True
        elif isinstance(obj, wanted) or any([above is wanted for above in getattr(kind, '_line_', ())]):
            return True
        elif hasattr(wanted, '_protocol_'):
            if wanted._protocol_ == ['']:
                raise TypeError('Instance and class checks can only be used with @runtime_checkable protocols')
            if all([has_attribute(obj, name) for name in wanted._protocol_]):
                return True
    return False


def is_below(cls, kinds):
    for wanted in kinds if isinstance(kinds, tuple) else (kinds,):
        if isinstance(wanted, tuple):
            if is_below(cls, wanted):
                return True
        elif hasattr(type(wanted), '_covers_'):
            if wanted._covers_(cls):
                return True
        elif cls is wanted or wanted is object or (cls is bool and wanted is int):
            return True
        elif any([above is wanted for above in getattr(cls, '_line_', ())]):
            return True
    return False


def in_place(target, value, method, otherwise):
    """What `target += value` binds the name to."""
    if hasattr(type(target), method):
        said = getattr(type(target), method)(target, value)
        if said is not NotImplemented:
            return said
    return otherwise(target, value)


def extended(target, value):
    if type(target) is list:
        target.extend(value)
        return target
    return target + value


def unequal(a, b):
    pairs = ((a, b), (b, a))
    for obj, other in pairs[::-1] if type(a) in getattr(type(b), '_line_', ()) else pairs:
        if type(obj).__name__ != 'type' and hasattr(type(obj), '__ne__'):
            said = type(obj).__ne__(obj, other)
            if said is not NotImplemented:
                return said
    return a != b


def removed(obj, key):
    if hasattr(type(obj), '__delitem__'):
        obj.__delitem__(key)
    elif isinstance(key, slice):
        without_slice(obj, key)
    else:
        obj.pop(key)


def mapping(obj):
    """A dict of what has `keys`, which Monty wants for `**`."""
    if hasattr(type(obj), '_plain_'):
        obj = obj._plain_()
    if hasattr(type(obj), 'keys') and type(obj).__name__ != 'type':
        return {key: obj[key] for key in list(obj.keys())}
    return obj


def words(*pairs):
    """Keywords in the order in which they stand in a call."""
    found = {}
    for name, value in pairs:
        for key, item in value.items() if name is None else ((name, value),):
            if key in found:
                raise TypeError(f"got multiple values for keyword argument '{key}'")
            found[key] = item
    return found


def yielding(function, mirrored):
    """An operator that asks the right operand first, where its class is below that of the left one."""

    def asked(self, other):
        kind = type(other)
        if type(self) in getattr(kind, '_line_', ()) and hasattr(kind, mirrored):
            method = getattr(kind, mirrored)
            if mirrored == '__eq__' or method is not getattr(type(self), mirrored, None):
                said = method(other, self)
                if said is not NotImplemented:
                    return said
        return function(self, other)

    return asked


class Shown:
    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def shown_class(cls, places):
    """The class, showing itself as Python's classes do; whatever is no class stays as it is."""
    if type(cls).__name__ != 'type':
        return cls
    name = getattr(cls, '__name__', '')
    return Shown(f"<class '__main__.{places[name]}'>") if name in places else cls


class Indexed:
    """Goes through an object that only knows what it has at an index."""

    def __init__(self, obj):
        self.obj, self.index = obj, -1

    def __iter__(self):
        return self

    def __next__(self):
        self.index += 1
        try:
            return self.obj[self.index]
        except IndexError:
            raise StopIteration


def by_index(self):
    return Indexed(self)


def truth(obj):
    if type(obj).__name__ == 'type':
        return True
    if hasattr(obj, '__bool__'):
        said = obj.__bool__()
        if said is not True and said is not False:
            raise TypeError(f'__bool__ should return bool, returned {type(said).__name__}')
        return said
    return obj.__len__() != 0 if hasattr(obj, '__len__') else bool(obj)


def either(first, *rest):
    for other in rest:
        if truth(first):
            return first
        first = other
    return first


def both(first, *rest):
    for other in rest:
        if not truth(first):
            return first
        first = other
    return first


class _Found:
    """What `__getattr__` gave, under its name."""


def reached(obj, name):
    """The object, where it has the attribute; otherwise what has the attribute that its class gives for the name."""
    if not hasattr(type(obj), '__getattr__') or hasattr(obj, name):
        return obj
    found = _Found()
    setattr(found, name, obj.__getattr__(name))
    return found


def reached_or_not(obj, name):
    try:
        return reached(obj, name)
    except AttributeError:
        return obj
