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
};

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

/** From '2026-11-16T04:01:39.930+00:00' as well as '2026-11-16 04:01:39.93+00', which not every browser reads. */
export function momentFrom(value: unknown): Date | null {
  const match = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-]\d\d):?(\d\d)?)?$/i.exec(String(value));
  if (!match) return null;
  const [, day, time, fraction = '', zoneHours = '+00', zoneMinutes = '00'] = match;
  const moment = new Date(`${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zoneHours}:${zoneMinutes}`);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

const dayInIndia = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'Asia/Kolkata',
});

export function formatDay(moment: Date): string {
  return dayInIndia.format(moment);
}

/** A row of product_reviews(). */
export function reviewFrom(row: unknown): Review {
  const { id, content, rating, created_at, updated_at, user_id, author_name, author_avatar_url } = row as Record<
    string,
    unknown
  >;
  return {
    id: Number(id),
    content: String(content ?? ''),
    rating: Number(rating),
    createdAt: momentFrom(created_at),
    edited: updated_at !== null && updated_at !== undefined,
    userId: String(user_id),
    author: textOf(author_name) ?? anonymous,
    avatarUrl: textOf(author_avatar_url),
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
