from datetime import datetime
rank = {'low': 0, 'high': 2}.get
sorted(['high', 'low'], key=rank), rank('no', 7), list(map(datetime.fromisoformat, ['2024-01-02'])), list(map(int.bit_length, [5]))
