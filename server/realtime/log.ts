/** Never personal data, never tokens. */
export type Log = (event: { level: 'info' | 'warn' | 'error'; event: string; [field: string]: unknown }) => void;
