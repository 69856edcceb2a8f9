import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const clientDir = join(import.meta.dirname, '../build/client');

/** KiB of JavaScript, brotli, that a page's HTML refers to: every file it loads or preloads. */
export async function firstLoadKib(html: string): Promise<number> {
  const files = new Set(
    [...html.matchAll(/(?:href|src|import)\s*[=(]?\s*"(\/assets\/[^"]+\.js)"/g)].map((match) => match[1] ?? ''),
  );
  let bytes = 0;
  for (const file of files) bytes += brotliCompressSync(await readFile(join(clientDir, file))).length;
  return bytes / 1024;
}
