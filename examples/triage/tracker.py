"""An MCP server of our own, the issue tracker: `python tracker.py issues.json`."""

import json
import sys
from pathlib import Path

from mcp.server import MCPServer
from pydantic import BaseModel

server = MCPServer('tracker')


class Issue(BaseModel):
    """An issue."""

    number: int
    title: str
    assignee: str
    text: str


@server.tool()
async def search_issues(words: str) -> list[Issue]:
    """Issues whose title has all of the words."""
    return [issue for issue in _issues() if all(word in issue.title.lower() for word in words.lower().split())]


@server.tool()
async def create_issue(title: str, assignee: str, text: str) -> Issue:
    """Open an issue, which is assigned and sent to somebody."""
    issues = _issues()
    issue = Issue(number=len(issues) + 1, title=title, assignee=assignee, text=text)
    _file().write_text(json.dumps([one.model_dump() for one in [*issues, issue]], indent=2))
    return issue


def _issues() -> list[Issue]:
    return [Issue(**issue) for issue in json.loads(_file().read_text())] if _file().exists() else []


def _file() -> Path:
    return Path(sys.argv[1])


if __name__ == '__main__':
    server.run()
