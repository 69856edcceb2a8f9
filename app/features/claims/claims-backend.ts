import { useMemo } from 'react';
import { useSession } from '#app/backend/session.tsx';
import type { OrderClaims } from '#contracts/claims.ts';
import type { ClaimProblem } from '#domain/claims/claim.ts';

/** Who asks: the signed-in customer about one of their orders, or the holder of an order's signed link. */
export type ClaimCaller = { order: string; link?: undefined } | { link: string; order?: undefined };

export type NewClaim = {
  items: { order_item_id: number; quantity: number; problem: ClaimProblem }[];
  words: string;
  entry: string;
};
export type Answer<T> = { ok: true; data: T } | { ok: false; message: string };
export type ClaimsBackend = ReturnType<typeof useClaimsBackend>;

const noAnswer = { ok: false, message: 'We couldn’t reach the shop. Check your connection and try again.' } as const;

/** The function `claim`, as the caller. The answers are read as their contracts say: the function checked them. */
export function useClaimsBackend({ order, link }: ClaimCaller) {
  const { config, token } = useSession();
  return useMemo(() => {
    async function send<T>(query: string, body?: Blob | object): Promise<Answer<T>> {
      const access = link ? null : await token();
      if (access && !access.ok) return { ok: false, message: 'Please log in again.' };
      const isFile = body instanceof Blob;
      try {
        const response = await fetch(`${config.url ?? window.location.origin}/functions/v1/claim${query}`, {
          method: body ? 'POST' : 'GET',
          headers: {
            apikey: config.key,
            ...(access ? { authorization: `Bearer ${access.token}` } : {}),
            ...(link ? { 'x-order-link': link } : {}),
            ...(body ? { 'content-type': isFile ? body.type : 'application/json' } : {}),
          },
          ...(body ? { body: isFile ? body : JSON.stringify(body) } : {}),
        });
        const data = await response.json();
        if (response.ok) return { ok: true, data: data as T };
        const message = data?.error?.message;
        return typeof message === 'string' ? { ok: false, message } : noAnswer;
      } catch {
        return noAnswer;
      }
    }
    const named = order ? { order } : {};
    return {
      read: () => send<OrderClaims>(order ? `?order=${order}` : ''),
      open: (claim: NewClaim) => send<{ id: string; ticket: string }>('', { do: 'open', ...named, ...claim }),
      answer: (claim: string, words: string, entry: string) =>
        send<{ ok: true }>('', { do: 'answer', claim, words, entry }),
      addPhoto: (claim: string, photo: { entry: string; blob: Blob }) =>
        send<{ id: string }>(`?claim=${claim}&entry=${photo.entry}`, photo.blob),
    };
  }, [order, link, config, token]);
}
