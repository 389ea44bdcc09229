# A name that a module lacks is refused, however a snippet comes to it.
import math
math.nosuch(2)  ### There is no math.nosuch here
# ---
import math as m
m.squareroot(2)  ### There is no math.squareroot here
# ---
from math import sqrt, squrt  ### There is no math.squrt here
# ---
from math import sumproduct as sp  ### There is no math.sumproduct here
# ---
from collections import UserDict  ### There is no collections.UserDict here
# ---
def home():
    return os.environ['HOME']  ### There is no os.environ here
# ---
import os.path
os.path.exists('/tmp')  ### There is no os.path.exists here
# ---
import sys
sys.getsizeof([])  ### There is no sys.getsizeof here
# ---
# A variable of a module's name is no module.
import math
def area(math):
    return math.upper()
area('x')
# ---
import numpy as np  ### There is no module numpy here
