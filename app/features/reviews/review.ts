import { instantFrom } from '#domain/time.ts';

export type Review = {
  id: number;
  content: string;
  rating: number;
  /** null where the backend's text is not a moment. */
  createdAt: Date | null;
  edited: boolean;
  userId: string;
  author: string;
  avatarUrl: string | null;
  /** Calculated by the database: the author paid for this product, or got it. */
  isVerified: boolean;
};

/** What an author needs to edit or delete the one review of a product. */
export type OwnReview = Pick<Review, 'id' | 'content' | 'rating'>;
/** A review being typed, without an author. */
export type NewReview = Pick<Review, 'content' | 'rating'>;

/** Of all published reviews, not only of those on the page. */
export type ReviewSummary = { average: number | null; count: number };

export const anonymous = 'Anonymous';
/** As the database counts: characters, not UTF-16 units. */
export const maxCommentLength = 2000;

export function commentLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** What is sent: PostgreSQL knows no NUL, and half an emoji is no text. */
export function cleanComment(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().trim();
}

/** Shown with its line breaks, but not with a screenful of them. */
export function shownComment(text: string): string {
  return text.replace(/\s*\n\s*\n\s*/g, '\n\n');
}

/** A row of product_reviews(). */
export function reviewFrom(row: unknown): Review {
  const fields = row as Record<string, unknown>;
  const { id, content, rating, created_at, updated_at, user_id, author_name, author_avatar_url, is_verified } = fields;
  return {
    id: Number(id),
    content: String(content ?? ''),
    rating: Number(rating),
    createdAt: instantFrom(String(created_at)),
    edited: updated_at !== null && updated_at !== undefined,
    userId: String(user_id),
    author: textOf(author_name) ?? anonymous,
    avatarUrl: textOf(author_avatar_url),
    isVerified: is_verified === true,
  };
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** A row of Products; numeric columns may be texts. */
export function summaryFrom(row: unknown): ReviewSummary {
  const { Rating, review_count } = (row ?? {}) as Record<string, unknown>;
  const count = Number(review_count ?? 0);
  return { average: count > 0 && Rating !== null ? Number(Rating) : null, count };
}

export function summaryWith({ average, count }: ReviewSummary, rating: number): ReviewSummary {
  return { average: ((average ?? 0) * count + rating) / (count + 1), count: count + 1 };
}

export function summaryWithout({ average, count }: ReviewSummary, rating: number): ReviewSummary {
  if (count <= 1) return { average: null, count: 0 };
  return { average: ((average ?? 0) * count - rating) / (count - 1), count: count - 1 };
}
