"""`gather` among tasks."""

from .carriers import seen
from .tasks import Future, cancellation, ensure_future


def gather(*coros_or_futures, return_exceptions=False):
    children = [ensure_future(awaitable) for awaitable in coros_or_futures]
    outer, left = Future(), [len(children)]
    outer._children = children

    def ended(child, hops):
        left[0] -= 1
        if outer._state == 'PENDING':
            error = child._error if child._state == 'FINISHED' else cancellation(child._why)
            if left[0] == 0 and (return_exceptions or error is None):
                error = cancellation(outer._why) if outer._asked else None
            elif return_exceptions:
                return
            if error is not None or left[0] == 0:
                outer._finish('FINISHED', None if error else [_outcome(one) for one in children], error, hops)

    for child in children:
        child._link(ended)
    if not children:
        outer._finish('FINISHED', [], None, 0)
    return outer


def _outcome(child):
    if child._state == 'CANCELLED':
        # Python names no reason of a task here.
        return seen(cancellation('' if child._number is not None else child._why or ''))
    return child._value if child._error is None else seen(child._error)
