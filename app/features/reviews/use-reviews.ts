import { useCallback, useEffect, useRef, useState } from 'react';
import { type Session, useSession } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type Review, type ReviewSummary, summaryWith, summaryWithout } from './review.ts';
import { deleteReview, insertReview, readReviews, readSummary, updateReview } from './review-backend.ts';

export type ReviewList = { reviews: Review[]; more: boolean };
export type OnChange = (summary: ReviewSummary) => void;

/** The reviews of a product and what one may do with them; every action says how it went and answers whether it did. */
export function useReviews(productId: number, initial: ReviewSummary | undefined, onChange: OnChange | undefined) {
  const session = useSession();
  const { config } = session;
  const [list, setList] = useState<ReviewList | null>(null);
  const [summary, setSummary] = useState<ReviewSummary | null>(initial ?? null);
  const [failed, setFailed] = useState(false);
  const tell = useRef(onChange);
  useEffect(() => {
    tell.current = onChange;
  });

  const settle = useCallback((next: ReviewSummary) => {
    setSummary(next);
    tell.current?.(next);
  }, []);

  const load = useCallback(async () => {
    setFailed(false);
    try {
      const [first, all] = await Promise.all([readReviews(config, productId), readSummary(config, productId)]);
      setList(first);
      settle(all);
    } catch {
      setFailed(true);
      toast('error', 'Could not load comments.');
    }
  }, [config, productId, settle]);

  useEffect(() => void load(), [load]);

  /** Shown at once as reckoned here, then as the database has it. */
  async function recount(guess: ReviewSummary) {
    settle(guess);
    settle(await readSummary(config, productId).catch(() => guess));
  }

  return {
    list,
    summary,
    failed,
    load,

    async showMore(): Promise<Review | undefined> {
      const { reviews: shown } = list ?? { reviews: [] };
      try {
        const { reviews, more } = await readReviews(config, productId, shown.at(-1)?.id);
        const added = reviews.filter(({ id }) => !shown.some((known) => known.id === id));
        setList({ reviews: [...shown, ...added], more });
        return added[0];
      } catch {
        toast('error', 'Could not load comments.');
      }
    },

    async submit(rating: number, content: string): Promise<boolean> {
      const { who } = session;
      const result = await attempt(session, async (client) =>
        who ? insertReview(client, { productId, who, rating, content }) : null,
      );
      if (!result?.ok) {
        toast('error', 'Failed to submit your review.');
        if (result?.tooMany) toast('warning', 'You can write five reviews an hour. Please try again a little later.');
        return false;
      }
      setList((before) => ({ reviews: [result.review, ...(before?.reviews ?? [])], more: before?.more ?? false }));
      toast('success', 'Your review has been submitted!');
      void recount(summaryWith(summary ?? { average: null, count: 0 }, rating));
      return true;
    },

    async update(review: Review, content: string): Promise<boolean> {
      if (!(await attempt(session, (client) => updateReview(client, review.id, content)))) {
        toast('error', 'Failed to update comment.');
        return false;
      }
      setList((before) => before && changed(before, review.id, (known) => [{ ...known, content, edited: true }]));
      toast('success', 'Your comment has been updated.');
      return true;
    },

    async remove(review: Review): Promise<boolean> {
      if (!(await attempt(session, (client) => deleteReview(client, review.id)))) {
        toast('error', 'Failed to delete comment.');
        return false;
      }
      setList((before) => before && changed(before, review.id, () => []));
      toast('success', 'Your comment has been deleted.');
      void recount(summaryWithout(summary ?? { average: null, count: 0 }, review.rating));
      return true;
    },
  };
}

/** null when the backend could not be reached. */
async function attempt<T>(
  session: Session,
  act: (client: Awaited<ReturnType<Session['client']>>) => Promise<T>,
): Promise<T | null> {
  try {
    return await act(await session.client());
  } catch {
    return null;
  }
}

function changed(list: ReviewList, id: number, change: (review: Review) => Review[]): ReviewList {
  return { ...list, reviews: list.reviews.flatMap((review) => (review.id === id ? change(review) : [review])) };
}
