"""Text in memory."""


class StringIO:
    def __init__(self, initial_value='', newline='\n'):
        self._text = initial_value
        self._place = 0

    def write(self, s):
        self._text += s
        return len(s)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def getvalue(self):
        return self._text

    def read(self, size=-1):
        end = len(self._text) if size is None or size < 0 else self._place + size
        part = self._text[self._place : end]
        self._place += len(part)
        return part

    def readline(self):
        rest = self._text[self._place :]
        line = rest[: rest.find('\n') + 1] if '\n' in rest else rest
        self._place += len(line)
        return line

    def readlines(self):
        return self.read().splitlines(True)

    def seek(self, pos, whence=0):
        self._place = pos
        return pos

    def close(self):
        return None

    def __iter__(self):
        return iter(self.readlines())

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False
