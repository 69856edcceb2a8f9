export type Margin = { paise: number; percent: number };

/** What is left of a price when its unit is made; null: the unit cost is unknown. GST comes on top of prices. */
export function marginOf(pricePaise: number, unitCostPaise: number | null): Margin | null {
  if (unitCostPaise === null || pricePaise <= 0) return null;
  const left = pricePaise - unitCostPaise;
  return { paise: left, percent: Math.round((left * 100) / pricePaise) };
}
