import type { Art } from '../kit/art.ts';
import { halved } from '../kit/cut.ts';
import { GROUNDS, shadow } from '../kit/grounds.ts';
import { INSIDES, type LadduSlug } from '../kit/laddu-insides.ts';
import * as make from '../kit/laddus.ts';
import { crumbs, type Layer } from '../kit/particles.ts';
import { nineInCups, sit } from './settings.ts';
import type { Views } from './types.ts';

const tone = GROUNDS.laddu;
/** One whole, and one broken open in front of it. */
const broken = (slug: LadduSlug, laddu: make.Laddu, fallen: Layer, count: number) => (art: Art) =>
  sit(art, tone, { cx: 640, cy: 330, r: 232 }, laddu) +
  shadow(art, tone, 400, 796, 262, 80) +
  halved(art, laddu, { cx: 392, cy: 578, r: 282 }, INSIDES[slug]) +
  crumbs(art, fallen, [740, 760], [170, 70], count) +
  crumbs(art, fallen, [560, 884], [170, 34], Math.round(count / 2));

const view = (slug: LadduSlug, laddu: make.Laddu, fallen: Layer, count: number) => ({
  cut: broken(slug, laddu, fallen, count),
  box: nineInCups(tone, laddu),
});

export const laddu: Views = {
  'besan-laddu': view('besan-laddu', make.besanLaddu, make.besanCrumb, 34),
  'motichoor-laddu': view('motichoor-laddu', make.motichoorLaddu, make.motiPearl, 26),
  'nariyal-laddu': view('nariyal-laddu', make.nariyalLaddu, make.coconutFlake, 34),
  'til-gud-laddu': view('til-gud-laddu', make.tilLaddu, make.sesameSeed, 26),
  'dry-fruit-laddu': view('dry-fruit-laddu', make.dryFruitLaddu, make.nutBit, 14),
  'rava-laddu': view('rava-laddu', make.ravaLaddu, make.ravaCrumb, 34),
  'gond-laddu': view('gond-laddu', make.gondLaddu, make.wheatCrumb, 26),
  'boondi-laddu': view('boondi-laddu', make.boondiLaddu, make.boondiPearl, 12),
};
