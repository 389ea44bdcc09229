[user['name'] for user in await list_users(team='core')]
# ---
def total(add, items):
    return sum(add(item) for item in items) + add(1)
class Desk:
    def __init__(self, echo):
        self.echo = echo
    def run(self, fail):
        return self.echo(fail(-2))
total(lambda n: n * 2, [1, 2]), Desk(str).run(abs), await add(1, 2)
