// Preloaded into the shop by tests. SIGUSR2 collects garbage, so that a test sees what the heap really holds, and logs
// what was added to the language's own objects since the first signal: prototype pollution.
require('node:v8').setFlagsFromString('--expose-gc');
const collect = require('node:vm').runInNewContext('gc');

/** Everything reachable from the global object before the shop has loaded anything: constructors, prototypes, namespaces. */
function builtIns() {
  const found = new Map([[globalThis, 'globalThis']]);
  for (const [object, name] of found) {
    if (object === process.env) continue;
    const inner = Reflect.ownKeys(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)?.value]);
    for (const [key, value] of [...inner, ['[[prototype]]', Reflect.getPrototypeOf(object)]]) {
      const isObject = typeof value === 'function' || (typeof value === 'object' && value !== null);
      if (isObject && !found.has(value)) found.set(value, `${name}.${String(key)}`);
    }
  }
  return found;
}

const objects = builtIns();
const keysOf = () => new Map([...objects.keys()].map((object) => [object, new Set(Reflect.ownKeys(object))]));
let baseline = null;

process.on('SIGUSR2', () => {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const keys = keysOf();
  baseline ??= keys;
  const added = [...objects].flatMap(([object, name]) =>
    [...keys.get(object)].filter((key) => !baseline.get(object).has(key)).map((key) => `${name}.${String(key)}`),
  );
  process.stdout.write(`${JSON.stringify({ event: 'built-ins-checked', objects: objects.size, added })}\n`);
});
