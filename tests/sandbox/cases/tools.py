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
# ---
await get_usr(1)  ### Name get_usr used when not defined
# ---
# What a variable has is called, whatever function of the host has its name.
class Cache:
    async def get_user(self, user_id):
        return {'id': user_id, 'name': 'cached'}


get_user = getattr(Cache(), 'get_user')
print(await get_user(1), [await get_user(n) for n in range(2)])
# ---
from functools import partial


def made(times):
    async def scaled(a, b):
        return times * (a + b)

    return scaled


for name, add in {'two': made(2), 'three': made(3)}.items():
    print(name, await add(1, 2))
add = made(4)
print(await add(1, 2))
add = partial(made(5), 1)
print(await add(1))
echo, deposit = [lambda value: 'own', lambda amount: amount]
print(echo(1), deposit(2))
