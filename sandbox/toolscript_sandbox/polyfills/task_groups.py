"""Groups of tasks that end together."""

from .carriers import seen
from .deadlines import is_cancellation, uncancelled
from .exceptions import group_class, is_instance, raised
from .tasks import create_task, current_task, next_number


class TaskGroup:
    def __init__(self):
        self._state, self._errors, self._open = 'new', [], []
        self._key, self._asked = None, False

    async def __aenter__(self):
        self._state, self._parent = 'entered', current_task()
        return self

    def create_task(self, coro, *, name=None, context=None):
        if self._state in ('new', 'aborting') or (self._state == 'left' and not self._open):
            raise RuntimeError('TaskGroup takes no tasks before it is entered, when it shuts down, and behind its block')
        task = create_task(coro, name=name)
        self._open.append(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task):
        self._open = [other for other in self._open if other is not task]
        if not self._open and self._key is not None:
            _loop__('wake', self._key, 1)
        if task._error is None:
            return
        self._errors.append(seen(task._error))
        if self._state == 'entered':
            self._asked = True
            self._parent.cancel()
        self._abort()

    def _abort(self):
        if self._state != 'aborting':
            self._state = 'aborting'
            for task in self._open:
                task.cancel()

    async def __aexit__(self, kind, error, trace):
        cancelled = is_cancellation(error)
        propagated = error if cancelled else None
        if cancelled and self._asked and uncancelled(self._parent) == 0:
            propagated = None
        if error is not None:
            self._abort()
        if self._state == 'entered':
            self._state = 'left'
        while self._open:
            self._key = next_number()
            try:
                await _loop__('park', self._key, None, '')
            except SystemExit as raising:
                if self._state != 'aborting':
                    propagated = raising
                    self._abort()
            self._key = None
        if propagated is not None and not self._errors:
            raise raised(propagated)
        if error is not None and not cancelled:
            self._errors.append(seen(error))
        if self._errors:
            every = all([is_instance(one, Exception) for one in self._errors])
            group = group_class('ExceptionGroup' if every else 'BaseExceptionGroup')
            raise raised(group('unhandled errors in a TaskGroup', self._errors))
