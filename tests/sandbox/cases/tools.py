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
await get_usr(1)  ### Name get_usr used when not defined
