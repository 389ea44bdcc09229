def main():
    class Q:
        class Item:
            def __init__(self, p): self.p = p
        def __init__(self): self.items = [self.Item(1)]
    return Q().items[0].p
print(main())
