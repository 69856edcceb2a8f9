import { Refusal } from './refusal.ts';
import type { Head, Preferences } from './tree.ts';

const known: { [name in Exclude<keyof Preferences, 'max-affected'>]: readonly string[] } = {
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  return: ['minimal', 'headers-only', 'representation'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
};

/** The headers that mean something to the Data API. A preference that is not known is ignored, as HTTP has it. */
export function parseHead(headers: Headers, apikeyInQuery: string | null): Head {
  return {
    apikey: headers.get('apikey') ?? apikeyInQuery,
    authorization: headers.get('authorization'),
    accept: acceptOf(headers.get('accept')),
    saysSchema: saysSchema(headers),
    prefer: preferencesOf(headers.get('prefer') ?? ''),
    range: rangeOf(headers.get('range')),
  };
}

function saysSchema(headers: Headers): boolean {
  const named = ['accept-profile', 'content-profile'].flatMap((name) => headers.get(name) ?? []);
  if (named.some((schema) => schema !== 'public'))
    throw new Refusal(406, 'PGRST106', 'Invalid schema', 'Only the following schemas are exposed: public');
  return named.length > 0;
}

const offered = new Set([
  'application/json',
  'application/vnd.pgrst.object',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array',
  'application/vnd.pgrst.array+json',
  'text/csv',
]);

/** The first media type that we have; null: any will do. */
function acceptOf(header: string | null): string | null {
  const wanted = (header ?? '').split(',', 50).flatMap((one) => {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
    return type ? [{ type, isStripped: parameters.some((part) => /^nulls\s*=\s*stripped$/.test(part)) }] : [];
  });
  if (wanted.length === 0) return null;
  const first = wanted.find(({ type }) => offered.has(type));
  if (first) return first.isStripped && first.type !== 'text/csv' ? `${first.type};nulls=stripped` : first.type;
  if (wanted.some(({ type }) => type === '*/*' || type === 'application/*')) return null;
  throw new Refusal(406, 'PGRST107', 'None of these media types are available');
}

function preferencesOf(header: string): Preferences {
  const preferences: Preferences = {
    count: null,
    resolution: null,
    return: null,
    missing: null,
    handling: null,
    'max-affected': null,
  };
  let hasUnknown = false;
  for (const token of header.split(',', 50).map((one) => one.trim())) {
    if (token === 'tx=rollback') throw new Refusal(400, 'PGRST122', 'The Data API does not try requests out.');
    const [, name = '', value = ''] = /^([a-z-]+)\s*=\s*([a-z\d-]{1,20})$/.exec(token) ?? [];
    if (name === 'max-affected' && /^\d{1,9}$/.test(value)) preferences['max-affected'] ??= Number(value);
    else if (Object.hasOwn(known, name) && known[name as keyof typeof known].includes(value))
      (preferences as Record<string, string | null>)[name] ??= value;
    else if (token !== '') hasUnknown = true;
  }
  if (hasUnknown && preferences.handling === 'strict')
    throw new Refusal(400, 'PGRST122', 'Invalid preferences given with handling=strict');
  return preferences;
}

/** Units that we do not know, bytes for instance, are ignored. */
function rangeOf(header: string | null): Head['range'] {
  const [, from, to] = /^(?:items=)?(\d{1,9})-(\d{0,9})$/.exec(header ?? '') ?? [];
  if (from === undefined) return null;
  if (to && Number(to) < Number(from)) throw new Refusal(416, 'PGRST103', 'Requested range not satisfiable');
  return { from: Number(from), to: to ? Number(to) : null };
}
