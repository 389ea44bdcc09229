"""Money that may be spent, and no more."""

from dataclasses import dataclass


@dataclass
class Purse:
    """Holds back what started runs may cost until they are done."""

    limit: float
    spent: float = 0.0
    reserved: float = 0.0

    def reserve(self, dollars: float) -> bool:
        """Whether a run that may cost so much can start; then it is held back."""
        if self.spent + self.reserved + dollars > self.limit:
            return False
        self.reserved += dollars
        return True

    def settle(self, reserved: float, dollars: float) -> None:
        """A run is done and cost this."""
        self.reserved -= reserved
        self.spent += dollars
