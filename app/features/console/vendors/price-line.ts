export type Point = { x: number; y: number };

/** Where the prices of a thing lie in a box, oldest first: the dearest at the top, the cheapest at the bottom. */
export function pricePoints(prices: readonly number[], { width, height }: { width: number; height: number }): Point[] {
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const step = prices.length > 1 ? width / (prices.length - 1) : 0;
  return prices.map((price, place) => ({
    x: place * step,
    y: high === low ? height / 2 : ((high - price) / (high - low)) * height,
  }));
}
