"""A small world with reads and changes, and scripts that run in it, with and without a plan."""

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import ModelRetry

from tests.toolscript.approvals.conversation import KEY, Conversation
from tests.toolscript.scripted import Script, run_code
from toolscript import CodeModeToolset, FunctionToolset, PendingCall, Snapshots, ToolRule


@dataclass
class World:
    """Issues and accounts, and the log of all calls."""

    issues: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    accounts: dict[str, int] = field(default_factory=lambda: {'ann': 100, 'bob': 50, 'cid': 0})
    log: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]], compare=False)
    reads: int = field(default=0, compare=False)

    @property
    def toolset(self) -> FunctionToolset[object]:
        tools = FunctionToolset[object](metadata={'server': 'world'})
        for name in ('list_accounts', 'balance', 'get_issue'):
            tools.tool_plain(metadata={'read_only': True})(getattr(self, name))
        for name in ('create_issue', 'label', 'close_issue', 'refund', 'pay'):
            tools.tool_plain(getattr(self, name))
        return tools

    async def list_accounts(self) -> list[str]:
        self.reads += 1
        return sorted(self.accounts)

    async def balance(self, name: str) -> int:
        self.reads += 1
        if name not in self.accounts:
            raise ModelRetry(f'no account {name}')
        return self.accounts[name]

    async def get_issue(self, number: int) -> dict[str, Any]:
        self.reads += 1
        return deepcopy(self.issues[number])

    async def create_issue(self, title: str, labels: list[str] | None = None) -> dict[str, Any]:
        self.log.append(('create', title, labels))
        number = len(self.issues) * 7 + 3
        self.issues[number] = {'number': number, 'title': title, 'labels': labels or [], 'state': 'open'}
        return deepcopy(self.issues[number])

    async def label(self, number: int, label: str) -> str:
        self.log.append(('label', number, label))
        if number not in self.issues:
            raise ModelRetry(f'no issue {number}')
        self.issues[number]['labels'].append(label)
        return f'{label} added'

    async def close_issue(self, number: int, comment: str = '') -> dict[str, Any]:
        self.log.append(('close', number, comment))
        self.issues[number]['state'] = 'closed'
        return {'ok': True, 'number': number}

    async def refund(self, name: str, amount: int) -> dict[str, Any]:
        self.log.append(('refund', name, amount))
        if amount > 500:
            raise ModelRetry('too much')
        self.accounts[name] += amount
        return {'status': 'ok', 'balance': self.accounts[name], 'error': None}

    async def pay(self, name: str, amount: int) -> int:
        self.log.append(('pay', name, amount))
        if self.accounts[name] < amount:
            raise ModelRetry('not enough')
        self.accounts[name] -= amount
        return self.accounts[name]


@dataclass
class Planned(Conversation):
    """A conversation whose changing calls are planned or, for comparison, approved one by one."""

    plans: bool = True
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    def code_mode(self) -> CodeModeToolset[object]:
        rules = [*self.settings.get('rules', [])]
        settings = {key: value for key, value in self.settings.items() if key != 'rules'}
        if self.plans:
            return CodeModeToolset(self.toolset, snapshots=self.snapshots, plan_writes=True, rules=rules, **settings)
        rules = [*rules, ToolRule(read_only=False, requires_approval=True)]
        return CodeModeToolset(self.toolset, snapshots=self.snapshots, rules=rules, **settings)


def planned(world: World, code: str, *, plans: bool = True, snapshots: Snapshots = KEY, **settings: Any) -> Planned:
    return Planned(world.toolset, Script([run_code(code)]), snapshots, plans=plans, settings=settings)


def rows(calls: list[PendingCall]) -> list[tuple[str, dict[str, Any]]]:
    return [(call.tool_name, call.args) for call in calls]
