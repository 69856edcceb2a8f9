import { type Art, ellipse, lifted } from '../kit/art.ts';
import { ramp } from '../kit/colour.ts';
import { almondSliver, pistachioSliver, saffronStrand, strew } from '../kit/garnish.ts';
import { GROUNDS, shadow } from '../kit/grounds.ts';
import * as make from '../kit/halwas.ts';
import { drum } from '../kit/solids.ts';
import { bananaLeaf, bowl, METAL, thali } from '../kit/vessels.ts';
import type { Drawings } from './types.ts';

const tone = GROUNDS.halwa;
const RIM = { cx: 470, cy: 480, rx: 370, depth: 310, pitch: 0.42 };
const MOUND = { cx: 470, cy: 494, rx: 338, height: 310, pitch: 0.42 };

export const sohanTones = ramp('#360d02', '#692605', '#a0490a', '#cf7b1c', '#f9c465');

export function sohanDisc(art: Art, x: number, y: number, rx: number): string {
  const h = rx * 0.2;
  const top = y - h * 0.8;
  return (
    shadow(art, tone, x + 6, y + rx * 0.06, rx * 0.97, rx * 0.6) +
    drum(art, { at: [x, y], rx, height: h, tones: sohanTones, pitch: 0.6, grain: art.relief(0.05, 7, 4) }) +
    `<g ${art.wet(0.016, 20, 0.8, 50)}>${ellipse(x - rx * 0.2, top - rx * 0.1, rx * 0.7, rx * 0.42, 'fill="#fff" opacity=".8"')}</g>` +
    strew(art, [pistachioSliver, almondSliver, almondSliver], [x, top], [rx * 0.8, rx * 0.44], 22, [
      rx * 0.1,
      rx * 0.15,
    ]) +
    strew(art, [saffronStrand], [x, top], [rx * 0.6, rx * 0.34], 4, [rx * 0.08, rx * 0.11])
  );
}

export const halwa: Drawings = {
  'gajar-halwa': (art) => {
    const dish = bowl(art, tone, { ...RIM, tones: METAL.ceramic, band: '#c98a2b' });
    return dish.back + dish.lip + make.gajarHeap(art, MOUND);
  },
  'moong-dal-halwa': (art) => {
    const dish = bowl(art, tone, { ...RIM, depth: 280, tones: METAL.iron, foot: 0.42 });
    return dish.back + dish.lip + make.moongHeap(art, MOUND);
  },
  'karachi-halwa': (art) => {
    const back = make.jellyCube(art, [668, 545], 165, 235, make.jelly.green, 0.5);
    const left = make.jellyCube(art, [280, 595], 170, 245, make.jelly.orange, 1.1);
    const front = make.jellyCube(art, [540, 760], 205, 290, make.jelly.red, 0.62);
    return lifted(
      40,
      shadow(art, tone, 693, 545, 215, 110) +
        back.svg +
        shadow(art, tone, 300, 605, 210, 120) +
        make.glow(art, 420, 690, 110, 40, make.jelly.orange) +
        left.svg +
        shadow(art, tone, 570, 765, 285, 150) +
        make.glow(art, 720, 850, 130, 50, make.jelly.red) +
        front.svg,
    );
  },
  'badam-halwa': (art) => {
    const dish = bowl(art, tone, { ...RIM, tones: METAL.silver, depth: 300, foot: 0.6 });
    return dish.back + dish.lip + make.badamHeap(art, { ...MOUND, height: 270 });
  },
  'tirunelveli-halwa': (art) => {
    const slab = (x: number, y: number, w: number, yaw: number) =>
      ellipse(x + w * 0.16, y + w * 0.1, w * 1.36, w * 0.84, `fill="#14260a" opacity=".5" ${art.blur(18)}`) +
      ellipse(x + w * 0.1, y + w * 0.1, w * 1.3, w * 0.8, `fill="#f0a829" opacity=".5" ${art.blur(5)}`) +
      make.wheatSlab(art, [x, y], w, w * 0.86, yaw);
    return (
      bananaLeaf(art, tone, [480, 540], 445, 345, -8) +
      slab(640, 440, 158, 0.52) +
      slab(300, 500, 166, 1.02) +
      slab(515, 690, 206, 0.7)
    );
  },
  'beetroot-halwa': (art) => {
    const dish = bowl(art, tone, { ...RIM, tones: METAL.brass, depth: 290, foot: 0.46 });
    return dish.back + dish.lip + make.beetHeap(art, MOUND);
  },
  'sohan-halwa': (art) => sohanDisc(art, 640, 330, 250) + sohanDisc(art, 420, 640, 362),
  'sooji-halwa': (art) => {
    const plate = thali(art, tone, 480, 640, 400, METAL.ceramic, 0.5);
    return (
      plate +
      ellipse(500, 660, 300, 140, `fill="#6b3a12" opacity=".5" ${art.blur(18)}`) +
      make.soojiHeap(art, { cx: 476, cy: 630, rx: 296, height: 400, pitch: 0.46 })
    );
  },
};
