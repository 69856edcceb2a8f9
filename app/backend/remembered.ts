type Store = 'localStorage' | 'sessionStorage';

/** Storage may be switched off or full; then nothing is remembered and nothing breaks. Tells whether it was. */
export function remember(store: Store, key: string, value: string): boolean {
  try {
    window[store].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

export function recall(store: Store, key: string): string | null {
  try {
    return window[store].getItem(key);
  } catch {
    return null;
  }
}

export function forget(store: Store, key: string): void {
  try {
    window[store].removeItem(key);
  } catch {}
}
