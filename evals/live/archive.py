"""Finished runs on disk, so that a run of many can be continued with, and read again."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter

from evals.measuring.run import Run

_run = TypeAdapter(Run)

Key = tuple[str, str, str, int]
"""Task, route, model and trial."""


@dataclass
class Archive:
    """A folder with a line of JSON for each run, and its messages in a file of their own."""

    folder: Path
    runs: dict[Key, Run] = field(default_factory=dict[Key, Run])

    @classmethod
    def open(cls, folder: Path) -> 'Archive':
        """The archive in a folder, with what is there already. A last line that was cut off is not."""
        archive = cls(folder)
        folder.mkdir(parents=True, exist_ok=True)
        whole = [line for line in archive._lines() if line.endswith(b'\n')]
        # What a killed process left half written would swallow the next line.
        archive._index.write_bytes(b''.join(whole))
        archive.runs = {key_of(run): run for run in map(_run.validate_json, whole)}
        return archive

    def add(self, run: Run, messages: Sequence[ModelMessage]) -> None:
        """Keep a run and all that was said in it."""
        file = self.transcript(key_of(run))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(ModelMessagesTypeAdapter.dump_json(list(messages), indent=1))
        with self._index.open('ab') as index:
            index.write(_run.dump_json(run) + b'\n')
        self.runs[key_of(run)] = run

    def transcript(self, key: Key) -> Path:
        """Where the messages of a run are."""
        task, route, model, trial = key
        safe = [part.replace(':', '-').replace('/', '-').replace(' ', '-') for part in (model, route)]
        return self.folder / 'transcripts' / safe[0] / safe[1] / f'{task}-{trial}.json'

    def _lines(self) -> list[bytes]:
        return self._index.read_bytes().splitlines(keepends=True) if self._index.is_file() else []

    @property
    def _index(self) -> Path:
        return self.folder / 'runs.jsonl'


def key_of(run: Run) -> Key:
    """What tells a run from all others."""
    return run.task, run.route, run.model, run.trial
