import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads built stylesheets by their paths, each once: their names change with their contents. */
export function stylesheetReader(clientDir: string): (paths: readonly string[]) => string {
  const texts = new Map<string, string>();
  const read = (path: string): string => {
    const text = texts.get(path) ?? readFileSync(join(clientDir, path), 'utf8');
    texts.set(path, text);
    return text;
  };
  return (paths) => paths.map(read).join('');
}
