class A:
    class B:
        class C:
            x = 1
            def f(self): return 'c'
        y = C()
    z = B.C.x
print(A.B.C.x, A.B.y.f(), A.z, A().B().C().f())
# ---
class Node: pass
class L:
    class Node:  ### stands in several places
        pass
L.Node()
# ---
class L:
    class Item: pass
    def f(self): return Item()  ### Write L.Item here
L().f()
# ---
def main():
    class Q:
        class Item:
            def __init__(self, p): self.p = p
        def __init__(self): self.items = [self.Item(1)]
    return Q().items[0].p
print(main())
