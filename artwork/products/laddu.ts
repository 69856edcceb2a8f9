import type { Art } from '../kit/art.ts';
import { GROUNDS, shadow } from '../kit/grounds.ts';
import * as make from '../kit/laddus.ts';
import { crumbs, type Layer } from '../kit/particles.ts';
import type { Drawings } from './types.ts';

const tone = GROUNDS.laddu;
const HERO = { cx: 472, cy: 462, r: 338 };

/** One laddu, large, with what has fallen off it. */
const hero = (laddu: make.Laddu, fallen: Layer, count: number) => (art: Art) =>
  shadow(art, tone, 486, 742, 288, 86) +
  laddu(art, HERO) +
  crumbs(art, fallen, [660, 838], [220, 42], count) +
  crumbs(art, fallen, [240, 826], [120, 30], Math.round(count / 3));

export const laddu: Drawings = {
  'besan-laddu': hero(make.besanLaddu, make.besanCrumb, 26),
  'motichoor-laddu': hero(make.motichoorLaddu, make.motiPearl, 16),
  'nariyal-laddu': hero(make.nariyalLaddu, make.coconutFlake, 30),
  'til-gud-laddu': (art) => {
    const piece = (cx: number, cy: number, r: number) =>
      shadow(art, tone, cx + 8, cy + r * 0.84, r * 0.85, r * 0.27) + make.tilLaddu(art, { cx, cy, r });
    return (
      piece(650, 340, 212) +
      piece(300, 420, 218) +
      piece(560, 634, 238) +
      crumbs(art, make.sesameSeed, [250, 770], [130, 60], 12) +
      crumbs(art, make.sesameSeed, [800, 830], [110, 50], 9)
    );
  },
  'dry-fruit-laddu': hero(make.dryFruitLaddu, make.nutBit, 9),
  'rava-laddu': hero(make.ravaLaddu, make.ravaCrumb, 22),
  'gond-laddu': hero(make.gondLaddu, make.wheatCrumb, 20),
  'boondi-laddu': hero(make.boondiLaddu, make.boondiPearl, 8),
};
