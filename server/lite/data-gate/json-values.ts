// Values in a body: what JSON.parse gives, copied into objects without prototypes and checked by type.
import type { PgType } from './catalogue.ts';
import { limits } from './limits.ts';
import { isHostileKey } from './names.ts';
import { Refusal, tooMuch, wrongValue } from './refusal.ts';
import type { Json } from './tree.ts';
import { elementType, hasForm, kindOf, truthOf } from './value-kinds.ts';

/** Parses text that is short, or was scanned before; hostile keys and numbers without a value are refused. */
export function readJson(text: string): { ok: true; value: Json } | { ok: false } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { ok: false };
  }
  return { ok: true, value: copied(parsed) };
}

function copied(value: unknown): Json {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new Refusal(400, '22P05', 'A text holds a null character.');
    return value;
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Refusal(400, '22003', 'A number is too large.');
    return value;
  }
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value as boolean | null;
  const copy: { [key: string]: Json } = Object.create(null);
  for (const key of Object.keys(value)) {
    if (isHostileKey(key) || key.includes('\0'))
      throw new Refusal(400, 'PGRST102', 'A key in the body is not allowed as a name.');
    copy[key] = copied((value as Record<string, unknown>)[key]);
  }
  return copy;
}

export const isFields = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value of a body as a value of its column or argument. */
export function typedJson(value: Json, type: PgType, name: string): Json {
  const kind = kindOf(type);
  if (value === null || kind === 'json') return value;
  if (kind === 'array') return arrayOf(value, type, name);
  if (typeof value === 'object') throw mismatch(type, name);
  if (kind === 'text') return value;
  if (kind === 'boolean') {
    const truth = typeof value === 'boolean' ? value : typeof value === 'string' ? truthOf(value) : null;
    if (truth === null) throw mismatch(type, name);
    return truth;
  }
  if (kind === 'integer' || kind === 'number') {
    if (typeof value === 'boolean' || !hasForm(String(value).trim(), type)) throw mismatch(type, name);
    return value;
  }
  if (typeof value !== 'string' || !hasForm(value.trim(), type)) throw mismatch(type, name);
  return value;
}

/** A JSON array, or the text PostgreSQL has for one. */
function arrayOf(value: Json, type: PgType, name: string): Json {
  if (typeof value === 'string') {
    if (!/^\{.*\}$/s.test(value)) throw mismatch(type, name);
    return value;
  }
  if (!Array.isArray(value)) throw mismatch(type, name);
  if (value.length > limits.arrayElements)
    throw tooMuch(`At most ${limits.arrayElements} values stand in the list for "${name}".`);
  return value.map((element) => typedJson(element, elementType(type), name));
}

const mismatch = (type: PgType, name: string) => wrongValue(`The value for "${name}" is not of type ${type}.`);
