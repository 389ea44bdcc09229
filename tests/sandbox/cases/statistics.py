import statistics
from decimal import Decimal
statistics.mean([Decimal('0.1'), Decimal('0.3')]), statistics.variance([Decimal(1), Decimal(4)])
# ---
from statistics import NormalDist  ### There is no statistics.NormalDist here
