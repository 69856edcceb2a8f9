import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dependenciesPage, isAllowedLicence, lineOf, readDependencies } from './list-dependencies.ts';

const root = join(import.meta.dirname, '..');
const dependencies = readDependencies();
const ofTheShop = dependencies.filter(({ use }) => use === 'shop');

test.each([
  ['MIT', true],
  ['Apache-2.0', true],
  ['MIT OR GPL-3.0-only', true],
  ['(GPL-3.0-only OR ISC)', true],
  ['Apache-2.0 AND LGPL-3.0-or-later', false],
  ['AGPL-3.0-only', false],
  ['MPL-2.0', false],
  ['SEE LICENSE IN LICENSE', false],
  ['UNLICENSED', false],
  ['unknown', false],
  ['', false],
])('%j is allowed: %s', (licence, expected) => {
  expect(isAllowedLicence(licence)).toBe(expected);
});

test('everything the running shop is made of, what came along included, has an allowed licence', () => {
  expect(ofTheShop.length).toBeGreaterThan(100);
  expect(ofTheShop.filter(({ isDirect }) => isDirect).length).toBeGreaterThan(15);
  expect(ofTheShop.filter(({ licence }) => !isAllowedLicence(licence)).map(lineOf)).toEqual([]);
});

test('what is installed says the same of its licence as the lock file', () => {
  const installed = ofTheShop.flatMap(({ name, version, licence }) => {
    const file = join(root, 'node_modules', name, 'package.json');
    const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    return manifest.version === version && typeof manifest.license === 'string'
      ? [[name, licence, manifest.license]]
      : [];
  });
  expect(installed.length).toBeGreaterThan(80);
  expect(installed.filter(([, locked, said]) => locked !== said)).toEqual([]);
});

test('docs/dependencies.md lists every package in its version, and no other', () => {
  const lines = readFileSync(dependenciesPage, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const expected = new Set(dependencies.map(lineOf));
  expect(new Set(lines.map((line) => [...expected].find((start) => line.startsWith(start)) ?? line))).toEqual(expected);
  expect(lines).toHaveLength(expected.size);
  for (const line of lines) expect(line).toMatch(/\| \d{4}-\d\d-\d\d \|/);
});
