"""Text streams in memory."""

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2


class StringIO:
    def __init__(self, initial_value='', newline='\n'):
        text = initial_value or ''
        text = text.replace('\r\n', '\n').replace('\r', '\n') if newline is None else text
        self._parts, self._place, self.closed = [text], 0, False

    def getvalue(self):
        if self.closed:
            raise ValueError('I/O operation on closed file')
        self._parts = [''.join(self._parts)]
        return self._parts[0]

    def write(self, s, /):
        if type(s) is not str:
            raise TypeError(f'string argument expected, got {type(s).__name__!r}')
        if self._place is not None:
            text, place = self.getvalue(), self._place
            self._parts = [text[:place], s, text[place + len(s) :]]
            self._place = None if place + len(s) >= len(text) else place + len(s)
        else:
            self._parts.append(s)
        return len(s)

    def tell(self): return len(self.getvalue()) if self._place is None else self._place

    def seek(self, pos, whence=0, /):
        start = 0 if whence == 0 else self.tell() if whence == 1 else len(self.getvalue())
        self._place = max(0, start + pos)
        return self._place

    def read(self, size=-1, /):
        text, place = self.getvalue(), self.tell()
        part = text[place:] if size is None or size < 0 else text[place : place + size]
        self._place = place + len(part)
        return part

    def readline(self, size=-1, /):
        text, place = self.getvalue(), self.tell()
        end = text.find('\n', place) + 1 or len(text)
        self._place = end if size is None or size < 0 else min(end, place + size)
        return text[place : self._place]

    def readlines(self, hint=-1, /): return list(self)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def truncate(self, size=None, /):
        size = self.tell() if size is None else size
        self._parts = [self.getvalue()[:size]]
        return size

    def close(self): self.closed = True
    def flush(self): return None
    def isatty(self): return False
    def readable(self): return True
    def seekable(self): return True
    def writable(self): return True
    def __iter__(self): return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self): return self

    def __exit__(self, kind, error, trace):
        self.closed = True
        return False
