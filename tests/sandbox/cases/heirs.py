class Grid(list):
    def __init__(self, w, h):
        super().__init__([0] * w for _ in range(h))
    def __getitem__(self, k):
        if isinstance(k, tuple):
            return list.__getitem__(self, k[1])[k[0]]  ### There is no list.__getitem__ here
        return super().__getitem__(k)
