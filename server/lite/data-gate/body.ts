import type { Argument, Columns } from './catalogue.ts';
import { isFields, readJson, typedJson } from './json-values.ts';
import { type BodyLimits, limits } from './limits.ts';
import { Refusal, shown, tooMuch, wrongBody } from './refusal.ts';
import { scanJson } from './scan-json.ts';
import type { Fields, Json } from './tree.ts';

/** The JSON of a body; undefined where there is none. Its size is known before anything is built from it. */
export function jsonBody(bytes: Uint8Array, headers: Headers, bounds: BodyLimits): Json | undefined {
  if (bytes.length === 0) return undefined;
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (type.trim() !== '' && type.trim().toLowerCase() !== 'application/json')
    throw new Refusal(415, 'PGRST102', 'Send JSON, with the content type application/json.');
  const scanned = scanJson(bytes, bounds);
  if (scanned === 'too-deep') throw wrongBody('The body is nested too deeply.');
  if (scanned === 'too-many') throw wrongBody('The body holds too many values.');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrongBody('The body is not UTF-8.');
  }
  const json = readJson(text);
  if (!json.ok) throw wrongBody('Empty or invalid json');
  return json.value;
}

/** One row, for a change. */
export function fieldsOf(json: Json | undefined, relation: string, columns: Columns): Fields {
  if (json === undefined || !isFields(json)) throw wrongBody('A JSON object with the columns of a row is needed.');
  return typedFields(json, relation, columns);
}

/** One row or several, for new ones. */
export function rowsOf(json: Json | undefined, relation: string, columns: Columns): Fields | Fields[] {
  if (!Array.isArray(json)) return fieldsOf(json, relation, columns);
  if (json.length > limits.rows) throw tooMuch(`At most ${limits.rows} rows at once, please.`);
  const rows = json.map((row) => fieldsOf(row, relation, columns));
  const values = rows.reduce((sum, row) => sum + Object.keys(row).length, 0);
  if (values > limits.values) throw tooMuch(`At most ${limits.values} values at once, please.`);
  return rows;
}

function typedFields(json: { [key: string]: Json }, relation: string, columns: Columns): Fields {
  const fields: Fields = Object.create(null);
  for (const name of Object.keys(json)) {
    const type = columns.get(name);
    if (type === undefined)
      throw new Refusal(
        400,
        'PGRST204',
        `Could not find the '${shown(name)}' column of '${relation}' in the schema cache`,
      );
    fields[name] = typedJson(json[name] as Json, type, name);
  }
  return fields;
}

/** Arguments by name: the library would also take a list, and count its elements to no end. */
export function argumentsIn(json: Json | undefined): { [name: string]: Json } {
  if (json === undefined) return {};
  if (!isFields(json)) throw wrongBody('A JSON object with the arguments of the function is needed.');
  return json;
}

export function typedArguments(given: { [name: string]: Json }, args: ReadonlyMap<string, Argument>): Fields {
  const fields: Fields = Object.create(null);
  for (const name of Object.keys(given))
    fields[name] = typedJson(given[name] as Json, args.get(name)?.type ?? 'text', name);
  return fields;
}
