// Conditions inside or=(…) and and=(…).
import type { Relation } from './catalogue.ts';
import { columnRef } from './columns.ts';
import { comparison } from './comparisons.ts';
import { limits } from './limits.ts';
import type { Budget } from './query-values.ts';
import { tooMuch, unreadable } from './refusal.ts';
import type { Comparison, Condition, Group, Value } from './tree.ts';
import { writeComparison } from './write-conditions.ts';

/** A table with what is embedded in the request; an embedded table can be compared with nothing (is.null). */
export type Scope = { relation: Relation; embeds: ReadonlySet<string>; budget: Budget };

type Cursor = { text: string; at: number };

/** `text`: the brackets and what is in them. */
export function group(joinedBy: 'and' | 'or', isNegated: boolean, text: string, scope: Scope): Group {
  const cursor: Cursor = { text, at: 0 };
  const conditions = bracketed(cursor, scope, 1);
  if (cursor.at !== text.length) throw unbalanced();
  return { kind: 'group', joinedBy, isNegated, conditions };
}

function bracketed(cursor: Cursor, scope: Scope, depth: number): Condition[] {
  if (depth > limits.groupDepth) throw tooMuch(`At most ${limits.groupDepth} groups inside each other, please.`);
  if (cursor.text[cursor.at] !== '(') throw unbalanced();
  const conditions: Condition[] = [];
  do {
    cursor.at += 1;
    conditions.push(member(cursor, scope, depth));
  } while (cursor.text[cursor.at] === ',');
  if (cursor.text[cursor.at] !== ')') throw unbalanced();
  cursor.at += 1;
  return conditions;
}

const opening = /\s*(not\.)?(and|or)\s*(?=\()/y;
const named = /\s*("[^"]*"|\w+)((?:->>?(?:"[^"]*"|[\w-]+?))*)\./y;

function member(cursor: Cursor, scope: Scope, depth: number): Condition {
  opening.lastIndex = cursor.at;
  const opened = opening.exec(cursor.text);
  if (opened) {
    cursor.at = opening.lastIndex;
    const conditions = bracketed(cursor, scope, depth + 1);
    skipSpaces(cursor);
    return { kind: 'group', joinedBy: opened[2] as 'and' | 'or', isNegated: opened[1] !== undefined, conditions };
  }
  named.lastIndex = cursor.at;
  const name = named.exec(cursor.text);
  if (!name) throw unreadable('A condition in a group cannot be read.', 'Write (column.operator.value,…)');
  cursor.at = named.lastIndex;
  const found = compared(`${name[1]}${name[2]}`, valueText(cursor), scope);
  checkInGroup(found);
  return found;
}

/** Some values can only be written in a parameter of their own. */
export function checkInGroup(one: Condition): void {
  if (one.kind === 'group') return; // its members have been checked
  if (!isReadableInGroup(one.value) || !isWholeInGroup(writeComparison(one, true)))
    throw unreadable(`The value for "${one.target.name}" cannot stand in a group.`);
}

export function compared(name: string, text: string, { relation, embeds, budget }: Scope): Comparison {
  const embed = embeds.has(name) && !relation.columns.has(name);
  if (!embed) return comparison({ ...columnRef(name, relation), text }, budget);
  if (!/^(not\.)?is\.(not_)?null$/.test(text))
    throw unreadable(`The embedded table "${name}" can only be compared with null.`);
  return comparison({ target: { name, path: [] }, type: 'text', text }, budget);
}

/** From the operator to the comma or bracket that ends it; quotes around a value are taken away. */
function valueText(cursor: Cursor): string {
  const { text } = cursor;
  const operator = /(?:not\.)?[a-z]+(?:\([a-z_]+\))?\./y;
  operator.lastIndex = cursor.at;
  const found = operator.exec(text)?.[0] ?? '';
  cursor.at += found.length;
  if (text[cursor.at] === '"') {
    const value = quotedText(cursor);
    skipSpaces(cursor);
    return found + value;
  }
  const start = cursor.at;
  if (text[cursor.at] === '(' || text[cursor.at] === '{') skipList(cursor, text[cursor.at] === '(' ? ')' : '}');
  while (cursor.at < text.length && text[cursor.at] !== ',' && text[cursor.at] !== ')') cursor.at += 1;
  return found + text.slice(start, cursor.at).trimEnd();
}

function quotedText(cursor: Cursor): string {
  let value = '';
  for (cursor.at += 1; cursor.at < cursor.text.length; cursor.at += 1) {
    const character = cursor.text[cursor.at];
    if (character === '"') {
      cursor.at += 1;
      return value;
    }
    if (character === '\\') cursor.at += 1;
    value += cursor.text[cursor.at] ?? '';
  }
  throw unbalanced();
}

/** Over a list in brackets, or JSON: what is in quotes ends nothing. */
function skipList(cursor: Cursor, closing: ')' | '}'): void {
  const open = closing === ')' ? '(' : '{';
  let depth = 0;
  for (; cursor.at < cursor.text.length; cursor.at += 1) {
    const character = cursor.text[cursor.at];
    if (character === '"') {
      quotedText(cursor);
      cursor.at -= 1;
    } else if (character === open) depth += 1;
    else if (character === closing) {
      depth -= 1;
      if (depth === 0) {
        cursor.at += 1;
        return;
      }
    }
  }
  throw unbalanced();
}

function skipSpaces(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ') cursor.at += 1;
}

/** Quotes inside a value are only understood in lists and JSON. */
function isReadableInGroup(value: Value): boolean {
  if (value.kind === 'list') return true;
  return value.kind === 'text' ? !/["\\]/.test(value.text) : value.text.startsWith('{') || !value.text.includes('"');
}

/**
 * The library finds the end of a condition by commas, brackets and quotes, and knows no backslashes: what it would cut in
 * another place than we do is refused.
 */
function isWholeInGroup(written: string): boolean {
  if (written.includes('\\"') || written !== written.trim()) return false;
  let isQuoted = false;
  let round = 0;
  let curly = 0;
  let all = 0;
  for (const character of written) {
    if (character === '"') isQuoted = !isQuoted;
    const step = character === '(' || character === '{' ? 1 : character === ')' || character === '}' ? -1 : 0;
    if (character === '(' || character === ')') all += step;
    if (isQuoted) continue;
    if (character === '(' || character === ')') round += step;
    else if (step !== 0) curly += step;
    else if (character === ',' && round === 0 && curly === 0) return false;
    if (round < 0 || curly < 0) return false;
  }
  return !isQuoted && round === 0 && curly === 0 && all === 0;
}

const unbalanced = () => unreadable('The brackets or quotes of a group do not match.');
