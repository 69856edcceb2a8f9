// Upstream: the library passes JSON to the driver as text already; the driver's own type would make a JSON string of it.
// Can go when supabase/tests/data-gate.test.ts passes without these types.

const jsonAsGiven = (type: number) => ({
  to: type,
  from: [type],
  serialize: (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)),
  parse: (text: string): unknown => JSON.parse(text),
});

/** Types for postgres.js, by the object ids of json and jsonb. */
export const jsonTypes = { json: jsonAsGiven(114), jsonb: jsonAsGiven(3802) };
