"""What `asyncio` offers; the files that it is taken from have an idea each."""

from .deadlines import Timeout, timeout, timeout_at
from .event_loop import get_event_loop, get_running_loop, new_event_loop, set_event_loop
from .locks import BoundedSemaphore, Condition, Event, Lock, Semaphore
from .queues import LifoQueue, PriorityQueue, Queue, QueueEmpty, QueueFull
from .task_groups import TaskGroup
from .tasks import (
    CancelledError,
    Future,
    InvalidStateError,
    Task,
    all_tasks,
    create_task,
    current_task,
    ensure_future,
    iscoroutine,
    isfuture,
    run,
    sleep,
    to_thread,
)
from .waiting import (
    ALL_COMPLETED,
    FIRST_COMPLETED,
    FIRST_EXCEPTION,
    as_completed,
    gather,
    shield,
    wait,
    wait_for,
)

TimeoutError = TimeoutError
