"""Logging that prints."""

import time

DEBUG, INFO, WARNING, ERROR, CRITICAL = 10, 20, 30, 40, 50
_NAMES = {10: 'DEBUG', 20: 'INFO', 30: 'WARNING', 40: 'ERROR', 50: 'CRITICAL'}
_options = {}


def basicConfig(*, format='%(levelname)s:%(name)s:%(message)s', datefmt=None, level=None, force=False, **options):
    if _options and not force:
        return
    _options.update({'format': format, 'datefmt': datefmt})
    if level is not None:
        _root.setLevel(level)


class Logger:
    def __init__(self, name='root'):
        self.name, self.level = name, 0

    def _write(self, level, message, args):
        if not self.isEnabledFor(level):
            return
        text = str(message)
        if args:
            text = text % (args[0] if len(args) == 1 and isinstance(args[0], dict) else args)
        if not _options:
            # Nobody has said how: Python shows warnings, and no more than their text.
            if level >= WARNING:
                print(text)
            return
        fields = {'levelname': getLevelName(level), 'levelno': level, 'name': self.name, 'message': text}
        if 'asctime' in _options['format']:
            fields['asctime'] = time.strftime(_options['datefmt'] or '%Y-%m-%d %H:%M:%S,000')
        print(_options['format'] % fields)

    def debug(self, message, *args, **options):
        self._write(DEBUG, message, args)

    def info(self, message, *args, **options):
        self._write(INFO, message, args)

    def warning(self, message, *args, **options):
        self._write(WARNING, message, args)

    def error(self, message, *args, **options):
        self._write(ERROR, message, args)

    def exception(self, message, *args, **options):
        self._write(ERROR, message, args)

    def critical(self, message, *args, **options):
        self._write(CRITICAL, message, args)

    def log(self, level, message, *args, **options):
        self._write(level, message, args)

    def setLevel(self, level):
        self.level = _number(level)

    def getEffectiveLevel(self):
        return self.level or _root.level

    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()


def _number(level):
    if not isinstance(level, str):
        return level
    for number, name in _NAMES.items():
        if name == level:
            return number
    raise ValueError(f'Unknown level: {level!r}')


def getLevelName(level):
    return _NAMES.get(level, f'Level {level}')


_root = Logger()
_root.level = WARNING
_loggers = {'root': _root}


def getLogger(name=None):
    return _loggers.setdefault(name or 'root', Logger(name))


def _log(level, message, args):
    basicConfig()
    _root.log(level, message, *args)


def debug(message, *args, **options):
    _log(DEBUG, message, args)


def info(message, *args, **options):
    _log(INFO, message, args)


def warning(message, *args, **options):
    _log(WARNING, message, args)


def error(message, *args, **options):
    _log(ERROR, message, args)


def exception(message, *args, **options):
    _log(ERROR, message, args)


def critical(message, *args, **options):
    _log(CRITICAL, message, args)


def log(level, message, *args, **options):
    _log(level, message, args)
