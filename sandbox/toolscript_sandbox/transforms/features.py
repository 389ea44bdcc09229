"""The transforms, in the order in which they run. Each names those that must run before it (`after`)."""

from __future__ import annotations

from .assignments import ASSIGNMENTS
from .calls import CALLS
from .classes import CLASSES
from .comparisons import COMPARISONS, KEYS
from .contexts import CONTEXTS
from .exceptions import EXCEPTIONS
from .generators import GENERATORS
from .lazy_iteration import LAZY_ITERATION
from .methods import METHODS_OF_TYPES
from .provided_names import PROVIDED_NAMES
from .tasks import TASKS
from .transform import Transform
from .waiting_iteration import WAITING_ITERATION
from .zones import ZONES

FEATURES: tuple[Transform, ...] = (
    KEYS,
    CALLS,
    LAZY_ITERATION,
    WAITING_ITERATION,
    CONTEXTS,
    EXCEPTIONS,
    TASKS,
    CLASSES,
    ZONES,
    METHODS_OF_TYPES,
    PROVIDED_NAMES,
    ASSIGNMENTS,
    COMPARISONS,
    GENERATORS,
)
