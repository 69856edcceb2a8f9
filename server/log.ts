export type LogEntry = { level: 'info' | 'warn' | 'error'; event: string; [field: string]: unknown };
export type Log = (entry: LogEntry) => void;

/** One line of JSON per entry. Callers never pass personal data, codes, tokens or keys. */
export const logToStdout: Log = (entry) => {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`);
};

/** What of an unknown error may be written down: its kind and message, and where it came from. */
export function describeError(error: unknown): { name: string; message: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'Unknown', message: String(error) };
  return { name: error.name, message: error.message, ...(error.stack ? { stack: error.stack } : {}) };
}
