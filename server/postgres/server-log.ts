import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Put before each line by `log_line_prefix`: the kind of server process. */
export const LINE_PREFIX = '%b|';

const TAIL_LINES = 20;

/** Passes on what an operator should know, and keeps the last lines for the message of a failed start. */
export function followServerLog(stream: Readable, log: (message: string) => void): { tail(): string[] } {
  const tail: string[] = [];
  createInterface({ input: stream }).on('line', (line) => {
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    if (isWorthTelling(line)) log(`postgres: ${line}`);
  });
  return { tail: () => [...tail] };
}

/**
 * Errors of client sessions are not passed on: the client is told and decides, and the text may quote a customer's
 * data. PostgreSQL ranks news such as "ready" as LOG, above ERROR; of those only a crash is worth telling.
 */
export function isWorthTelling(line: string): boolean {
  const [, process, level, message = ''] = line.match(/^([^|]*)\|([A-Z]+): {2}(.*)/) ?? [];
  if (level === 'PANIC' || level === 'WARNING') return true;
  if (level === 'ERROR' || level === 'FATAL')
    return process !== 'client backend' && !message.endsWith('due to administrator command'); // ended with the server
  return (
    level === 'LOG' && process === 'postmaster' && /terminated by|exited with exit code|reinitializing/.test(message)
  );
}

/** One message for a program of PostgreSQL that failed: what to do if we know, and its own last words. */
export function explainFailure(what: string, lastLines: readonly string[]): string {
  const text = lastLines.join('\n');
  const advice = KNOWN_CAUSES.find(([pattern]) => pattern.test(text))?.[1];
  return [advice ? `${what}: ${advice}` : `${what}.`, ...lastLines.map((line) => `  ${line}`)].join('\n');
}

const KNOWN_CAUSES: readonly [RegExp, string][] = [
  [/No space left on device|Disk quota exceeded/, 'the disk is full. Free some space and start again.'],
  [/error while loading shared libraries|Library not loaded/, 'a library is missing. Run "npm install" again.'],
  [/Cannot allocate memory|could not (map|create).* shared memory/, 'there is not enough memory.'],
  [/wrong ownership|Permission denied/, 'a folder belongs to another user. Start the shop as its owner.'],
  [/could not look up effective user ID/, 'our uid has no account. Start the shop under one listed in /etc/passwd.'],
  [/invalid permissions/, 'the permissions of the data folder were changed. It must be 0700.'],
];
