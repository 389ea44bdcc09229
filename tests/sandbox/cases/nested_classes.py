from dataclasses import dataclass, field
from enum import Enum
class Tree:
    """A tree."""
    class Node:
        def __init__(self, v): self.v = v; self.left = None; self.right = None
        def __repr__(self): return f'Node({self.v})'
    @dataclass
    class Stats:
        count: int = 0
        names: list = field(default_factory=list)
    class Kind(Enum):
        RED = 'r'
        BLUE = 'b'
    class Empty(Exception):
        pass
    default = Node(0)
    def __init__(self): self.root = None; self.stats = self.Stats(); self.kind = Tree.Kind.RED
    def insert(self, v):
        self.stats.count += 1
        if self.root is None: self.root = self.Node(v); return self
        n = self.root
        while True:
            if v < n.v:
                if n.left is None: n.left = Tree.Node(v); return self
                n = n.left
            else:
                if n.right is None: n.right = Tree.Node(v); return self
                n = n.right
    def min(self):
        if self.root is None: raise Tree.Empty('nothing')
        n = self.root
        while n.left: n = n.left
        return n.v
class Sub(Tree):
    pass
t = Tree()
for v in [3, 1, 2]: t.insert(v)
print(t.root.left.right.v, t.stats, t.default, t.kind, Tree.Kind('b'), t.min(), Sub().insert(4).root, isinstance(t.root, Tree.Node), type(t.root).__name__, Tree.Stats(1, ['x']), Sub.Kind.RED is Tree.Kind.RED)
try: Tree().min()
except Tree.Empty as e: print('empty', e)
# ---
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
