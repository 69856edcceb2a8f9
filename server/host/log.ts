import { AsyncLocalStorage } from 'node:async_hooks';

export type LogEntry = { level: 'info' | 'warn' | 'error'; event: string; [field: string]: unknown };
export type Log = (entry: LogEntry) => void;

const requestIds = new AsyncLocalStorage<string>();

/** Log entries made during a request have its id. */
export function withRequestId<T>(id: string, work: () => T): T {
  return requestIds.run(id, work);
}

const togetherMs = 10;
let waiting = '';

/** Lines of the same moment go out together: each write to a pipe stops the process until it is taken. */
function flush(): void {
  const lines = waiting;
  waiting = '';
  if (lines) process.stdout.write(lines);
}
process.on('exit', flush);

/**
 * Who has the signed link of an order may follow it, so its token is a key. It is part of a path, and a path is in requests and in
 * messages of errors.
 */
const linkToken = /(?<=\/order\/)[^\s"\\?#/]+|(?<![\w-])[\w-]{72}(?![\w-])/g;

/** One line of JSON per entry. Callers never pass personal data, codes, tokens or keys. */
export const logToStdout: Log = (entry) => {
  const id = requestIds.getStore();
  if (!waiting) setTimeout(flush, togetherMs).unref();
  const line = JSON.stringify({ at: new Date().toISOString(), ...(id ? { id } : {}), ...entry });
  waiting += `${line.replace(linkToken, '[token]')}\n`;
};

/** What of an unknown error may be written down: its kind and message, and where it came from. */
export function describeError(error: unknown): { name: string; message: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'Unknown', message: String(error) };
  return { name: error.name, message: error.message, ...(error.stack ? { stack: error.stack } : {}) };
}
