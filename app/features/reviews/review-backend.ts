import { readAsVisitor, type ShopClient } from '#app/backend/client.ts';
import type { SignedIn } from '#app/backend/session.tsx';
import type { PublicConfig } from '#app/shop-context.ts';
import { instantFrom } from '#domain/time.ts';
import { anonymous, type Review, type ReviewSummary, reviewFrom, summaryFrom, textOf } from './review.ts';

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

export type Submitted = { ok: true; review: Review } | { ok: false; tooMany: boolean };

export async function insertReview(
  client: ShopClient,
  { productId, who, rating, content }: { productId: number; who: SignedIn; rating: number; content: string },
): Promise<Submitted> {
  const { data, error, status } = await client
    .from('comments')
    .insert({ content, rating, product_id: productId, user_id: who.id })
    .select('id, content, rating, created_at')
    .single();
  if (error) return { ok: false, tooMany: status === 429 || error.code === 'PT429' };
  // The list names authors as the database does, which may differ from what the session says.
  const { data: author } = await client.rpc('get_user_info', { user_id: who.id });
  const { name, avatar_url } = ([author].flat()[0] ?? {}) as { name?: unknown; avatar_url?: unknown };
  const review: Review = {
    id: data.id,
    content: data.content,
    rating: data.rating,
    createdAt: instantFrom(String(data.created_at)),
    edited: false,
    userId: who.id,
    author: textOf(name) ?? anonymous,
    avatarUrl: textOf(avatar_url),
  };
  return { ok: true, review };
}

/** A row that is not one's own is not an error for the database, it is just not found: no row, no success. */
export async function updateReview(client: ShopClient, id: number, content: string): Promise<boolean> {
  const { data, error } = await client.from('comments').update({ content }).eq('id', id).select('id');
  return !error && data.length === 1;
}

export async function deleteReview(client: ShopClient, id: number): Promise<boolean> {
  const { data, error } = await client.from('comments').delete().eq('id', id).select('id');
  return !error && data.length === 1;
}
