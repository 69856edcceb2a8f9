import { readAsVisitor, type ShopClient } from '#app/backend/client.ts';
import type { SignedIn } from '#app/backend/session.tsx';
import type { PublicConfig } from '#app/shop-context.ts';
import { type OwnReview, type Review, type ReviewSummary, reviewFrom, summaryFrom } from './review.ts';

export const reviewsPerPage = 20;

/** What is published is the same for everybody, so reading it never waits for a session. */
export async function readReviews(
  config: PublicConfig,
  productId: number,
  beforeId?: number,
): Promise<{ reviews: Review[]; more: boolean }> {
  const before = beforeId === undefined ? '' : `&before_id=${beforeId}`;
  const path = `rpc/product_reviews?product_id=${productId}&max_rows=${reviewsPerPage + 1}${before}`;
  const rows = ((await readAsVisitor(config, path)) as unknown[]).map(reviewFrom);
  return { reviews: rows.slice(0, reviewsPerPage), more: rows.length > reviewsPerPage };
}

export async function readSummary(config: PublicConfig, productId: number): Promise<ReviewSummary> {
  const rows = await readAsVisitor(config, `Products?select=Rating,review_count&Id=eq.${productId}`);
  return summaryFrom((rows as unknown[])[0]);
}

/** The caller's review of a product, wherever it stands in the list, also while an administrator hides it. */
export async function readOwnReview(client: ShopClient, productId: number, userId: string): Promise<OwnReview | null> {
  const { data, error } = await client
    .from('comments')
    .select('id, content, rating')
    .eq('product_id', productId)
    .eq('user_id', userId)
    .maybeSingle();
  if (error) throw error;
  return data;
}

export type Submitted =
  | { ok: true; own: OwnReview }
  | { ok: false; reason: 'too-many' | 'already-reviewed' | 'failed' };

export async function insertReview(
  client: ShopClient,
  { productId, who, rating, content }: { productId: number; who: SignedIn; rating: number; content: string },
): Promise<Submitted> {
  const { data, error, status } = await client
    .from('comments')
    .insert({ content, rating, product_id: productId, user_id: who.id })
    .select('id, content, rating')
    .single();
  if (!error) return { ok: true, own: data };
  if (status === 429 || error.code === 'PT429') return { ok: false, reason: 'too-many' };
  if (status === 409 || error.code === 'PT409') return { ok: false, reason: 'already-reviewed' };
  return { ok: false, reason: 'failed' };
}

export type Updated = { ok: true } | { ok: false; tooMany: boolean };

/** A row that is not one's own is not an error for the database, it is just not found: no row, no success. */
export async function updateReview(client: ShopClient, id: number, content: string): Promise<Updated> {
  const { data, error, status } = await client.from('comments').update({ content }).eq('id', id).select('id');
  if (!error && data.length === 1) return { ok: true };
  return { ok: false, tooMany: status === 429 || error?.code === 'PT429' };
}

export async function deleteReview(client: ShopClient, id: number): Promise<boolean> {
  const { data, error } = await client.from('comments').delete().eq('id', id).select('id');
  return !error && data.length === 1;
}
