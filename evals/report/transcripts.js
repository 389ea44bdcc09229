const runs = JSON.parse(document.getElementById('runs').textContent);
const task = document.getElementById('task');
const sides = [document.getElementById('left'), document.getElementById('right')];
const ROLES = { user: 'user', system: 'system', model: 'answer', call: 'calls', code: 'writes code', nested: 'code calls',
  result: 'result of', found: 'found' };

function options(select, values, chosen) {
  select.replaceChildren(...values.map(value => new Option(value, value, false, value === chosen)));
}

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function step(one) {
  const box = element('div', 'step ' + one.role, '');
  box.append(element('b', '', [ROLES[one.role], one.name].join(' ')), element('pre', '', one.text));
  return box;
}

function show(side) {
  const run = runs.find(one => one.task === task.value && one.route === side.value);
  const place = document.getElementById(side.id + '-steps');
  place.replaceChildren();
  if (!run) return;
  const verdict = run.ok ? 'right' : 'wrong';
  place.append(element('p', 'dim', `${verdict} · ${run.requests} requests · ${run.tokens} tokens in · $${run.dollars}`));
  let turn = -1;
  for (const one of run.steps) {
    if (one.request !== turn) {
      turn = one.request;
      if (turn) place.append(element('p', 'turn', `Request ${turn}`));
    }
    place.append(step(one));
  }
  if (run.error) place.append(step({ role: 'result', name: 'the run', text: run.error }));
}

function refresh() {
  const routes = runs.filter(one => one.task === task.value).map(one => one.route);
  sides.forEach((side, index) => {
    const wanted = side.value || ['direct', 'code'][index];
    options(side, routes, routes.includes(wanted) ? wanted : routes[index]);
    show(side);
  });
}

options(task, [...new Set(runs.map(one => one.task))], runs.length ? runs[0].task : '');
task.addEventListener('change', refresh);
sides.forEach(side => side.addEventListener('change', () => show(side)));
refresh();
