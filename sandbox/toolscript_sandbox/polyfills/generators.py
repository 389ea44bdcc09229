"""What generator functions return: values one by one, computed when somebody asks."""

END = ['no more']
told = [None]
"""What makes the exception that says what was returned, once a handler may look at it."""


class Generator:
    def __init__(self, step, name):
        self._step, self._name = step, name
        self._sent = self._thrown = self.value = self._returned = None
        self._state = 'new'
        self.waits = False

    def __iter__(self):
        return self

    def __next__(self):
        return self._resumed(None, None)

    def send(self, value):
        if self._state == 'new' and value is not None:
            raise TypeError("can't send non-None value to a just-started generator")
        return self._resumed(value, None)

    def throw(self, error, value=None, trace=None):
        error = error if value is None else value
        if type(error).__name__ == 'type':
            error = error()
        return self._resumed(None, error)

    def close(self):
        if self._state == 'new':
            self._state = 'over'
        if self._state == 'over':
            return None
        leaving = KeyboardInterrupt('GeneratorExit')
        try:
            self._resumed(None, leaving)
        except StopIteration:
            return None
        except KeyboardInterrupt as error:
            if error is leaving:
                return None
            raise
        raise RuntimeError('generator ignored GeneratorExit')

    def _resumed(self, sent, thrown):
        if self._state == 'runs':
            raise ValueError('generator already executing')
        if self._state == 'new' and thrown is not None:
            self._state = 'over'
        if self._state == 'over':
            if thrown is not None:
                raise thrown
            raise StopIteration
        self._sent, self._thrown, self._state, self.waits = sent, thrown, 'runs', False
        ended = True
        try:
            value = self._step(self)
            ended = not self.waits
        except StopIteration:
            raise RuntimeError('generator raised StopIteration')
        finally:
            self._state = 'over' if ended else 'waits'
        if self.waits:
            return value
        self._returned = value
        raise StopIteration if value is None or told[0] is None else told[0](value)

    def gives(self, value):
        self.waits = True
        return value

    def received(self):
        error, self._thrown = self._thrown, None
        if error is not None:
            raise error
        return self._sent

    def __repr__(self):
        return f'<generator object {self._name}>'


class Delegate:
    """What `yield from` goes through."""

    def __init__(self, items):
        self._items, self._begun, self.value = iter(items), False, None

    def goes_on(self, outer):
        own = isinstance(self._items, Generator)
        sent = None
        if self._begun:
            error, outer._thrown = outer._thrown, None
            sent = outer._sent
            if error is not None:
                return self._thrown(error, own)
        self._begun = True
        if not own:
            self.value = next(self._items, END) if sent is None else self._items.send(sent)
            if self.value is END:
                self.value = None
                return False
            return True
        return self._asked(lambda: self._items.send(sent))

    def _asked(self, ask):
        try:
            self.value = ask()
        except StopIteration:
            self.value = self._items._returned
            return False
        return True

    def _thrown(self, error, own):
        if not own:
            raise error
        if str(error) == 'GeneratorExit':
            self._items.close()
            raise error
        return self._asked(lambda: self._items.throw(error))
