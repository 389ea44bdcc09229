# pyright: basic, reportMissingImports=false
"""A Temporal workflow that leaves the agent to an activity."""

from datetime import timedelta

from temporalio import workflow

with workflow.unsafe.imports_passed_through():
    from toolscript import CodeModeToolset


@workflow.defn
class Chat:
    """Its module imports toolscript, as one does that shares a file with activities."""

    @workflow.run
    async def run(self, prompt: str) -> str:
        """Run the activity, again if need be."""
        assert CodeModeToolset is not None
        return await workflow.execute_activity('work', prompt, start_to_close_timeout=timedelta(hours=1))
