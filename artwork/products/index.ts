import { Art } from '../kit/art.ts';
import { type Category, GROUNDS, ground } from '../kit/grounds.ts';
import { chocolate } from './chocolate.ts';
import { gift } from './gift.ts';
import { halwa } from './halwa.ts';
import { laddu } from './laddu.ts';
import { takeaway } from './takeaway.ts';
import type { Drawings } from './types.ts';

const CATEGORIES = { halwa, laddu, chocolate, takeaway, gift } as Record<Category, Drawings>;

export type Product = { slug: string; category: Category; svg: () => string };

export const PRODUCTS: Product[] = (Object.keys(CATEGORIES) as Category[]).flatMap((category) =>
  Object.entries(CATEGORIES[category]).map(([slug, draw]) => ({
    slug,
    category,
    svg: () => {
      const art = new Art(slug);
      const body = ground(art, GROUNDS[category]) + draw(art);
      return art.document(960, 960, body);
    },
  })),
);
