const runs = [...document.querySelectorAll('template')];
const task = document.getElementById('task');
const sides = [document.getElementById('left'), document.getElementById('right')];

function options(select, values, chosen) {
  select.replaceChildren(...values.map(value => new Option(value, value, false, value === chosen)));
}

function show(side) {
  const run = runs.find(one => one.dataset.task === task.value && one.dataset.route === side.value);
  const place = document.getElementById(side.id + '-run');
  place.replaceChildren(...(run ? [run.content.cloneNode(true)] : []));
}

function refresh() {
  const routes = runs.filter(one => one.dataset.task === task.value).map(one => one.dataset.route);
  sides.forEach((side, index) => {
    const wanted = side.value || ['direct', 'code'][index];
    options(side, routes, routes.includes(wanted) ? wanted : routes[index]);
    show(side);
  });
}

options(task, [...new Set(runs.map(one => one.dataset.task))], runs.length ? runs[0].dataset.task : '');
task.addEventListener('change', refresh);
sides.forEach(side => side.addEventListener('change', () => show(side)));
refresh();
