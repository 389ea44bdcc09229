"""Texts and bytes in memory."""

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2


class StringIO:
    def __init__(self, initial_value='', newline='\n'):
        if newline not in (None, '', '\n', '\r', '\r\n'):
            raise ValueError(f'illegal newline value: {newline!r}')
        self._none, self._pad, self._kind, self._newline = '', '\0', str, newline
        self._parts, self._size, self._place, self.closed = [], 0, 0, False
        if initial_value:
            self.write(initial_value)
            self._place = 0

    def _open(self):
        if self.closed:
            raise ValueError('I/O operation on closed file')

    def _whole(self):
        if len(self._parts) != 1:
            self._parts = [self._none.join(self._parts)]
        return self._parts[0]

    def write(self, s, /):
        self._open()
        if not isinstance(s, self._kind):
            wanted = 'string argument expected, got' if self._kind is str else 'a bytes-like object is required, not'
            raise TypeError(f'{wanted} {type(s).__name__!r}')
        written = len(s)
        if self._kind is str:
            s = _translated(s, self._newline)
        if self._place == self._size:
            self._parts.append(s)
        elif s:
            text = self._whole()
            text += self._pad * (self._place - len(text))
            self._parts = [text[: self._place], s, text[self._place + len(s) :]]
        self._place += len(s)
        self._size = max(self._size, self._place)
        return written

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def getvalue(self):
        self._open()
        return self._whole()

    def read(self, size=-1, /):
        self._open()
        text = self._whole()
        part = text[self._place :] if size is None or size < 0 else text[self._place : self._place + size]
        self._place += len(part)
        return part

    def readline(self, size=-1, /):
        self._open()
        text = self._whole()
        end = _line_end(text, self._place, self._newline if self._kind is str else '\n', self._kind)
        if size is not None and 0 <= size < end - self._place:
            end = self._place + size
        line = text[self._place : end]
        self._place += len(line)
        return line

    def readlines(self, hint=-1, /):
        lines, size = [], 0
        while line := self.readline():
            lines.append(line)
            size += len(line)
            if hint is not None and 0 < hint <= size:
                break
        return lines

    def seek(self, pos, whence=0, /):
        self._open()
        if whence == 0 and pos < 0:
            raise ValueError(f'Negative seek position {pos}' if self._kind is str else f'negative seek value {pos}')
        if self._kind is str and whence and pos:
            raise OSError("Can't do nonzero cur-relative seeks")
        start = 0 if whence == 0 else self._place if whence == 1 else self._size
        self._place = max(0, start + pos)
        return self._place

    def tell(self):
        self._open()
        return self._place

    def truncate(self, size=None, /):
        self._open()
        size = self._place if size is None else size
        if size < 0:
            raise ValueError(f'Negative size value {size}')
        self._parts = [self._whole()[:size]]
        self._size = len(self._parts[0])
        return size

    def close(self):
        self.closed = True

    def flush(self):
        self._open()

    def readable(self):
        self._open()
        return True

    def writable(self):
        self._open()
        return True

    def seekable(self):
        self._open()
        return True

    def isatty(self):
        self._open()
        return False

    def __iter__(self):
        self._open()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, kind, error, trace):
        self.closed = True
        return False


class BytesIO:
    def __init__(self, initial_bytes=b''):
        self._none, self._pad, self._kind, self._newline = b'', b'\0', bytes, None
        self._parts, self._size, self._place, self.closed = [], 0, 0, False
        if initial_bytes:
            self.write(initial_bytes)
            self._place = 0


for _name in (
    '_open _whole write writelines getvalue read readline readlines seek tell truncate close flush readable writable '
    'seekable isatty __iter__ __next__ __enter__ __exit__'
).split():
    setattr(BytesIO, _name, getattr(StringIO, _name))
BytesIO.read1 = StringIO.read


def _translated(text, newline):
    if newline is None:
        return text.replace('\r\n', '\n').replace('\r', '\n')
    return text if newline in ('', '\n') else text.replace('\n', newline)


def _line_end(text, place, newline, kind):
    if kind is bytes:
        found = text.find(b'\n', place)
        return len(text) if found < 0 else found + 1
    if newline == '':
        ends = [found for found in (text.find('\n', place), text.find('\r', place)) if found >= 0]
        if not ends:
            return len(text)
        end = min(ends)
        return end + (2 if text[end : end + 2] == '\r\n' else 1)
    mark = newline or '\n'
    found = text.find(mark, place)
    return len(text) if found < 0 else found + len(mark)
