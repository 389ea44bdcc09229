# Types are told apart.
[1, 1.0, True, (1,), [1]]
# ---
10 / 4, 10 // 4, 10 % 4, -7 // 2, -7 % 3, 2**10, 2**-1
# ---
total = sum([1, 2, 3])
print('the sum is', total)
total / 2
# ---
int('twelve')
# ---
1 / 0  ### ZeroDivisionError: division by zero
# ---
# A float is rounded as the number that it is.
round(2.675, 2), round(82.235, 2), round(1.005, 2), round(2.5), round(-0.001, 2), round(350.0, -2), round(250.5, -2), round(number=0.285, ndigits=2)
# ---
list(map(round, [2.675, 1.005], [2, 2])), [round(n / 8, 2) for n in range(30)], round(2.5, None), round(25, -1), round(True)
# ---
# A function of that name is the script's own.
def round(number):
    return 'mine'
round(2.675)
# ---
import random
random.seed(3)
[round(random.uniform(-1000, 1000), places) for places in range(-3, 12) for _ in range(20)]
# ---
from decimal import Decimal
Decimal('12.3').as_integer_ratio(), (0.5).as_integer_ratio(), (3).as_integer_ratio(), round(Decimal('2.675'), 2)
