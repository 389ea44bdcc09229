"""Logging that prints."""

DEBUG, INFO, WARNING, ERROR, CRITICAL = 10, 20, 30, 40, 50
_NAMES = {10: 'DEBUG', 20: 'INFO', 30: 'WARNING', 40: 'ERROR', 50: 'CRITICAL'}
_options = {}
_UNKNOWN = {
    **dict.fromkeys('asctime filename funcName module pathname processName threadName'.split(), ''),
    **dict.fromkeys('created lineno msecs process relativeCreated thread'.split(), 0),
}
"""What a format may show, and a script does not know."""


def basicConfig(*, format='%(levelname)s:%(name)s:%(message)s', level=None, force=False, style='%', **options):
    if not _options or force:
        _options['format'], _options['style'] = format, style
        if level is not None:
            root.setLevel(level)


class Logger:
    def __init__(self, name='root'):
        self.name, self.level, self.handlers, self.propagate, self.disabled = name, 0, [], True, False

    def log(self, level, msg, *args, **options):
        # Python prints only warnings and errors before `basicConfig`, whatever the level of the logger is.
        if self.disabled or level < self.getEffectiveLevel() or (level < WARNING and not _options):
            return
        try:
            text = str(msg) % (args[0] if len(args) == 1 and isinstance(args[0], dict) else args) if args else str(msg)
        except (KeyError, TypeError, ValueError):
            # Python reports the mistake on stderr, and continues.
            text = f'{msg} {args}'
        name = _NAMES.get(level, f'Level {level}')
        fields = {**_UNKNOWN, 'levelname': name, 'levelno': level, 'name': self.name, 'message': text}
        template = _options.get('format', '%(message)s')
        print(template.format(**fields) if _options.get('style') == '{' else template % fields)

    def setLevel(self, level):
        self.level = [number for number in _NAMES if _NAMES[number] == level][0] if isinstance(level, str) else level

    def getEffectiveLevel(self): return self.level or root.level
    def getChild(self, suffix): return getLogger(suffix if self is root else f'{self.name}.{suffix}')
    def hasHandlers(self): return bool(_options)
    def isEnabledFor(self, level): return level >= self.getEffectiveLevel()


def _method(level): return lambda self, msg, *args, **options: self.log(level, msg, *args)


for _level in _NAMES:
    setattr(Logger, _NAMES[_level].lower(), _method(_level))
Logger.exception, Logger.warn = _method(ERROR), _method(WARNING)
root = Logger()
root.level = WARNING
_loggers = {'root': root}


def getLogger(name=None): return _loggers.setdefault(name or 'root', Logger(name))


def log(level, msg, *args, **options):
    basicConfig()
    root.log(level, msg, *args)


def _function(level): return lambda msg, *args, **options: log(level, msg, *args)


debug, info, warning = _function(DEBUG), _function(INFO), _function(WARNING)
error, exception, critical = _function(ERROR), _function(ERROR), _function(CRITICAL)
