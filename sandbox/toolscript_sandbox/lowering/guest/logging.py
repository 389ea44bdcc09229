"""Logging that prints."""

DEBUG, INFO, WARNING, ERROR, CRITICAL = 10, 20, 30, 40, 50


def basicConfig(**options):
    return None


class Logger:
    def __init__(self, name='root'):
        self.name = name

    def _write(self, level, message, args):
        print(f'{level}:{self.name}:{message % args if args else message}')

    def debug(self, message, *args, **options):
        return None

    def info(self, message, *args, **options):
        self._write('INFO', message, args)

    def warning(self, message, *args, **options):
        self._write('WARNING', message, args)

    def error(self, message, *args, **options):
        self._write('ERROR', message, args)

    def exception(self, message, *args, **options):
        self._write('ERROR', message, args)

    def critical(self, message, *args, **options):
        self._write('CRITICAL', message, args)

    def setLevel(self, level):
        return None


_root = Logger()


def getLogger(name='root'):
    return Logger(name)


def debug(message, *args, **options):
    return None


def info(message, *args, **options):
    _root.info(message, *args)


def warning(message, *args, **options):
    _root.warning(message, *args)


def error(message, *args, **options):
    _root.error(message, *args)


def exception(message, *args, **options):
    _root.error(message, *args)


def critical(message, *args, **options):
    _root.critical(message, *args)
