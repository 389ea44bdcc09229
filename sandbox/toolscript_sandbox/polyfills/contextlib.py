"""What `contextlib` offers. A script loads only the files of what it uses."""

from .exit_stacks import AsyncExitStack, ExitStack
from .generator_contexts import asynccontextmanager, contextmanager
from .redirection import redirect_stdout
from .small_contexts import aclosing, closing, nullcontext, suppress
