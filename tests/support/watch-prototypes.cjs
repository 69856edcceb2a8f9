// Required by the shop before its own code: on SIGUSR2 it writes what has been added to, or replaced on, the built-in objects
// that can be reached from globalThis, to the file in PROTOTYPE_REPORT. Getters are left alone: reading them loads things.
const { writeFileSync } = require('node:fs');

function walk() {
  const found = new Map();
  const queue = [
    ['globalThis', globalThis],
    ['%ArrayIterator%', [][Symbol.iterator]()],
    ['%MapIterator%', new Map().keys()],
    ['%SetIterator%', new Set().keys()],
    ['%StringIterator%', ''[Symbol.iterator]()],
    ['%Generator%', (function* () {})()],
    ['%AsyncGenerator%', (async function* () {})()],
    ['%AsyncFunction%', async () => {}],
  ];
  while (queue.length > 0) {
    const [path, value] = queue.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || found.has(value)) continue;
    const own = Object.getOwnPropertyDescriptors(value);
    found.set(value, { path, own });
    queue.push([`${path}.[[Prototype]]`, Object.getPrototypeOf(value)]);
    // Of the global object only what the language brings: the rest is Node's, and changes with what is loaded.
    for (const key of Reflect.ownKeys(own)) {
      const isLanguage =
        value !== globalThis || (typeof key === 'string' && /^[A-Z]/.test(key)) || key === 'globalThis';
      if (isLanguage && 'value' in own[key]) queue.push([`${path}.${String(key)}`, own[key].value]);
    }
  }
  return found;
}

const before = walk();

process.on('SIGUSR2', () => {
  const changes = [];
  for (const [value, { path, own }] of before) {
    if (value === globalThis) continue;
    const now = Object.getOwnPropertyDescriptors(value);
    for (const key of Reflect.ownKeys(now)) {
      if (!Object.hasOwn(own, key)) changes.push(`${path}.${String(key)} is new`);
      else if ('value' in now[key] && typeof own[key].value === 'function' && now[key].value !== own[key].value)
        changes.push(`${path}.${String(key)} was replaced`);
    }
  }
  const inherited = [];
  for (const key in {}) inherited.push(key);
  writeFileSync(process.env.PROTOTYPE_REPORT, JSON.stringify({ walked: before.size, changes, inherited }));
});
