/** Storage may be switched off or full; then nothing is remembered and nothing breaks. */
export function remember(store: 'localStorage' | 'sessionStorage', key: string, value: string): void {
  try {
    window[store].setItem(key, value);
  } catch {}
}

export function recall(store: 'localStorage' | 'sessionStorage', key: string): string | null {
  try {
    return window[store].getItem(key);
  } catch {
    return null;
  }
}
