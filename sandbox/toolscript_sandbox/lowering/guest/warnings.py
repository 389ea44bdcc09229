"""Warnings, which nobody would see, but for those that are recorded."""

_records = []
_actions = ['default']


class _Warning:
    def __init__(self, message, category):
        self.message, self.category = message, category


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Exception):
        category = type(message)
    category = UserWarning if category is None else category
    if _records and _records[-1] is not None and _actions[-1] != 'ignore':
        _records[-1].append(_Warning(message if isinstance(message, Exception) else category(message), category))


def filterwarnings(action, *args, **options):
    simplefilter(action)


def simplefilter(action, *args, **options):
    _actions[-1] = action


class catch_warnings:
    def __init__(self, *, record=False, action=None):
        self._record, self._action = record, action

    def __enter__(self):
        records = [] if self._record else None
        _records.append(records)
        _actions.append(self._action or _actions[-1])
        return records

    def __exit__(self, kind, error, traceback):
        _records.pop()
        _actions.pop()
