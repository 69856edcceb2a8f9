import { type RefObject, useEffect } from 'react';

// A form knows fields, not lines: what is wrong with lines is kept together under the one name `lines`.

export const packErrors = (errors: Record<string, string>): { lines: string } => ({ lines: JSON.stringify(errors) });

export function unpackErrors(packed: string | undefined): Record<string, string> {
  return packed?.startsWith('{') ? JSON.parse(packed) : {};
}

/** Once lines are refused, the first of what is wrong gets the focus. */
export function useFocusOnErrors(form: RefObject<HTMLFormElement | null>, packed: string | undefined): void {
  const isRefused = packed !== undefined;
  useEffect(() => {
    const wrong = isRefused ? form.current?.querySelector<HTMLElement>('[aria-invalid]') : null;
    wrong?.focus();
  }, [form, isRefused]);
}
