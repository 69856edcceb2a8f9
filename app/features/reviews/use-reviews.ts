import { useCallback, useEffect, useRef, useState } from 'react';
import { type Session, useSession } from '#app/backend/session.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type OwnReview, type Review, type ReviewSummary, summaryWith, summaryWithout } from './review.ts';
import { deleteReview, insertReview, readOwnReview, readReviews, readSummary, updateReview } from './review-backend.ts';

export type ReviewList = { reviews: Review[]; more: boolean };
export type OnChange = (summary: ReviewSummary) => void;

/** The reviews of a product and what one may do with them; every action says how it went and answers whether it did. */
export function useReviews(productId: number, initial: ReviewSummary | undefined, onChange: OnChange | undefined) {
  const session = useSession();
  const { config, who, client } = session;
  const [own, setOwn] = useState<OwnReview | null | 'loading'>('loading');
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
      // Without a network the page says so already.
      if (navigator.onLine) toast('error', 'Could not load comments.');
    }
  }, [config, productId, settle]);

  useEffect(() => void load(), [load]);

  const userId = who?.id;
  const findOwn = useCallback(async (): Promise<OwnReview | null> => {
    if (!userId) return null;
    // Where it cannot be read, the form is offered: the database refuses a second review.
    return client()
      .then((backend) => readOwnReview(backend, productId, userId))
      .catch(() => null);
  }, [client, productId, userId]);

  useEffect(() => {
    let isCurrent = true;
    setOwn('loading');
    void findOwn().then((found) => isCurrent && setOwn(found));
    return () => {
      isCurrent = false;
    };
  }, [findOwn]);

  /** Shows the calculated figures at once, then the database's. */
  async function recount(guess: ReviewSummary) {
    settle(guess);
    settle(await readSummary(config, productId).catch(() => guess));
  }

  return {
    list,
    own,
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

    /** Answers the customer's one review where there is one already: it is opened with the new text. */
    async submit(rating: number, content: string): Promise<'done' | 'failed' | 'already-reviewed'> {
      const result = await attempt(session, async (backend) =>
        who ? insertReview(backend, { productId, who, rating, content }) : null,
      );
      if (!result?.ok) {
        const earlier = result?.reason === 'already-reviewed' ? await findOwn() : null;
        if (earlier) {
          setOwn(earlier);
          toast('warning', 'You have already reviewed this product. You can edit your review here.');
          // It was written elsewhere since: the list does not have it yet.
          void load();
          return 'already-reviewed';
        }
        toast('error', 'Failed to submit your review.');
        if (result?.reason === 'too-many')
          toast('warning', 'You can write five reviews an hour. Please try again a little later.');
        return 'failed';
      }
      setOwn(result.own);
      toast('success', 'Your review has been submitted!');
      // Read back with its author and whether it is verified, which only the database knows.
      const { reviews } = await readReviews(config, productId).catch(() => ({ reviews: [] }));
      const written = reviews.find(({ id }) => id === result.own.id);
      if (written)
        setList((before) => ({ reviews: [written, ...(before?.reviews ?? [])], more: before?.more ?? false }));
      void recount(summaryWith(summary ?? { average: null, count: 0 }, rating));
      return 'done';
    },

    async update(review: OwnReview, content: string): Promise<boolean> {
      const result = await attempt(session, (backend) => updateReview(backend, review.id, content));
      if (!result?.ok) {
        toast('error', 'Failed to update comment.');
        if (result?.tooMany) toast('warning', 'You can edit reviews twenty times an hour. Please try again later.');
        return false;
      }
      setOwn({ id: review.id, rating: review.rating, content });
      setList((before) => before && changed(before, review.id, (known) => [{ ...known, content, edited: true }]));
      toast('success', 'Your comment has been updated.');
      return true;
    },

    async remove(review: OwnReview): Promise<boolean> {
      if (!(await attempt(session, (backend) => deleteReview(backend, review.id)))) {
        toast('error', 'Failed to delete comment.');
        return false;
      }
      setOwn(null);
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
