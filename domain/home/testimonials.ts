export type Testimonial = { id: number; title: string; author: string; text: string; stars: number };

export const testimonialsShown = 5;
export const testimonialCacheMilliseconds = 14_400_000;
const maxStars = 5;

/** Parses testimonials of the Data API or the cache; invalid entries are dropped. */
export function testimonialsFrom(value: unknown): Testimonial[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((row: unknown) => testimonialFrom(row) ?? []).slice(0, testimonialsShown);
}

function testimonialFrom(row: unknown): Testimonial | null {
  if (typeof row !== 'object' || row === null) return null;
  const { id, title, author, text, stars } = row as Record<string, unknown>;
  if (typeof title !== 'string' || typeof author !== 'string' || typeof text !== 'string') return null;
  if (!Number.isFinite(Number(id)) || !Number.isFinite(Number(stars))) return null;
  return { id: Number(id), title, author, text, stars: Math.min(Math.max(Number(stars), 0), maxStars) };
}

export function cacheEntryFor(testimonials: readonly Testimonial[], now: number): string {
  return JSON.stringify({ at: now, testimonials });
}

/** null when there is nothing, when it is four hours old, when it is from the future, or when it is broken. */
export function testimonialsFromCache(entry: string | null, now: number): Testimonial[] | null {
  if (entry === null) return null;
  try {
    const { at, testimonials } = JSON.parse(entry) as { at?: unknown; testimonials?: unknown };
    const age = now - Number(at);
    if (!(age >= 0 && age < testimonialCacheMilliseconds)) return null;
    const kept = testimonialsFrom(testimonials);
    return kept.length > 0 ? kept : null;
  } catch {
    return null;
  }
}
