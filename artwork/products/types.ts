import type { Art } from '../kit/art.ts';

/** By slug: everything on the ground; the ground itself is the category's. */
export type Drawings = Record<string, (art: Art) => string>;
