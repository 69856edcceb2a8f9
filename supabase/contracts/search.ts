// Functions of schemas/05_search. Called by visitors.
import { ProductCard } from './catalogue.ts';
import { defineFunction, nothing } from './contract.ts';
import { z } from './z.ts';

export const searchProducts = defineFunction(
  'search_products',
  {
    query: z.string(),
    most: z.number().optional(),
    min_price: z.number().optional(),
    max_price: z.number().optional(),
    sort: z.string().optional(),
    category: z.string().nullable().optional(),
  },
  z.object({
    /** How many fit the words, and how many of those the filters too. */
    found: z.number(),
    total: z.number(),
    products: z.array(ProductCard),
    /** Where nothing fits. */
    nearest: z.array(ProductCard),
  }),
);

/** Counts a search that found nothing, for the owner. */
export const noteMissedSearch = defineFunction('record_missed_search', { query: z.string() }, nothing);
