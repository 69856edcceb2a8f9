import { type Art, ellipse, type Point } from '../kit/art.ts';
import { steam } from '../kit/drinks.ts';
import { GROUNDS, shadow } from '../kit/grounds.ts';
import * as make from '../kit/halwas.ts';
import { spoon } from '../kit/spoon.ts';
import { bowl, METAL } from '../kit/vessels.ts';
import { halwa as heroes, sohanDisc } from '../products/halwa.ts';
import { boxOf, closer } from './settings.ts';
import type { Views } from './types.ts';

const tone = GROUNDS.halwa;
type Heap = (art: Art, m: make.Mound) => string;

/** A warm spoonful from close by. */
const spoonful =
  (heap: Heap, height = 190) =>
  (art: Art) =>
    spoon(art, tone, 400, 640, 330) +
    heap(art, { cx: 400, cy: 636, rx: 292, height: height * 1.5, pitch: 0.48 }) +
    steam(art, 400, 330, 260);

/** 500 g as it is sent: a sealed tray in its box. */
const tray = (heap: Heap) => (art: Art) =>
  boxOf(art, tone, (box) => {
    const [x, y] = box.floor(0, -10, 70);
    const dish = bowl(
      art,
      { ...tone, shadow: '#2a0414' },
      { cx: x, cy: y, rx: 352, depth: 120, pitch: 0.7, tones: METAL.silver, foot: 0.86 },
    );
    return dish.back + dish.lip + heap(art, { cx: x, cy: y + 6, rx: 312, height: 96, pitch: 0.7 });
  });

const grid = (xs: number[], ys: number[], piece: (art: Art, at: Point, n: number) => string) => (art: Art) =>
  boxOf(art, tone, (box) =>
    ys.map((y, r) => xs.map((x, c) => piece(art, box.floor(x, y, 6), r * xs.length + c)).join('')).join(''),
  );

const JELLIES = [make.jelly.orange, make.jelly.green, make.jelly.red];
const hero = (slug: string) => heroes[slug] ?? (() => '');

export const halwa: Views = {
  'gajar-halwa': { cut: spoonful(make.gajarHeap), box: tray(make.gajarHeap) },
  'moong-dal-halwa': { cut: spoonful(make.moongHeap), box: tray(make.moongHeap) },
  'badam-halwa': { cut: spoonful(make.badamHeap), box: tray(make.badamHeap) },
  'beetroot-halwa': { cut: spoonful(make.beetHeap), box: tray(make.beetHeap) },
  'sooji-halwa': { cut: spoonful(make.soojiHeap, 210), box: tray(make.soojiHeap) },
  'karachi-halwa': {
    cut: (art) => {
      const big = make.jellyCube(art, [430, 700], 270, 380, make.jelly.red, 0.62);
      const slice = make.jellyCube(art, [790, 800], 96, 150, make.jelly.red, 0.3);
      return (
        shadow(art, tone, 470, 710, 380, 190) +
        make.glow(art, 660, 800, 150, 60, make.jelly.red) +
        big.svg +
        shadow(art, tone, 800, 806, 130, 70) +
        slice.svg
      );
    },
    box: grid(
      [-270, -90, 90, 270],
      [-230, -60, 110, 280],
      (art, at, n) => make.jellyCube(art, at, 74, 84, JELLIES[(n + Math.floor(n / 4)) % 3] ?? make.jelly.red, 0.5).svg,
    ),
  },
  'tirunelveli-halwa': {
    cut: closer(hero('tirunelveli-halwa'), [500, 620], 1.65),
    box: grid([-250, 0, 250], [-220, 20, 260], (art, at) =>
      [
        ellipse(at[0] + 10, at[1] + 8, 130, 84, `fill="#2a0414" opacity=".5" ${art.blur(10)}`),
        make.wheatSlab(art, at, 104, 84, 0.6),
      ].join(''),
    ),
  },
  'sohan-halwa': {
    cut: closer(hero('sohan-halwa'), [420, 600], 1.7),
    box: grid([-195, 195], [-170, 170], (art, at) => sohanDisc(art, at[0], at[1], 176)),
  },
};
