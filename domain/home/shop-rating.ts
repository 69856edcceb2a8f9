export type ShopRating = { average: string; count: number };

type Rated = { rating: number | null; reviewCount: number };

/** What all reviews say together; null while there are too few to mean anything. */
export function shopRating(products: readonly Rated[], atLeast = 20): ShopRating | null {
  const rated = products.filter(({ rating, reviewCount }) => rating !== null && reviewCount > 0);
  const count = rated.reduce((sum, { reviewCount }) => sum + reviewCount, 0);
  if (count < atLeast) return null;
  const sum = rated.reduce((total, { rating, reviewCount }) => total + (rating ?? 0) * reviewCount, 0);
  return { average: (Math.round((sum / count) * 10) / 10).toFixed(1), count };
}
