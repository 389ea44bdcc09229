class A: pass
print(f'{type(A()).__name__} {A.__name__} {A.__qualname__} {A.__module__}')  ### There is no __qualname__ here
# ---
class A: x = 0
print(vars(A()))  ### There is no vars here. Name the attributes in a dict
# ---
class A: x = 0
print(A().__dict__)  ### There is no __dict__ here. Name the attributes in a dict
# ---
class A:
    def go(self): return 1
    def run(self, f): return f.__name__
print(A().run(len), A.go.__name__, A().go.__name__)
# ---
import collections.abc, typing
def flat(items):
    for item in items:
        if isinstance(item, collections.abc.Iterable) and not isinstance(item, (str, bytes)): yield from flat(item)
        else: yield item
list(flat([1, [2, (3, 'ab')], (y for y in [4, 5])])), isinstance([], typing.Iterable), isinstance(5, typing.Sized), isinstance(len, typing.Callable)
