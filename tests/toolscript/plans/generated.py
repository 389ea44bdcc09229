"""Randomly generated scripts that read and change a world."""

from random import Random

_BLOCKS = (
    """
for name in await list_accounts():
    r{i} = await refund(name=name, amount={n})
    if r{i}['status'] != 'ok':
        print('no', name)
    seen.append(r{i}['balance'])
""",
    """
for name in await list_accounts():
    held = await balance(name=name)
    if held > {n}:
        seen.append(await pay(name=name, amount=held // 2))
    else:
        print(name, held)
""",
    """
for amount in [{n}, 600, {m}, 1000]:
    try:
        seen.append((await refund(name='bob', amount=amount))['status'])
    except Exception as error:
        print(type(error).__name__, error)
""",
    """
i{i} = await create_issue(title='T{i}')
await label(number=i{i}['number'], label=f"like #{{i{i}['number']}}")
if (await get_issue(number=i{i}['number']))['state'] == 'open':
    seen.append(await close_issue(number=i{i}['number'], comment='done {i}'))
""",
    """
try:
    for _ in range(12):
        print(await pay(name='ann', amount={n} + 20))
except Exception as error:
    print('end', error)
""",
    """
async def open_one{i}(title, *labels):
    issue = await create_issue(title=title)
    for one in labels:
        await label(number=issue['number'], label=one)
    return issue
a{i} = await open_one{i}('A{i}', 'x', 'y')
b{i} = await open_one{i}(f"after {{a{i}['number']}}", a{i}['title'])
seen += [a{i}['number'], b{i}['title'], len(b{i}['labels'])]
""",
    """
got{i} = await asyncio.gather(*(refund(name=name, amount={n}) for name in await list_accounts()))
seen.append(sum(one['balance'] for one in got{i}))
""",
    """
async def twice{i}(name):
    first = await refund(name=name, amount={n})
    return await pay(name=name, amount=first['balance'] // 4)
seen += await asyncio.gather(*(twice{i}(name) for name in ['ann', 'bob']))
""",
    """
before = await balance(name='cid')
await refund(name='cid', amount={m})
after = await balance(name='cid')
if after - before == {m}:
    await create_issue(title=f'cid has {{after}}', labels=['money'] if after > 50 else [])
else:
    await create_issue(title='wrong')
""",
    """
numbers{i} = []
for k in range({k}):
    issue = await create_issue(title=f'n{{k}}')
    numbers{i}.append(issue['number'])
for number in numbers{i}:
    print(await label(number=number, label='batch'))
if {k} > 2:
    await label(number=-1, label='lost')
""",
    """
held = {{name: await balance(name=name) for name in await list_accounts()}}
poor = min(held, key=held.get)
rich = max(held, key=held.get)
left{i} = await pay(name=rich, amount=held[rich] // 3)
got{i} = await refund(name=poor, amount=held[rich] // 3)
if left{i} < got{i}['balance']:
    await create_issue(title='turned', labels=[rich, poor])
""",
)


def script(seed: int) -> str:
    random = Random(seed)
    blocks = [
        block.format(i=i, n=random.randint(1, 60), m=random.randint(1, 90), k=random.randint(1, 4))
        for i, block in enumerate(random.choices(_BLOCKS, k=random.randint(1, 4)))
    ]
    return 'import asyncio\nseen = []\n' + ''.join(blocks) + 'seen\n'
