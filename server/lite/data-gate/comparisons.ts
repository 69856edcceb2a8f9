import type { PgType } from './catalogue.ts';
import { limits } from './limits.ts';
import {
  arrayValue,
  type Budget,
  parenthesised,
  pattern,
  rangeValue,
  typedValue,
  withoutQuotes,
} from './query-values.ts';
import { shown, tooMuch, unreadable, wrongValue } from './refusal.ts';
import type { ColumnRef, Comparison, Operator, Value } from './tree.ts';
import { kindOf } from './value-kinds.ts';

/** How the value of an operator is read. */
type Reading = 'typed' | 'distinct' | 'pattern' | 'expression' | 'state' | 'list' | 'containment' | 'range' | 'search';

const readings = new Map<string, Reading>([
  ...(['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const).map((one) => [one, 'typed'] as const),
  ['isdistinct', 'distinct'],
  ...(['like', 'ilike'] as const).map((one) => [one, 'pattern'] as const),
  ...(['match', 'imatch'] as const).map((one) => [one, 'expression'] as const),
  ['is', 'state'],
  ['in', 'list'],
  ...(['cs', 'cd', 'ov'] as const).map((one) => [one, 'containment'] as const),
  ...(['sl', 'sr', 'nxl', 'nxr', 'adj'] as const).map((one) => [one, 'range'] as const),
  ...(['fts', 'plfts', 'phfts', 'wfts'] as const).map((one) => [one, 'search'] as const),
]);
const quantifiable = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike']);
const states = new Set(['null', 'not_null', 'true', 'false', 'unknown']);

export type Written = {
  target: ColumnRef;
  type: PgType;
  /** not.eq.5: what stands behind the name. */
  text: string;
};

export function comparison({ target, type, text }: Written, budget: Budget): Comparison {
  budget.conditions += 1;
  if (budget.conditions > limits.conditions) throw tooMuch(`At most ${limits.conditions} conditions, please.`);
  const found = /^(not\.)?([a-z]+)(?:\(([a-z_]{1,63})\))?\.(.*)$/s.exec(text);
  const [, not, operator = '', modifier = null, value = ''] = found ?? [];
  const reading = readings.get(operator);
  if (!found || !reading)
    throw unreadable(
      `"${shown(target.name)}" is compared in a way the Data API does not know.`,
      'Write column=operator.value',
    );
  if (modifier !== null && !isModifier(modifier, operator, reading))
    throw unreadable(`${operator}(${modifier}) is not an operator.`);
  const isQuantified = modifier !== null && reading !== 'search';
  return {
    kind: 'comparison',
    target,
    isNegated: not !== undefined,
    operator: operator as Operator,
    modifier,
    value: isQuantified
      ? arrayValue(value, quantifiedType(reading, type), target.name, budget)
      : readValue(reading, value, { target, type }, budget),
  };
}

const isModifier = (modifier: string, operator: string, reading: Reading) =>
  reading === 'search' || (quantifiable.has(operator) && (modifier === 'any' || modifier === 'all'));

const quantifiedType = (reading: Reading, type: PgType) => (reading === 'typed' ? type : 'text');

function readValue(reading: Reading, text: string, { target, type }: Omit<Written, 'text'>, budget: Budget): Value {
  switch (reading) {
    case 'typed':
      return typedValue(text, type, target.name, budget);
    case 'distinct':
      return asItStands(typedValue(text, type, target.name, budget));
    case 'pattern':
    case 'search':
      return { kind: 'plain', text: pattern(text) };
    case 'expression':
      return { kind: 'text', text: cheapExpression(withoutQuotes(pattern(text)), target.name) };
    case 'state': {
      const state = text.trim().toLowerCase();
      if (!states.has(state)) throw unreadable(`"${target.name}" is null, not_null, true, false or unknown.`);
      return { kind: 'plain', text: state };
    }
    case 'list':
      return parenthesised(text, type, target.name, budget);
    case 'range':
      return rangeValue(text, type, target.name);
    case 'containment':
      return contained(text, type, target.name, budget);
  }
}

/** Back references, groups that look around and many repetitions can cost the database seconds for one row. */
function cheapExpression(text: string, name: string): string {
  const repetitions = text.match(/[*+?{]/g)?.length ?? 0;
  if (text.length > limits.expression || repetitions > limits.repetitions || /\\\d|\(\?/.test(text))
    throw wrongValue(`The regular expression for "${name}" is too costly.`);
  return text;
}

/** Here the library takes no quotes away. */
const asItStands = (value: Value): Value => (value.kind === 'text' ? { ...value, kind: 'plain' } : value);

function contained(text: string, type: PgType, name: string, budget: Budget): Value {
  const kind = kindOf(type);
  if (kind === 'range') return rangeValue(text, type, name);
  if (kind !== 'array' && kind !== 'json') throw wrongValue(`"${name}" holds no list that could contain something.`);
  return typedValue(text, type, name, budget);
}
