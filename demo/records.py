"""What the shop's tools return."""

from dataclasses import dataclass
from datetime import date

from pydantic import BaseModel, Field
from typing_extensions import TypedDict


class Region(TypedDict):
    """A part of the country with a carrier of its own."""

    name: str
    carrier: str


class Order(TypedDict):
    """An order, without what is in it."""

    id: int
    customer_id: int
    region: str
    placed: date
    total: float


class OrderPage(TypedDict):
    """Some of the orders asked for."""

    orders: list[Order]
    pages: int
    """How many pages there are."""


class OrderLine(TypedDict):
    """One product of an order."""

    product_id: int
    quantity: int
    price: float


class Shipment(BaseModel):
    """The parcel of an order."""

    order_id: int
    carrier: str
    promised: date
    delivered: date | None = Field(description='None while it is on its way.')
    days_late: int = Field(ge=0, description='Days past the promised one, up to today while it is on its way.')


@dataclass
class Customer:
    """Who buys."""

    id: int
    name: str
    email: str
    region: str
    note: str | None


class Product(TypedDict):
    """What is sold."""

    id: int
    name: str
    category: str
    price: float
    stock: int


class Ticket(TypedDict):
    """What a customer complained about."""

    id: int
    customer_id: int
    opened: date
    text: str
    closed: bool


class Refund(TypedDict):
    """Money given back for an order."""

    id: int
    order_id: int
    amount: float
    reason: str


class Review(TypedDict):
    """What a customer thinks of a product."""

    product_id: int
    customer_id: int
    stars: int
    text: str


class Stars(TypedDict):
    """The reviews of a product in short."""

    reviews: int
    average: float | None
