import type { Art } from '../kit/art.ts';
import { ramp } from '../kit/colour.ts';
import { halved } from '../kit/cut.ts';
import { pistachioSliver, strew } from '../kit/garnish.ts';
import { GROUNDS, shadow } from '../kit/grounds.ts';
import { gulabJamun } from '../kit/snacks.ts';
import { takeaway as heroes } from '../products/takeaway.ts';
import { besideCup, closer, sit } from './settings.ts';
import type { Views } from './types.ts';

const tone = GROUNDS.takeaway;
const hero = (slug: string) => heroes[slug] ?? (() => '');
const khoya = ramp('#7a4a14', '#c08a3c', '#ecc47a', '#fae3b0', '#fff8e2');
const crust = ramp('#2a0c02', '#5a2006', '#8f3f10', '#c06a28', '#f0b070');

const jamunOpened = (art: Art) =>
  sit(art, tone, { cx: 330, cy: 370, r: 215 }, gulabJamun) +
  shadow(art, tone, 560, 800, 246, 76) +
  halved(
    art,
    gulabJamun,
    { cx: 550, cy: 600, r: 258 },
    {
      shell: crust,
      inside: khoya,
      clean: 0.7,
      grain: [0.04, 6],
      layers: [{ kind: 'crumb', tones: khoya, size: [6, 12], cover: 0.4, vary: 0.08 }],
    },
  ) +
  strew(art, [pistachioSliver], [260, 800], [120, 50], 6, [20, 28]);

export const takeaway: Views = {
  samosa: { cup: besideCup(tone, hero('samosa')), close: closer(hero('samosa'), [450, 560], 1.6) },
  jalebi: { cup: besideCup(tone, hero('jalebi')), close: closer(hero('jalebi'), [500, 600], 1.6) },
  'gulab-jamun': { cut: jamunOpened, cup: besideCup(tone, hero('gulab-jamun')) },
  rasmalai: { cup: besideCup(tone, hero('rasmalai')), close: closer(hero('rasmalai'), [440, 470], 1.6) },
  'kesar-kulfi': { cup: besideCup(tone, hero('kesar-kulfi')), close: closer(hero('kesar-kulfi'), [440, 420], 1.7) },
  dhokla: { cup: besideCup(tone, hero('dhokla')), close: closer(hero('dhokla'), [500, 600], 1.6) },
};
