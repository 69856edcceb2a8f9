import { festivalBoxes, freshLaddus, halwaSeason, sharing } from './slides.ts';
import { emptyCart, ownBox, story } from './stills.ts';

/** Without widths a scene is rendered once, as the JPEG that link previews understand. */
export type Scene = { slug: string; folder: string; widths: readonly number[]; svg: () => string };

const SLIDE = [640, 1120, 1600] as const;
const STILL = [240, 480, 960] as const;

export const SCENES: Scene[] = [
  { slug: 'festival-boxes', folder: 'slides', widths: SLIDE, svg: festivalBoxes },
  { slug: 'fresh-laddus', folder: 'slides', widths: SLIDE, svg: freshLaddus },
  { slug: 'halwa-season', folder: 'slides', widths: SLIDE, svg: halwaSeason },
  { slug: 'story', folder: '', widths: STILL, svg: story },
  { slug: 'empty-cart', folder: '', widths: STILL, svg: emptyCart },
  { slug: 'own-box', folder: '', widths: STILL, svg: ownBox },
  { slug: 'og-default', folder: '', widths: [], svg: sharing },
];
