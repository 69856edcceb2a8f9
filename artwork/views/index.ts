import { Art } from '../kit/art.ts';
import { type Category, GROUNDS, ground } from '../kit/grounds.ts';
import { chocolate } from './chocolate.ts';
import { gift } from './gift.ts';
import { halwa } from './halwa.ts';
import { laddu } from './laddu.ts';
import { takeaway } from './takeaway.ts';
import type { Views } from './types.ts';

const CATEGORIES = { halwa, laddu, chocolate, takeaway, gift } as Record<Category, Views>;

export type View = { slug: string; svg: () => string };

/** Two further pictures of every sweet, named after it: besan-laddu-cut. */
export const VIEWS: View[] = (Object.keys(CATEGORIES) as Category[]).flatMap((category) =>
  Object.entries(CATEGORIES[category]).flatMap(([product, views]) =>
    Object.entries(views).map(([name, draw]) => ({
      slug: `${product}-${name}`,
      svg: () => {
        const art = new Art(`${product}-${name}`);
        const body = ground(art, GROUNDS[category]) + draw(art);
        return art.document(960, 960, body);
      },
    })),
  ),
);
