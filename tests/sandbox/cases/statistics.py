import statistics as s
s.mean([1, 2, 4]), s.mean([0.1] * 3), s.mean([1, 2, 3]), s.mean([True, 2]), s.median([1, 3]), s.stdev([1, 2, 3, 4]), s.variance([0.1, 0.2, 0.4]), s.pstdev([1, 2, 3])
# ---
import statistics as s
s.quantiles([1, 2, 3, 4, 5]), s.mode('aab'), s.multimode('aabb'), s.harmonic_mean([40, 60]), s.geometric_mean([1, 2, 4]), s.median_grouped([1, 2, 2, 3])
# ---
import statistics
from decimal import Decimal
statistics.mean([Decimal('0.1'), Decimal('0.3')]), statistics.variance([Decimal(1), Decimal(4)])
# ---
from statistics import NormalDist  ### There is no statistics.NormalDist here
