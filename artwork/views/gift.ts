import type { Point } from '../kit/art.ts';
import { GROUNDS } from '../kit/grounds.ts';
import { gift as heroes } from '../products/gift.ts';
import { besideCup, closer } from './settings.ts';
import type { Views } from './types.ts';

const tone = GROUNDS.gift;

/** A box is understood beside a cup of tea, and wanted from close by. */
const view = (slug: string, at: Point, scale = 1.9) => {
  const hero = heroes[slug] ?? (() => '');
  return { close: closer(hero, at, scale), cup: besideCup(tone, hero, 0.66) };
};

export const gift: Views = {
  'halwa-combo': view('halwa-combo', [480, 420]),
  'chocolate-combo': view('chocolate-combo', [420, 440]),
  'laddu-combo': view('laddu-combo', [460, 460]),
  'family-combo': view('family-combo', [440, 440]),
  'diwali-hamper': view('diwali-hamper', [480, 420]),
  'kaju-katli-silver-box': view('kaju-katli-silver-box', [480, 440]),
  'shagun-wedding-box': view('shagun-wedding-box', [480, 420], 1.6),
  'rakhi-sweet-thali': view('rakhi-sweet-thali', [470, 560]),
};
