"""The scripts of the stand-in for a model: a look around, then the analysis."""

LOOK = """\
import os

for table in await query('SELECT sql FROM sqlite_master'):
    print(table['sql'])
for name in sorted(os.listdir('/data')):
    with open(f'/data/{name}') as file:
        print(name, [next(file), next(file)])
"""

ANALYSE = """\
import csv

with open('/data/campaigns.csv', newline='') as file:
    campaigns = list(csv.DictReader(file))
with open('/data/returns.csv', newline='') as file:
    returned = {int(row['order_id']) for row in csv.DictReader(file)}

channel_of = {row['campaign']: row['channel'] for row in campaigns}
spent = {}
for row in campaigns:
    spent[row['channel']] = spent.get(row['channel'], 0) + float(row['cost'])

earned = dict.fromkeys(spent, 0.0)
for order in await query('SELECT id, campaign, total FROM orders WHERE campaign IS NOT NULL'):
    if order['id'] not in returned:
        earned[channel_of[order['campaign']]] += order['total']

best_first = sorted(spent, key=lambda name: -earned[name] / spent[name])
with open('/reports/channels.md', 'w') as file:
    print('| channel | spent | earned | for each euro |', file=file)
    print('|---|---:|---:|---:|', file=file)
    for name in best_first:
        print(f'| {name} | {spent[name]:,.0f} | {earned[name]:,.2f} | {earned[name] / spent[name]:.2f} |', file=file)

channels = [{'name': name, 'spent': spent[name], 'earned': round(earned[name], 2)} for name in best_first]
await final_result(channels=channels, report='/reports/channels.md')
"""
