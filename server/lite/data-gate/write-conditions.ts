import { writeColumnRef } from './columns.ts';
import type { Comparison, Condition, Group, Value } from './tree.ts';

/** [name, value] of each parameter that says these conditions; `prefix`: of an embedded table, with its dot. */
export function writeConditions(conditions: readonly Condition[], prefix: string): [string, string][] {
  const { single, others } = separated(conditions);
  const parameters = single.map((one): [string, string] => [
    prefix + writeColumnRef(one.target),
    `${one.isNegated ? 'not.' : ''}${operatorOf(one)}.${writeValue(one.value, false)}`,
  ]);
  const [first] = others;
  if (!first) return parameters;
  // The library mixes two groups of the same name into one.
  if (others.length === 1 && first.kind === 'group')
    return [...parameters, [`${prefix}${first.isNegated ? 'not.' : ''}${first.joinedBy}`, bracketed(first.conditions)]];
  return [...parameters, [`${prefix}and`, bracketed(others)]];
}

/**
 * Conditions that can stand in parameters of their own, and the rest. Of two comparisons of a column with the same operator
 * the library forgets the first, and all that are negated are one operator to it.
 */
export function separated(conditions: readonly Condition[]): { single: Comparison[]; others: Condition[] } {
  const seen = new Set<string>();
  const single: Comparison[] = [];
  const others: Condition[] = [];
  for (const one of conditions) {
    const key = one.kind === 'group' ? '' : `${writeColumnRef(one.target)} ${operatorKey(one)}`;
    if (one.kind === 'group' || seen.has(key)) others.push(one);
    else {
      seen.add(key);
      single.push(one);
    }
  }
  return { single, others };
}

const operatorKey = (one: Comparison) =>
  one.isNegated && one.operator !== 'in' && one.operator !== 'is' ? 'not' : `${one.isNegated} ${operatorOf(one)}`;

const bracketed = (conditions: readonly Condition[]) => `(${conditions.map(writeMember).join(',')})`;

const writeMember = (one: Condition): string => (one.kind === 'group' ? writeGroup(one) : writeComparison(one, true));

const writeGroup = ({ isNegated, joinedBy, conditions }: Group) =>
  `${isNegated ? 'not.' : ''}${joinedBy}${bracketed(conditions)}`;

/** column.not.eq.value, as it stands in a group. */
export function writeComparison(one: Comparison, isInGroup: boolean): string {
  const not = one.isNegated ? 'not.' : '';
  return `${writeColumnRef(one.target)}.${not}${operatorOf(one)}.${writeValue(one.value, isInGroup)}`;
}

function operatorOf({ operator, modifier }: Comparison): string {
  return modifier === null ? operator : `${operator}(${modifier})`;
}

/** Text goes in quotes where the library would take it for a number, a list or a word of its own. */
export function writeValue(value: Value, isInGroup: boolean): string {
  if (value.kind === 'plain') return value.text;
  if (value.kind === 'text') return isInGroup || needsQuotes(value.text) ? `"${value.text}"` : value.text;
  const elements = value.elements.map(({ text, isText }) => (isText ? `"${escaped(text)}"` : text));
  return `${value.brackets[0]}${elements.join(',')}${value.brackets[1]}`;
}

const escaped = (text: string) => text.replace(/[\\"]/g, '\\$&');

const ownWords = new Set(['null', 'not_null', 'true', 'false', 'unknown']);

function needsQuotes(text: string): boolean {
  return (
    text === '' ||
    text !== text.trim() ||
    /^["{[(]/.test(text) ||
    !Number.isNaN(Number(text)) ||
    ownWords.has(text.toLowerCase()) ||
    // As an argument of a function it would look like a comparison.
    /^\w+(\([^)]*\))?\./.test(text)
  );
}
