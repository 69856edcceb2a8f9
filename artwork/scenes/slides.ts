import { Art, type Point } from '../kit/art.ts';
import type { Ball } from '../kit/ball.ts';
import { openBox } from '../kit/box.ts';
import * as choc from '../kit/chocolates.ts';
import { ramp } from '../kit/colour.ts';
import { diya, marigold, paperCup } from '../kit/festive.ts';
import { almondSliver, pistachioSliver, rosePetal, strew } from '../kit/garnish.ts';
import { GROUNDS, type Ground, ground, shadow, wash } from '../kit/grounds.ts';
import * as halwas from '../kit/halwas.ts';
import { katli } from '../kit/katli.ts';
import * as laddus from '../kit/laddus.ts';
import { crumbs } from '../kit/particles.ts';
import { bowl, METAL } from '../kit/vessels.ts';

const [W, H] = [1600, 900];
const CUP = ramp('#8a5a1c', '#c99a4c', '#f0d69c', '#fff1d2', '#ffffff');

const sit = (art: Art, tone: Ground, b: Ball, piece: laddus.Laddu) =>
  shadow(art, tone, b.cx + 8, b.cy + b.r * 0.84, b.r * 0.86, b.r * 0.26) + piece(art, b);

export function festivalBoxes(): string {
  const art = new Art('festival-boxes');
  const tone = GROUNDS.gift;
  const box = openBox(art, tone, {
    at: [1150, 430],
    w: 345,
    d: 330,
    h: 112,
    outside: '#f4e6cb',
    inside: '#8e1449',
    trim: '#d9a441',
  });
  const view = { yaw: 0.5, pitch: box.pitch };
  const at = (x: number, y: number, piece: laddus.Laddu) => {
    const [cx, cy] = box.floor(x, y, 86);
    return paperCup(art, box.floor(x, y, 28), 104, box.pitch, CUP) + piece(art, { cx, cy, r: 95 });
  };
  const cut = (x: number, y: number) => katli(art, box.floor(x, y, 6), 104, 96, 46, { yaw: 0.2, pitch: box.pitch }).svg;
  const sweets =
    at(-222, -200, laddus.motichoorLaddu) +
    at(0, -200, choc.pistachioTruffle) +
    at(222, -200, laddus.besanLaddu) +
    cut(-222, 10) +
    at(0, 14, laddus.nariyalLaddu) +
    choc.chocoBarfi(art, box.floor(222, 20, 0), 82, 74, view) +
    at(-222, 226, laddus.boondiLaddu) +
    at(0, 226, laddus.motichoorLaddu) +
    at(222, 226, choc.cocoaTruffle);
  return art.document(
    W,
    H,
    wash(art, tone, W, H) +
      box.back +
      sweets +
      box.front +
      marigold(art, 810, 742, 66) +
      marigold(art, 1512, 600, 64, true) +
      marigold(art, 1500, 730, 78) +
      diya(art, [940, 800], 74) +
      diya(art, [1250, 812], 84) +
      rosePetal(art, 1110, 840, 32, 40) +
      rosePetal(art, 790, 850, 28, 110),
  );
}

export function freshLaddus(): string {
  const art = new Art('fresh-laddus');
  const tone = GROUNDS.laddu;
  return art.document(
    W,
    H,
    wash(art, tone, W, H) +
      sit(art, tone, { cx: 1350, cy: 326, r: 190 }, laddus.nariyalLaddu) +
      sit(art, tone, { cx: 960, cy: 402, r: 196 }, laddus.motichoorLaddu) +
      sit(art, tone, { cx: 1216, cy: 556, r: 250 }, laddus.besanLaddu) +
      crumbs(art, laddus.besanCrumb, [1420, 800], [130, 40], 22) +
      crumbs(art, laddus.motiPearl, [920, 640], [90, 34], 9) +
      strew(art, [pistachioSliver, almondSliver], [930, 780], [110, 44], 7, [20, 28]) +
      marigold(art, 1506, 640, 60, true),
  );
}

export function halwaSeason(): string {
  const art = new Art('halwa-season');
  const tone = GROUNDS.halwa;
  const big = bowl(art, tone, {
    cx: 1140,
    cy: 420,
    rx: 300,
    depth: 250,
    pitch: 0.42,
    tones: METAL.ceramic,
    band: '#c98a2b',
  });
  const small = bowl(art, tone, { cx: 1448, cy: 330, rx: 150, depth: 130, pitch: 0.42, tones: METAL.brass, foot: 0.5 });
  const cubes: [Point, number, (typeof halwas.jelly)['red'], number][] = [
    [[1440, 700], 84, halwas.jelly.green, 0.5],
    [[1330, 776], 96, halwas.jelly.orange, 0.7],
    [[850, 742], 92, halwas.jelly.red, 1.05],
  ];
  return art.document(
    W,
    H,
    wash(art, tone, W, H) +
      small.back +
      small.lip +
      halwas.moongHeap(art, { cx: 1448, cy: 336, rx: 136, height: 120, pitch: 0.42 }) +
      big.back +
      big.lip +
      halwas.gajarHeap(art, { cx: 1140, cy: 432, rx: 274, height: 250, pitch: 0.42 }) +
      cubes
        .map(
          ([p, w, tones, yaw]) =>
            shadow(art, tone, p[0] + 12, p[1] + 4, w * 1.4, w * 0.72) +
            halwas.jellyCube(art, p, w, w * 1.35, tones, yaw).svg,
        )
        .join('') +
      strew(art, [pistachioSliver, almondSliver], [1080, 800], [110, 40], 8, [18, 26]),
  );
}

/** For link previews: no words, the range in one row. */
export function sharing(): string {
  const art = new Art('og-default');
  const tone = GROUNDS.laddu;
  const [w, h] = [1200, 630];
  const cube = (x: number, y: number, s: number, tones: (typeof halwas.jelly)['red'], yaw: number) =>
    shadow(art, tone, x + 12, y + 4, s * 1.4, s * 0.72) + halwas.jellyCube(art, [x, y], s, s * 1.35, tones, yaw).svg;
  const cut = (x: number, y: number, s: number) =>
    shadow(art, tone, x + 10, y + 8, s * 0.95, s * 0.54) +
    katli(art, [x, y], s, s * 0.9, s * 0.36, { yaw: 0, pitch: 0.62 }).svg;
  return art.document(
    w,
    h,
    ground(art, tone, w, h) +
      cut(820, 214, 120) +
      sit(art, tone, { cx: 420, cy: 240, r: 150 }, laddus.nariyalLaddu) +
      cut(1000, 330, 130) +
      cut(820, 420, 140) +
      sit(art, tone, { cx: 628, cy: 330, r: 190 }, laddus.motichoorLaddu) +
      cube(226, 350, 78, halwas.jelly.green, 0.5) +
      cube(150, 470, 84, halwas.jelly.red, 1.0) +
      cube(330, 530, 96, halwas.jelly.orange, 0.62) +
      sit(art, tone, { cx: 980, cy: 476, r: 104 }, choc.pistachioTruffle) +
      strew(art, [pistachioSliver, almondSliver], [560, 574], [100, 24], 6, [16, 22]),
  );
}
