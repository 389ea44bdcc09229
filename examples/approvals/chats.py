"""Chats in an SQLite file: messages, pending calls, and the frames sent to browsers."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter
from pydantic_ai import ModelMessage, ModelMessagesTypeAdapter
from pydantic_ai.tools import DeferredToolRequests

_TABLES = """
create table if not exists chats (id text primary key, history blob not null, waiting blob);
create table if not exists frames (chat text, number integer, frame text not null, primary key (chat, number));
create table if not exists runs (chat text primary key, broken_off text not null);
"""
_SAVE = """
insert into chats (id, history, waiting) values (?, ?, ?)
on conflict (id) do update set history = excluded.history, waiting = excluded.waiting
"""


class Chats:
    """The SQLite file."""

    def __init__(self, path: Path) -> None:
        """Open the file, and mark each run that the last server left unfinished as broken off."""
        self._database = sqlite3.connect(path)
        self._database.execute('pragma journal_mode = wal')
        self._database.execute('pragma synchronous = normal')
        self._database.executescript(_TABLES)
        for chat_id, frame in self._database.execute('select chat, broken_off from runs').fetchall():
            self.add_frame(chat_id, frame)
            self.ends(chat_id)

    def close(self) -> None:
        self._database.close()

    def load(self, chat_id: str) -> tuple[list[ModelMessage], DeferredToolRequests | None]:
        """Return the history of a chat and the requests that its last run waits for."""
        row = self._database.execute('select history, waiting from chats where id = ?', (chat_id,)).fetchone()
        if row is None:
            return [], None
        history, waiting = row
        return ModelMessagesTypeAdapter.validate_json(history), waiting and _requests.validate_json(waiting)

    def save(self, chat_id: str, history: Sequence[ModelMessage], waiting: DeferredToolRequests | None = None) -> None:
        """Save the history and the pending requests."""
        messages = ModelMessagesTypeAdapter.dump_json([*history])
        with self._database:
            self._database.execute(_SAVE, (chat_id, messages, waiting and _requests.dump_json(waiting)))

    def begins(self, chat_id: str, broken_off: str) -> None:
        with self._database:
            self._database.execute('insert or replace into runs values (?, ?)', (chat_id, broken_off))

    def ends(self, chat_id: str) -> None:
        with self._database:
            self._database.execute('delete from runs where chat = ?', (chat_id,))

    def frames(self, chat_id: str, after: int = 0) -> list[str]:
        """Return the frames sent, in order, without the first `after`."""
        query = 'select frame from frames where chat = ? and number >= ? order by number'
        return [frame for (frame,) in self._database.execute(query, (chat_id, after))]

    def frame_count(self, chat_id: str) -> int:
        """Return the number of frames sent."""
        query = 'select coalesce(max(number) + 1, 0) from frames where chat = ?'
        return self._database.execute(query, (chat_id,)).fetchone()[0]

    def add_frame(self, chat_id: str, frame: str) -> None:
        """Append a frame."""
        with self._database:
            self._database.execute('insert into frames values (?, ?, ?)', (chat_id, self.frame_count(chat_id), frame))


_requests = TypeAdapter(DeferredToolRequests)
