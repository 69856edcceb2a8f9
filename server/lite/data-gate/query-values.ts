// Values in an address: comparisons, lists, and arguments of functions that are called with GET.
import type { PgType } from './catalogue.ts';
import { readJson } from './json-values.ts';
import { limits } from './limits.ts';
import { Refusal, tooMuch, unreadable, wrongValue } from './refusal.ts';
import type { Value } from './tree.ts';
import { elementType, hasForm, kindOf, truthOf } from './value-kinds.ts';

/** How much of an address has been used up so far, over all its conditions. */
export type Budget = { conditions: number; listElements: number; embeds: number; selected: number };
export const newBudget = (): Budget => ({ conditions: 0, listElements: 0, embeds: 0, selected: 0 });

/** `name`: of the column or argument, for the sentence in a refusal. */
export function typedValue(text: string, type: PgType, name: string, budget: Budget): Value {
  checkText(text);
  const kind = kindOf(type);
  if (kind === 'text') return { kind: 'text', text: withoutQuotes(text) };
  if (text === 'null') return { kind: 'plain', text };
  if (kind === 'array') return arrayValue(text, type, name, budget);
  if (kind === 'json') return { kind: 'plain', text: jsonText(text, name) };
  return { kind: 'plain', text: scalar(text, type, name) };
}

function scalar(written: string, type: PgType, name: string): string {
  const text = withoutQuotes(written).trim();
  if (!hasForm(text, type)) throw wrongValue(`The value for "${name}" is not of type ${type}.`);
  return kindOf(type) === 'boolean' ? String(truthOf(text)) : text;
}

/** {a,"b c"} */
export function arrayValue(text: string, type: PgType, name: string, budget: Budget): Value {
  if (!text.startsWith('{') || !text.endsWith('}'))
    throw new Refusal(400, '22P02', `The value for "${name}" is not a list in curly brackets.`);
  return { kind: 'list', brackets: '{}', elements: elementsOf(text.slice(1, -1), elementType(type), name, budget) };
}

/** (a,"b c") */
export function parenthesised(text: string, type: PgType, name: string, budget: Budget): Value {
  if (!text.startsWith('(') || !text.endsWith(')'))
    throw unreadable(`The list for "${name}" does not stand in brackets.`);
  return { kind: 'list', brackets: '()', elements: elementsOf(text.slice(1, -1), type, name, budget) };
}

function elementsOf(text: string, type: PgType, name: string, budget: Budget) {
  const elements = splitElements(text, name);
  budget.listElements += elements.length;
  if (budget.listElements > limits.listElements)
    throw tooMuch(`At most ${limits.listElements} values stand in the lists of an address.`);
  return elements.map(({ text: element, isQuoted }) => {
    checkText(element);
    const kind = kindOf(type);
    if (kind === 'text' || kind === 'json' || kind === 'array') {
      if (!isQuoted && element === 'null') return { text: element, isText: false };
      return { text: element, isText: true };
    }
    if (element === 'null') return { text: element, isText: false };
    return { text: scalar(element, type, name), isText: false };
  });
}

/** Between commas; in quotes a backslash stands before a quote or a backslash. */
function splitElements(text: string, name: string): { text: string; isQuoted: boolean }[] {
  const found: { text: string; isQuoted: boolean }[] = [];
  if (text.trim() === '') return found;
  for (let at = 0; at <= text.length; at += 1) {
    if (text[at] !== '"') {
      const comma = text.indexOf(',', at);
      const end = comma === -1 ? text.length : comma;
      found.push({ text: text.slice(at, end), isQuoted: false });
      at = end;
      continue;
    }
    let element = '';
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
      if (text[at] === '\\') at += 1;
      element += text[at] ?? '';
    }
    if (text[at] !== '"' || (at + 1 < text.length && text[at + 1] !== ','))
      throw unreadable(`A quote is missing, or is one too many, in the list for "${name}".`);
    found.push({ text: element, isQuoted: true });
    at += 1;
  }
  return found;
}

function jsonText(text: string, name: string): string {
  const json = readJson(text);
  if (!json.ok) throw wrongValue(`The value for "${name}" is not JSON.`);
  return JSON.stringify(json.value);
}

export function rangeValue(text: string, type: PgType, name: string): Value {
  checkText(text);
  if (kindOf(type) !== 'range' || !hasForm(text, type)) throw wrongValue(`"${name}" and its value are not ranges.`);
  return { kind: 'plain', text };
}

/** For like, regular expressions and text search. */
export function pattern(text: string): string {
  checkText(text);
  return text;
}

export function checkText(text: string): void {
  if (text.length > limits.textInQuery) throw tooMuch(`A value has at most ${limits.textInQuery} characters.`);
  if (text.includes('\0')) throw new Refusal(400, '22021', 'A value holds a null character.');
}

/** The library takes quotes around a whole value away, and so does this. */
export function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  return trimmed.length >= 2 && trimmed.startsWith('"') && trimmed.endsWith('"') ? trimmed.slice(1, -1) : text;
}
