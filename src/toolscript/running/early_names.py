"""What the names in a script stand for, to whoever wants to start its reads before it runs."""

from collections.abc import Callable, Collection
from typing import Any

from toolscript.offering.step import Step
from toolscript.routing.effects import may_run_early
from toolscript.routing.placement import SEARCH_IN_CODE
from toolscript_sandbox import NameKind


def kinds_of_names(step: Step[Any], variables: Collection[str]) -> Callable[[str], NameKind | None]:
    """What a name stands for.

    Args:
        step: The tools of the step in which the script is written. Of those that only read, the ones that the model was
            shown may start; a deferred one that the script finds may not.
        variables: Those that earlier scripts left, which may be functions that act.
    """
    functions, on_show = step.functions, {*step.always, *step.found}

    def kind_of(name: str) -> NameKind | None:
        if name in variables:
            return 'unseen'
        if name == SEARCH_IN_CODE and functions.search is not None:
            return 'reads'
        function = functions.catalog.get(name)
        if function is None:
            return None
        tool_def = functions.tools[function.spec.name].tool.tool_def
        if tool_def.kind != 'function' or tool_def.sequential or not may_run_early(tool_def):
            return 'acts'
        return 'starts' if function.spec.name in on_show else 'reads'

    return kind_of
