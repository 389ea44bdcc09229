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
