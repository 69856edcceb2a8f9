import type { Art } from '../kit/art.ts';

/** The further views of a sweet: cut or broken open, packed, beside a cup of tea, and close by. */
export type ViewName = 'cut' | 'box' | 'cup' | 'close';
export type Views = Record<string, Partial<Record<ViewName, (art: Art) => string>>>;
