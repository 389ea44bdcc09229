class A:
    def __setattr__(self, name, value):  ### __setattr__ of a class is not asked here. Use a property with a setter, or @dataclass(frozen=True).
        pass
# ---
class A:
    def __getattr__(self, name):  ### __getattr__ of a class is not asked here. Keep the values in a dict.
        return name
# ---
class A:
    def __new__(cls): return object()  ### __new__ of a class is not asked here.
# ---
class D:
    def __get__(self, obj, owner): return 1  ### __get__ of a class is not asked here.
