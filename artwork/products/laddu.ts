import { type Art, ellipse } from '../kit/art.ts';
import type { Ball } from '../kit/ball.ts';
import { halved } from '../kit/cut.ts';
import { GROUNDS } from '../kit/grounds.ts';
import { INSIDES, type LadduSlug } from '../kit/laddu-insides.ts';
import * as make from '../kit/laddus.ts';
import { crumbs, type Layer } from '../kit/particles.ts';
import { METAL, thali } from '../kit/vessels.ts';
import type { Drawings } from './types.ts';

const tone = GROUNDS.laddu;

/** A heap on a brass plate, and one broken open: alone, a laddu has no size and could be a planet. */
const plate = (slug: LadduSlug, laddu: make.Laddu, fallen: Layer, count: number) => (art: Art) => {
  const on = (b: Ball, piece: (art: Art, b: Ball) => string) =>
    ellipse(
      b.cx + b.r * 0.16,
      b.cy + b.r * 0.8,
      b.r * 0.98,
      b.r * 0.36,
      `fill="#4a2606" opacity=".55" ${art.blur(b.r * 0.08)}`,
    ) + piece(art, b);
  return (
    thali(art, tone, 480, 634, 440, METAL.brass, 0.56) +
    on({ cx: 270, cy: 500, r: 160 }, laddu) +
    on({ cx: 572, cy: 486, r: 160 }, laddu) +
    on({ cx: 424, cy: 300, r: 166 }, laddu) +
    on({ cx: 392, cy: 606, r: 174 }, laddu) +
    on({ cx: 690, cy: 640, r: 162 }, (a, b) => halved(a, laddu, b, INSIDES[slug])) +
    crumbs(art, fallen, [560, 808], [150, 26], count) +
    crumbs(art, fallen, [240, 770], [70, 24], Math.round(count / 3))
  );
};

export const laddu: Drawings = {
  'besan-laddu': plate('besan-laddu', make.besanLaddu, make.besanCrumb, 22),
  'motichoor-laddu': plate('motichoor-laddu', make.motichoorLaddu, make.motiPearl, 14),
  'nariyal-laddu': plate('nariyal-laddu', make.nariyalLaddu, make.coconutFlake, 22),
  'til-gud-laddu': plate('til-gud-laddu', make.tilLaddu, make.sesameSeed, 16),
  'dry-fruit-laddu': plate('dry-fruit-laddu', make.dryFruitLaddu, make.nutBit, 7),
  'rava-laddu': plate('rava-laddu', make.ravaLaddu, make.ravaCrumb, 22),
  'gond-laddu': plate('gond-laddu', make.gondLaddu, make.wheatCrumb, 16),
  'boondi-laddu': plate('boondi-laddu', make.boondiLaddu, make.boondiPearl, 6),
};
