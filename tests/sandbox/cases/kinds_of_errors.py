# Exceptions that modules raise, and those that are kept in variables.
import statistics
from statistics import StatisticsError
def safe(xs):
    try:
        return statistics.mean(xs)
    except StatisticsError as e:
        return f'{type(e).__name__}: {e}'
print(safe([1, 2]), safe([]))
try:
    statistics.stdev([1])
except ValueError as e:
    print(repr(e), isinstance(e, StatisticsError))
try:
    statistics.median([])
except Exception as e:
    print(type(e).__name__, e)
# ---
import statistics
statistics.mean([])
# ---
handlers = {'v': ValueError, 'k': KeyError}
for k, n in [('v', 1), ('k', 2)]:
    try:
        raise handlers[k]('problem', n)
    except (ValueError, KeyError) as e:
        print(type(e).__name__, e.args)
class Rule:
    def __init__(self, kind): self.kind = kind
    def check(self, x):
        if x < 0: raise self.kind(x)
        return x
for kind in (ValueError, TypeError):
    try:
        Rule(kind).check(-1)
    except Exception as e:
        print(repr(e), type(e) is kind)
# ---
import sys
try:
    1 / 0
except ZeroDivisionError:
    print(sys.exc_info()[1])  ### except Exception as error
# ---
import traceback
try:
    1 / 0
except ZeroDivisionError as error:
    print(traceback.format_exception(error))  ### Tracebacks are not kept here
# ---
try:
    raise ValueError('a') from None
except ValueError as e:
    print(e.__suppress_context__)  ### Ask for its __cause__
