import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

const rules = page
  .slice(page.indexOf('## Rules'))
  .split('\n')
  .filter((line) => /^\| \w/.test(line) && !line.startsWith('| threat |'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const named = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const isPath = (name: string) => /^[\w.-]+(\/[\w.-]+)+$|^[\w.]+\.ts$/.test(name);

describe('the security page', () => {
  test('has a place in the code and a test for every rule', () => {
    expect(rules.length).toBeGreaterThan(35);
    for (const [, threat, rule, place, kept] of rules) {
      expect(rule, threat).not.toBe('');
      expect(named(place).filter(isPath).length, threat).toBeGreaterThan(0);
      expect(named(kept).length, threat).toBeGreaterThan(0);
    }
  });

  test('names places that are there', () => {
    const places = [
      ...rules.flatMap(([, , , place]) => named(place)),
      ...named(page).filter((name) => /\.ts$/.test(name)),
    ];
    expect(places.filter((place) => !place.includes(' › ') && !existsSync(join(root, place)))).toEqual([]);
  });

  test('names tests that are there, by their titles', () => {
    const tests = rules.flatMap(([, , , , kept]) => named(kept)).map((name) => name.split(' › '));
    expect(tests.filter(([file = '']) => !/\.(test|spec)\.ts$/.test(file))).toEqual([]);
    const missing = tests.filter(([file = '', title]) => {
      if (!existsSync(join(root, file))) return true;
      return title !== undefined && !titlesIn(readFileSync(join(root, file), 'utf8')).includes(title);
    });
    expect(missing).toEqual([]);
  });
});

/** What stands in quotes at the beginning of an argument: the titles of tests and groups are among it. */
function titlesIn(source: string): string[] {
  const quoted = /(?<=[(\s])(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(?=,)/g;
  return [...source.matchAll(quoted)].map(([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1'));
}
