import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { z } from '#contracts/z.ts';

type TextShape = Record<string, z.ZodType<unknown, string | undefined>>;

/**
 * What a screen shows, kept in its address: a link to it, a reload and Back all lead to the same. `schema` is an object
 * of texts that each have a default (`z.string().catch('')`); what is wrong in an address falls back to it. The cursor
 * of a list is `after`: it goes as soon as anything else changes.
 */
export function useUrlState<Schema extends z.ZodObject<TextShape>>(
  schema: Schema,
): [
  state: z.infer<Schema>,
  set: (changes: Partial<z.infer<Schema>>) => void,
  hrefFor: (changes: Partial<z.infer<Schema>>) => string,
] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const state = useMemo(() => schema.parse(textsIn(search)), [schema, search]);

  const hrefFor = useCallback(
    (changes: Partial<z.infer<Schema>>) => {
      const defaults = schema.parse({}) as Record<string, unknown>;
      const next = { ...(state as Record<string, unknown>), ...changes };
      if (!('after' in changes)) delete next.after;
      const params = new URLSearchParams();
      for (const [name, value] of Object.entries(next))
        if (value !== undefined && value !== '' && value !== defaults[name]) params.set(name, String(value));
      const query = params.toString();
      return query ? `${pathname}?${query}` : pathname;
    },
    [schema, state, pathname],
  );
  const set = useCallback(
    (changes: Partial<z.infer<Schema>>) => {
      // A search that starts after leaving the page must not navigate back to it.
      if (window.location.pathname !== pathname) return;
      void navigate(hrefFor(changes), { replace: true, preventScrollReset: true });
    },
    [navigate, hrefFor, pathname],
  );
  return [state, set, hrefFor];
}

/** What an address says, by name. No text in the database has the character 0: it is dropped instead of refused. */
export function textsIn(search: string): Record<string, string> {
  const texts = [...new URLSearchParams(search)].map(([name, text]) => [name, text.replaceAll('\0', '')]);
  return Object.fromEntries(texts);
}

/** A list's cursor as part of an address. */
export const cursorToText = (cursor: unknown): string => (cursor === null ? '' : JSON.stringify(cursor));

/** null for anything that is not one. The database checks what is in it. */
export function cursorFromText(text: string): Record<string, unknown> | null {
  try {
    if (text.includes('\\u0000')) return null;
    const cursor: unknown = JSON.parse(text);
    return typeof cursor === 'object' && cursor !== null && !Array.isArray(cursor)
      ? (cursor as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
