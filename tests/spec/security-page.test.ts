import { describe, expect, test } from 'vitest';
import { missingFiles, missingTests, named, readPage, rowsOf, sectionOf } from './named-in-docs.ts';

const page = readPage('docs/security.md');
const rules = rowsOf(sectionOf(page, 'Rules'));
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
    expect(missingFiles(places.filter((place) => !place.includes(' › ')))).toEqual([]);
  });

  test('names tests that are there, by their titles', () => {
    expect(missingTests(rules.flatMap(([, , , , kept]) => named(kept)))).toEqual([]);
  });
});
