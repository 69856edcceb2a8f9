/**
 * Imported first by main.ts, and by nothing else: after it nothing can be added to a prototype of the language, and
 * `__proto__` is a name like any other. The gates refuse such names; this holds should one of them, or a library, miss one.
 * Prototypes are not frozen: then no error could be given a name, since assigning to what is inherited and frozen fails,
 * and what was redefined made pages a third slower to render.
 */
const iterators = [
  [][Symbol.iterator](),
  new Map().keys(),
  new Set().keys(),
  ''[Symbol.iterator](),
  'a'.matchAll(/a/g),
];
const generators = [function* () {}, async function* () {}, async () => {}];

const prototypes: object[] = [
  ...[Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Promise],
  ...[Map, Set, WeakMap, WeakSet, WeakRef, FinalizationRegistry, ArrayBuffer, SharedArrayBuffer, DataView],
  ...[Error, AggregateError, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError],
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
  ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
].map(({ prototype }) => prototype);

for (const value of [...iterators, ...generators, ...prototypes, ...generators.map(({ prototype }) => prototype ?? {})])
  for (
    let one = Object.getPrototypeOf(value);
    one !== null && one !== Object.prototype;
    one = Object.getPrototypeOf(one)
  )
    prototypes.push(one);

Reflect.deleteProperty(Object.prototype, '__proto__');

for (const prototype of prototypes) Object.preventExtensions(prototype);
// What every object finds under these names are functions, and functions are objects that can be added to.
for (const { value } of Object.values(Object.getOwnPropertyDescriptors(Object.prototype)))
  if (typeof value === 'function') Object.preventExtensions(value);
