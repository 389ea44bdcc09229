"""A company with orders, customers, stock, tickets, money, documents and users: reads, changes, and a log of changes."""

import inspect
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from pydantic_ai import ModelRetry
from typing_extensions import TypedDict

from toolscript import FunctionToolset


class Ticket(TypedDict):
    """A ticket."""

    id: int
    title: str
    status: str
    labels: list[str]
    assignee: str | None


def _orders() -> dict[int, dict[str, Any]]:
    return {
        n: {
            'id': n,
            'customer_id': 1 + n % 4,
            'total': 10 * n,
            'status': 'late' if n % 2 else 'open',
            'sku': f'p{n % 3}',
        }
        for n in range(1, 17)
    }


def _customers() -> dict[int, dict[str, Any]]:
    names = ['Ada', 'Bob', 'Cid', 'Dee']
    return {n: {'id': n, 'name': name, 'email': f'{name.lower()}@example.com'} for n, name in enumerate(names, 1)}


@dataclass
class Company:
    """The world. Its tools declare their results only if those of a real server would."""

    orders: dict[int, dict[str, Any]] = field(default_factory=_orders)
    customers: dict[int, dict[str, Any]] = field(default_factory=_customers)
    stock: dict[str, int] = field(default_factory=lambda: {'p0': 40, 'p1': 6, 'p2': 0})
    accounts: dict[str, int] = field(default_factory=lambda: {'main': 1_000, 'tax': 0, 'petty': 35})
    tickets: dict[int, Any] = field(default_factory=dict[int, Any])
    documents: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {name: {'id': name, 'text': f'about {name}', 'version': 3} for name in 'abcdef'}
    )
    groups: dict[str, list[str]] = field(default_factory=lambda: {'staff': ['ann'], 'admins': []})
    log: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]], compare=False)

    @property
    def toolset(self) -> FunctionToolset[object]:
        tools = FunctionToolset[object](metadata={'server': 'company'})
        for name, function in vars(Company).items():
            if inspect.iscoroutinefunction(function):
                is_read = name.startswith(('list_', 'get_', 'in_', 'balance', 'members'))
                tools.tool_plain(metadata={'read_only': True} if is_read else None)(getattr(self, name))
        return tools

    # -- reads

    async def list_orders(self, status: str | None = None) -> list[dict[str, Any]]:
        return [deepcopy(order) for order in self.orders.values() if status in (None, order['status'])]

    async def get_order(self, order_id: int) -> dict[str, Any]:
        return deepcopy(self.orders[order_id])

    async def list_customers(self) -> list[dict[str, Any]]:
        return [deepcopy(one) for one in self.customers.values()]

    async def get_customer(self, customer_id: int) -> dict[str, Any]:
        if customer_id not in self.customers:
            raise ModelRetry(f'no customer {customer_id}')
        return deepcopy(self.customers[customer_id])

    async def in_stock(self, sku: str) -> int:
        return self.stock[sku]

    async def balance(self, account: str) -> int:
        return self.accounts[account]

    async def get_ticket(self, id: int) -> Ticket:
        return deepcopy(self.tickets[id])

    async def list_documents(self) -> list[str]:
        return sorted(self.documents)

    async def get_document(self, id: str) -> dict[str, Any]:
        return deepcopy(self.documents[id])

    async def members(self, group: str) -> list[str]:
        return [*self.groups[group]]

    # -- changes

    async def refund(self, order_id: int, amount: float) -> dict[str, Any]:
        self.log.append(('refund', order_id, amount))
        if amount > self.orders[order_id]['total']:
            raise ModelRetry('more than was paid')
        return {
            'refund_id': f'r{order_id}',
            'order_id': order_id,
            'amount': amount,
            'status': 'succeeded',
            'error': None,
        }

    async def set_status(self, order_id: int, status: str) -> None:
        self.log.append(('status', order_id, status))
        self.orders[order_id]['status'] = status

    async def send_email(self, to: str, subject: str, body: str = '') -> dict[str, Any]:
        self.log.append(('email', to, subject, body))
        return {'sent': '@' in to, 'message_id': f'm{len(self.log)}'}

    async def create_ticket(self, title: str, labels: list[str] | None = None) -> Ticket:
        self.log.append(('ticket', title, labels))
        id = 100 + len(self.tickets)
        self.tickets[id] = {'id': id, 'title': title, 'status': 'open', 'labels': labels or [], 'assignee': None}
        return deepcopy(self.tickets[id])

    async def update_ticket(
        self, id: int, status: str | None = None, assignee: str | None = None, add_label: str | None = None
    ) -> Ticket:
        self.log.append(('update', id, status, assignee, add_label))
        ticket = self.tickets[id]
        ticket.update(
            {name: value for name, value in (('status', status), ('assignee', assignee)) if value is not None}
        )
        if add_label:
            ticket['labels'].append(add_label)
        return deepcopy(ticket)

    async def comment(self, ticket_id: int, text: str) -> dict[str, Any]:
        self.log.append(('comment', ticket_id, text))
        return {'id': 900 + len(self.log), 'ticket_id': ticket_id}

    async def transfer(self, source: str, target: str, amount: int) -> dict[str, Any]:
        self.log.append(('transfer', source, target, amount))
        if self.accounts[source] < amount:
            raise ModelRetry(f'{source} has only {self.accounts[source]}')
        self.accounts[source] -= amount
        self.accounts[target] += amount
        return {'ok': True, 'balance': self.accounts[source]}

    async def reserve(self, sku: str, quantity: int) -> dict[str, Any]:
        """Reserve stock; as many as there are."""
        self.log.append(('reserve', sku, quantity))
        given = min(quantity, self.stock[sku])
        self.stock[sku] -= given
        return {'sku': sku, 'reserved': given, 'left': self.stock[sku]}

    async def restock(self, sku: str, quantity: int) -> int:
        """Order more. How many there are then."""
        self.log.append(('restock', sku, quantity))
        self.stock[sku] += quantity
        return self.stock[sku]

    async def create_customer(self, name: str, email: str) -> dict[str, Any]:
        self.log.append(('customer', name, email))
        id = 1 + len(self.customers)
        self.customers[id] = {'id': id, 'name': name, 'email': email}
        return deepcopy(self.customers[id])

    async def create_invoice(self, customer_id: int, amount: float) -> dict[str, Any]:
        self.log.append(('invoice', customer_id, amount))
        return {'number': f'I-{len(self.log)}', 'customer_id': customer_id, 'total': amount, 'paid': False}

    async def pay_invoice(self, number: str) -> bool:
        self.log.append(('pay', number))
        return number.startswith('I-')

    async def write_document(self, id: str, text: str, version: int | None = None) -> dict[str, Any]:
        """Write a document; with a version, only if it is still that."""
        self.log.append(('write', id, text, version))
        before = self.documents.get(id, {'version': 0})['version']
        if version is not None and version != before:
            raise ModelRetry(f'version is {before}')
        self.documents[id] = {'id': id, 'text': text, 'version': before + 1}
        return {'id': id, 'version': before + 1}

    async def publish(self, id: str) -> str:
        self.log.append(('publish', id))
        return f'https://docs.example.com/{id}'

    async def add_member(self, group: str, user: str) -> dict[str, Any]:
        self.log.append(('member', group, user))
        self.groups.setdefault(group, []).append(user)
        return {'group': group, 'members': [*self.groups[group]], 'ok': True}

    async def charge(self, customer_id: int, amount: float) -> dict[str, Any]:
        """Charge a card. The second customer's declines large amounts."""
        self.log.append(('charge', customer_id, amount))
        if customer_id == 2 and amount > 50:
            raise ModelRetry('card declined')
        return {'id': f'c{len(self.log)}', 'status': 'paid', 'amount': amount}
