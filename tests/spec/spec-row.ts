import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One text, limit, default or constant of the specification, and the file that keeps it. */
export type SpecRow = {
  /** Section of the specification. */
  section: 2 | 4 | 5 | 7 | 8 | 9;
  what: string;
  keptIn: string;
} & (
  | {
      /** The very words, as the specification has them; {name} stands for a value put in. */
      text: string;
    }
  | {
      /** The line of code that holds the value, where it cannot be imported. */
      source: string;
    }
  | { value: unknown; is: unknown }
);

const root = join(import.meta.dirname, '../..');

export function sourceOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** True when the words stand in the source by themselves: between quotes, tags or lines, not inside a longer sentence. */
export function standsIn(source: string, text: string): boolean {
  const words = text
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'"))
    .join('\\$\\{[^}]+\\}');
  return new RegExp(`(^|[>'"\`]|\\n\\s*)${words}\\s?([<'"\`]|\\{' '\\}|\\s*\\n|$)`).test(source);
}

export function nameOf(row: SpecRow): string {
  return `${row.section}: ${row.what} (${row.keptIn})`;
}
