# A name that a module lacks is refused, however a snippet comes to it.
import math
print(1)
math.nosuch(2)  ### There is no math.nosuch here.
# ---
import math as m
m.squareroot(2)  ### There is no math.squareroot here. Did you mean sqrt
# ---
from math import sqrt, squrt  ### There is no math.squrt here. Did you mean sqrt
sqrt(2)
# ---
from math import sumproduct as sp  ### There is no math.sumproduct here.
# ---
from collections import UserDict  ### There is no collections.UserDict here.
# ---
import os
def home():
    return os.environ['HOME']  ### There is nothing of the computer to be seen here: call the functions you were given.
# ---
import os.path
os.path.exists('/tmp')  ### There are no files here
# ---
import json
json.load(open('x'))  ### There are no files here
# ---
import sys
sys.getsizeof([])  ### How much memory a value takes cannot be seen here
# ---
# A script may ask what there is.
try:
    from math import nosuch
except ImportError:
    nosuch = None
nosuch
# ---
# A variable of a module's name is no module.
import math
def area(math):
    return math.upper()
area('x')
# ---
import numpy as np  ### Use lists, math and statistics.
np.array([1])
# ---
import sys
from sys import stdout
write = sys.stdout.write
count = sys.stdout.write('a b\n')
write('c'), stdout.writelines(['\n', 'd\n']), sys.stdout.flush(), sys.stderr.write('unseen') if count > 9 else None
print(count, file=sys.stdout, flush=True)
try:
    stdout.write(3)
except TypeError:
    print('no text')
# ---
import sys
if sys.version_info >= (3, 12):
    kind = "new"
else:
    kind = "old"
print(kind if sys.version_info[:2] == (3, 11) else "old", sys.version_info >= (3, 9), sys.version_info.major, isinstance(sys.version_info, tuple), sys.version_info.releaselevel)
