"""Logging that prints."""

DEBUG, INFO, WARNING, ERROR, CRITICAL = 10, 20, 30, 40, 50
_NAMES = {10: 'DEBUG', 20: 'INFO', 30: 'WARNING', 40: 'ERROR', 50: 'CRITICAL'}
_options = {}


def basicConfig(*, format='%(levelname)s:%(name)s:%(message)s', level=None, force=False, **options):
    if not _options or force:
        _options['format'] = format
        if level is not None:
            _root.setLevel(level)


class Logger:
    def __init__(self, name='root'): self.name, self.level = name, 0

    def log(self, level, msg, *args, **options):
        # Python prints only warnings and errors before `basicConfig`, whatever the level of the logger is.
        if level < self.getEffectiveLevel() or (level < WARNING and not _options):
            return
        text = str(msg) % (args[0] if len(args) == 1 and isinstance(args[0], dict) else args) if args else str(msg)
        name = _NAMES.get(level, f'Level {level}')
        fields = {'levelname': name, 'name': self.name, 'message': text, 'asctime': ''}
        print(_options['format'] % fields if _options else text)

    def setLevel(self, level):
        self.level = [number for number in _NAMES if _NAMES[number] == level][0] if isinstance(level, str) else level

    def getEffectiveLevel(self): return self.level or _root.level
    def isEnabledFor(self, level): return level >= self.getEffectiveLevel()


def _method(level): return lambda self, msg, *args, **options: self.log(level, msg, *args)


for _level in _NAMES:
    setattr(Logger, _NAMES[_level].lower(), _method(_level))
Logger.exception = _method(ERROR)
_root = Logger()
_root.level = WARNING
_loggers = {'root': _root}


def getLogger(name=None): return _loggers.setdefault(name or 'root', Logger(name))


def log(level, msg, *args, **options):
    basicConfig()
    _root.log(level, msg, *args)


def _function(level): return lambda msg, *args, **options: log(level, msg, *args)


debug, info, warning = _function(DEBUG), _function(INFO), _function(WARNING)
error, exception, critical = _function(ERROR), _function(ERROR), _function(CRITICAL)
