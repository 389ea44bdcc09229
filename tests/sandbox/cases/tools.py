# The same functions answer in both.
user = await get_user(2)
user['name'], await add(1, b=2)
# ---
[user['name'] for user in await list_users(team='core')]
# ---
try:
    await fail('no')
except ValueError as error:
    print(error)
# ---
next_number(), next_number()
# ---
await deposit(5)
await deposit(amount=7)
await balance()
# ---
# A variable that holds a function of the script is no function of the host, whatever it is called.
seen, out = set(), []
add, echo = seen.add, out.append
for word in ['a', 'b', 'a']:
    add(word)
    echo(word)
def counter():
    count = [0]
    def up():
        count[0] += 1
    return up, lambda: count[0]
deposit, balance = counter()
deposit()
slow = {'a': 1}.get
for fail in (len, sorted):
    print(fail('ba'))
sorted(seen), out, balance(), slow('a')
# ---
def total(add, items):
    return sum(add(item) for item in items) + add(1)
class Desk:
    def __init__(self, echo):
        self.echo = echo
    def run(self, fail):
        return self.echo(fail(-2))
total(lambda n: n * 2, [1, 2]), Desk(str).run(abs), await add(1, 2)
