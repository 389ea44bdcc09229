import sys
try:
    1 / 0
except ZeroDivisionError:
    print(sys.exc_info()[1])  ### There is no sys.exc_info here
# ---
try:
    raise ValueError('a') from None
except ValueError as e:
    print(e.__suppress_context__)  ### There is no __suppress_context__ here
