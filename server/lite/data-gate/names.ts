/**
 * Names that every object knows, or that lead to a prototype: as a name of ours, a key or an alias they are refused
 * whatever stands behind them, because libraries look names up in plain objects. Read before harden-process.ts takes
 * `__proto__` away.
 */
const inherited = new Set([...Object.getOwnPropertyNames(Object.prototype), '__proto__', 'prototype']);

export const isHostileName = (name: string) => inherited.has(name);

/** Keys in JSON that lead to a prototype. The other inherited names are only dangerous as names of columns. */
export const isHostileKey = (key: string) => key === '__proto__' || key === 'constructor' || key === 'prototype';

const plain = /^[A-Za-z_]\w{0,62}$/;

/** What the catalogue, an alias or a key of a JSON path may be called: written without quotes, and looked up safely. */
export const isPlainName = (name: string) => plain.test(name) && !isHostileName(name);
