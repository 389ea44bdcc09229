"""The exceptions of asyncio. A handler finds a cancellation, which Monty raises as `SystemExit`, as a `CancelledError`."""

from .exceptions import own

CancelledError = own('CancelledError')
QueueEmpty = own('QueueEmpty')
QueueFull = own('QueueFull')
