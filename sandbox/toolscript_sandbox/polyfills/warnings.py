"""Warnings, which nobody would see, but for those that are recorded."""

_records = []
_actions = ['default']
_defaults = []


class _Warning:
    def __init__(self, message, category):
        self.message, self.category = message, category


def warn(message, category=None, stacklevel=1, source=None):
    if not _records or _records[-1] is None or _actions[-1] == 'ignore':
        return
    made = not isinstance(message, str)
    category = type(message) if made else category or _defaults[-1]
    _records[-1].append(_Warning(message if made else category(message), category))


def filterwarnings(action, *args, **options):
    simplefilter(action)


def simplefilter(action, *args, **options):
    _actions[-1] = action


class catch_warnings:
    def __init__(self, *, record=False, action=None, default=None):
        self._record, self._action, self._default = record, action, default

    def __enter__(self):
        records = [] if self._record else None
        _records.append(records)
        _actions.append(self._action or _actions[-1])
        _defaults.append(self._default)
        return records

    def __exit__(self, kind, error, traceback):
        _records.pop()
        _actions.pop()
        _defaults.pop()
