"""`gather` among tasks."""

from .carriers import seen
from .tasks import Future, cancellation, ensure_future


def gather(*coros_or_futures, return_exceptions=False):
    children = [ensure_future(awaitable) for awaitable in coros_or_futures]
    outer = Future()
    outer._children = children
    left = [len(children)]
    if not children:
        outer._finish('FINISHED', [], None, 0)

    def ended(child, hops):
        left[0] -= 1
        if outer._state != 'PENDING':
            return
        if not return_exceptions and (child._state == 'CANCELLED' or child._error is not None):
            outer._finish('FINISHED', None, child._error or cancellation(child._why), hops)
        elif left[0] == 0 and outer._asked:
            outer._finish('FINISHED', None, cancellation(outer._why), hops)
        elif left[0] == 0:
            outer._finish('FINISHED', [_outcome(child) for child in children], None, hops)

    for child in children:
        child._link(ended)
    return outer


def _outcome(child):
    if child._state == 'CANCELLED':
        # Python names no reason of a task here.
        return seen(cancellation('' if child._number is not None else child._why or ''))
    return child._value if child._error is None else seen(child._error)
