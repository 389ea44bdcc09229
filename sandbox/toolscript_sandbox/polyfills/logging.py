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

    def debug(self, msg, *args, **options):
        self._write(DEBUG, msg, args)

    def info(self, msg, *args, **options):
        self._write(INFO, msg, args)

    def warning(self, msg, *args, **options):
        self._write(WARNING, msg, args)

    def error(self, msg, *args, **options):
        self._write(ERROR, msg, args)

    def exception(self, msg, *args, **options):
        self._write(ERROR, msg, args)

    def critical(self, msg, *args, **options):
        self._write(CRITICAL, msg, args)

    def log(self, level, msg, *args, **options):
        self._write(level, msg, args)

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


def _log(level, msg, args):
    basicConfig()
    _root.log(level, msg, *args)


def debug(msg, *args, **options):
    _log(DEBUG, msg, args)


def info(msg, *args, **options):
    _log(INFO, msg, args)


def warning(msg, *args, **options):
    _log(WARNING, msg, args)


def error(msg, *args, **options):
    _log(ERROR, msg, args)


def exception(msg, *args, **options):
    _log(ERROR, msg, args)


def critical(msg, *args, **options):
    _log(CRITICAL, msg, args)


def log(level, msg, *args, **options):
    _log(level, msg, args)
