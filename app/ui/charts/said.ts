/** What an unknown value is called. */
export function said(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? 'unknown' : format(value);
}
