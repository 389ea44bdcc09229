"""The transforms, in the order in which they run. Each names those that must run before it (`after`)."""

from __future__ import annotations

from .calls import CALLS
from .provided_names import PROVIDED_NAMES
from .transform import Transform

FEATURES: tuple[Transform, ...] = (CALLS, PROVIDED_NAMES)
