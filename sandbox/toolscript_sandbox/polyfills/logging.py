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
    def __init__(self, name='root'):
        self.name, self.level = name, 0

    def log(self, level, msg, *args, **options):
        if level < self.getEffectiveLevel():
            return
        text = str(msg) % (args[0] if len(args) == 1 and isinstance(args[0], dict) else args) if args else str(msg)
        name = _NAMES.get(level, f'Level {level}')
        fields = {'levelname': name, 'name': self.name, 'message': text, 'asctime': ''}
        print(_options['format'] % fields if _options else text)

    def debug(self, msg, *args, **options):
        self.log(DEBUG, msg, *args)

    def info(self, msg, *args, **options):
        self.log(INFO, msg, *args)

    def warning(self, msg, *args, **options):
        self.log(WARNING, msg, *args)

    def error(self, msg, *args, **options):
        self.log(ERROR, msg, *args)

    def exception(self, msg, *args, **options):
        self.log(ERROR, msg, *args)

    def critical(self, msg, *args, **options):
        self.log(CRITICAL, msg, *args)

    def setLevel(self, level):
        self.level = [number for number in _NAMES if _NAMES[number] == level][0] if isinstance(level, str) else level

    def getEffectiveLevel(self):
        return self.level or _root.level

    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()


_root = Logger()
_root.level = WARNING
_loggers = {'root': _root}


def getLogger(name=None):
    return _loggers.setdefault(name or 'root', Logger(name))


def log(level, msg, *args, **options):
    basicConfig()
    _root.log(level, msg, *args)


def debug(msg, *args, **options):
    log(DEBUG, msg, *args)


def info(msg, *args, **options):
    log(INFO, msg, *args)


def warning(msg, *args, **options):
    log(WARNING, msg, *args)


def error(msg, *args, **options):
    log(ERROR, msg, *args)


def exception(msg, *args, **options):
    log(ERROR, msg, *args)


def critical(msg, *args, **options):
    log(CRITICAL, msg, *args)
