import { randomUUID } from 'node:crypto';

/** What a proxy may name a request: nothing that could break a line of the log or a header. */
const plain = /^[\w.-]{1,64}$/;

/** One name for a request, in the log, in the answer and on the page that tells of trouble. */
export function requestIdOf(given: string | string[] | null | undefined, trustProxy: boolean): string {
  return trustProxy && typeof given === 'string' && plain.test(given) ? given : randomUUID();
}
