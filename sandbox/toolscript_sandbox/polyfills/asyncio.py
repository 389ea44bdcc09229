"""What `asyncio` offers beyond Monty's own. A script loads only the files of what it uses."""

from .async_errors import CancelledError, QueueEmpty, QueueFull
from .coroutines import iscoroutine
from .deadlines import Timeout, timeout
from .event_loop import get_event_loop, get_running_loop, new_event_loop, set_event_loop, to_thread
from .locks import BoundedSemaphore, Event, Lock, Semaphore
from .natives import TimeoutError
from .queues import LifoQueue, PriorityQueue, Queue
from .task_groups import TaskGroup
from .tasks import Future, Task, create_task, current_task, ensure_future
from .waiting import ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION, as_completed, shield, wait, wait_for
