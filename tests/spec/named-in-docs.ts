import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');
export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The part of a page below a heading of the second level. */
export function sectionOf(page: string, heading: string): string {
  const [, rest = ''] = page.split(`\n## ${heading}\n`);
  return rest.split('\n## ')[0] ?? '';
}

/** The cells of each row of the tables in a text, without heads. A row begins and ends with a bar, so cells[0] is empty. */
export const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line, at, lines) => /^\| \S/.test(line) && !/^\|---/.test(lines[at + 1] ?? ''))
    .map((line) => line.split('|').map((cell) => cell.trim()));

export const named = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

export const missingFiles = (names: readonly string[]): string[] =>
  names.filter((name) => !existsSync(join(root, name)));

/** Those of `file › title` or `file` that name no test file, or a title that is not in it. */
export function missingTests(names: readonly string[]): string[] {
  return names.filter((name) => {
    const [file = '', title] = name.split(' › ');
    if (!/\.(test|spec)\.tsx?$/.test(file) || !existsSync(join(root, file))) return true;
    return title !== undefined && !titlesIn(readPage(file)).includes(title);
  });
}

/** What stands in quotes at the beginning of an argument: the titles of tests and groups are among it. */
function titlesIn(source: string): string[] {
  const quoted = /(?<=[(\s])(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")(?=,)/g;
  return [...source.matchAll(quoted)].map(([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1'));
}
