"""Groups of tasks that end together."""

from .errors import own, raised
from .groups import group_of
from .tasks import Future, create_task, current_task


class TaskGroup:
    def __init__(self):
        self._state = 'new'
        self._errors = []
        self._open = []
        self._waiter = None
        self._parent_asked = False

    async def __aenter__(self):
        if self._state != 'new':
            raise RuntimeError(f'TaskGroup has been already entered')
        self._state = 'entered'
        self._parent = current_task()
        return self

    def create_task(self, coro, *, name=None, context=None):
        if self._state == 'new':
            raise RuntimeError('TaskGroup has not been entered')
        if self._state == 'left' and not self._open:
            raise RuntimeError('TaskGroup is finished')
        if self._state == 'aborting':
            raise RuntimeError('TaskGroup is shutting down')
        task = create_task(coro, name=name)
        self._open.append(task)
        # It cancels others, and those that are ready go on before.
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task):
        self._open = [other for other in self._open if other is not task]
        if not self._open and self._waiter is not None and not self._waiter.done():
            self._waiter._finish('FINISHED', None, None, 0)
        if task._state == 'CANCELLED' or task._error is None:
            return
        self._errors.append(task._error)
        if self._state == 'aborting':
            return
        inside = self._state == 'entered'
        self._abort()
        if inside:
            self._parent_asked = True
            self._parent.cancel()

    def _abort(self):
        self._state = 'aborting'
        for task in self._open:
            task.cancel()

    async def __aexit__(self, kind, error, trace):
        is_cancelled = isinstance(error, SystemExit)
        propagated = error if is_cancelled else None
        if is_cancelled and self._parent_asked and self._parent.uncancel() == 0:
            propagated = None
        if error is not None and self._state != 'aborting':
            self._abort()
        if self._state == 'entered':
            self._state = 'left'
        while self._open:
            self._waiter = Future()
            try:
                await self._waiter._wait()
            except SystemExit as cancelled:
                if self._state != 'aborting':
                    propagated = cancelled
                    self._abort()
            self._waiter = None
        if propagated is not None and not self._errors:
            raise propagated
        if error is not None and not is_cancelled:
            self._errors.append(error)
        if self._errors:
            raise raised(group_of('unhandled errors in a TaskGroup', [own(error) for error in self._errors]))
        return None
