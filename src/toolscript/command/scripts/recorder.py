"""A run, recorded."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import Agent, ToolApproved, ToolDenied
from pydantic_ai.agent import AbstractAgent
from pydantic_ai.models import Model
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults
from pydantic_ai.toolsets import AbstractToolset

from toolscript.approvals.pending import PendingCall
from toolscript.command.approvals import Decision, decided
from toolscript.command.exits import CommandError
from toolscript.reading import RecordTools
from toolscript.testing import RecordCalls, RecordedCalls, RecordedRun
from toolscript.testing.recorded_run import RecordedDecision, as_json

from .one_script import Ended, run_script
from .seen_calls import SeenCalls
from .under_code_mode import beneath, for_scripts


@dataclass
class Recorder:
    """Keeps what a run does."""

    target: str
    approve: Sequence[str]
    kept: RecordedCalls = field(default_factory=lambda: RecordedCalls({}, []))
    decisions: list[RecordedDecision] = field(default_factory=list[RecordedDecision])

    async def script(self, toolset: AbstractToolset[Any], offered: Sequence[str], code: str, seen: SeenCalls) -> Ended:
        """Run a script, and keep it."""
        return await run_script(for_scripts(toolset, offered, wrap=self.wrap), code, seen=seen, decide=self.decide)

    async def prompt(
        self,
        subject: AbstractAgent[Any, Any] | AbstractToolset[Any],
        prompt: str,
        model: Model | str | None,
        seen: SeenCalls,
    ) -> RecordedRun:
        """Let a model answer a prompt, and keep what it does.

        Args:
            subject: An agent, or tools in code mode.
            prompt: What the user says.
            model: Another model than the agent's own.
            seen: Is told the calls of scripts.
        """
        agent = subject if isinstance(subject, AbstractAgent) else Agent(toolsets=[subject])
        toolsets = [beneath(toolset, self.wrap) for toolset in agent.toolsets]
        keywords: dict[str, Any] = {
            'model': model,
            'output_type': [agent.output_type, DeferredToolRequests],
            'event_stream_handler': seen.follow,
            'capabilities': [RecordTools()],
        }
        try:
            with agent.override(toolsets=toolsets, tools=[]):
                result = await agent.run(prompt, **keywords)
                while isinstance(result.output, DeferredToolRequests):
                    decided = await self.decide(result.output)
                    history = result.all_messages()
                    result = await agent.run(message_history=history, deferred_tool_results=decided, **keywords)
        except CommandError:
            raise
        except Exception as error:
            # A model, its provider and tools may raise whatever they like.
            raise CommandError(f'the run ended with {type(error).__name__}: {error}') from error
        return self.recording(result.all_messages())

    def recording(self, messages: Sequence[Any]) -> RecordedRun:
        """All that was kept."""
        return RecordedRun(
            target=self.target,
            messages=[*messages],
            tools=[*self.kept.tools.values()],
            calls=self.kept.calls,
            decisions=self.decisions,
        )

    def wrap(self, toolset: AbstractToolset[Any]) -> AbstractToolset[Any]:
        """The tools, with their calls kept."""
        return RecordCalls(toolset, into=self.kept)

    async def decide(self, requests: DeferredToolRequests) -> DeferredToolResults:
        """Ask, and keep what was said."""
        return decided(requests, self.approve, self._note)

    def _note(self, call: PendingCall, decision: Decision) -> None:
        known = RecordedDecision(tool_name=call.tool_name, arguments=as_json(call.args))
        if call.kind != 'approval':
            said = known.model_copy(update={'answered': True, 'result': as_json(decision)})
        elif isinstance(decision, ToolApproved):
            said = known.model_copy(update={'approved': True, 'changed': decision.override_args})
        elif isinstance(decision, ToolDenied):
            said = known.model_copy(update={'why_not': decision.message})
        else:
            said = known.model_copy(update={'approved': bool(decision)})
        self.decisions.append(said)
