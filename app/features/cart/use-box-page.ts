import { startTransition, useCallback, useEffect, useState } from 'react';
import { readAsVisitor } from '#app/backend/client.ts';
import { recall, remember } from '#app/backend/remembered.ts';
import type { PublicConfig } from '#app/shop-context.ts';
import type { BoxPage } from '#domain/boxes/box.ts';
import { type BoxRows, boxPageFrom } from '#domain/boxes/read-box-page.ts';

const key = 'mithaas-box-page';

export type KnownBoxPage = { page: BoxPage | null; failed: boolean; retry(): void };

/** Sizes and sweets as the shop sells them now; what it said last where it cannot be reached. */
export function useBoxPage(config: PublicConfig): KnownBoxPage {
  const [page, setPage] = useState<BoxPage | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [failedAttempt, setFailedAttempt] = useState<number | null>(null);
  // Another attempt reads the same again.
  useEffect(() => {
    let isStale = false;
    const show = (rows: BoxRows) => isStale || startTransition(() => setPage(boxPageFrom(rows)));
    readAsVisitor(config, `rpc/box_page`).then(
      (rows) => {
        remember('localStorage', key, JSON.stringify(rows));
        show(rows as BoxRows);
      },
      () => {
        const rows = rememberedRows();
        if (rows) show(rows);
        else if (!isStale) setFailedAttempt(attempt);
      },
    );
    return () => {
      isStale = true;
    };
  }, [config, attempt]);
  return {
    page,
    failed: failedAttempt === attempt,
    retry: useCallback(() => setAttempt((count) => count + 1), []),
  };
}

function rememberedRows(): BoxRows | null {
  try {
    return JSON.parse(recall('localStorage', key) ?? 'null');
  } catch {
    return null;
  }
}
