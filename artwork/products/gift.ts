import { type Art, ellipse, f, type Point, path, polygon } from '../kit/art.ts';
import type { Ball } from '../kit/ball.ts';
import { type BoxLook, openBox } from '../kit/box.ts';
import * as choc from '../kit/chocolates.ts';
import { ramp } from '../kit/colour.ts';
import { bow, diya, marigold, paperCup, rakhi } from '../kit/festive.ts';
import { rosePetal, strew } from '../kit/garnish.ts';
import { GROUNDS, shadow } from '../kit/grounds.ts';
import * as halwas from '../kit/halwas.ts';
import { katli } from '../kit/katli.ts';
import * as laddus from '../kit/laddus.ts';
import { project } from '../kit/solids.ts';
import { bowl, METAL, thali } from '../kit/vessels.ts';
import type { Drawings } from './types.ts';

const tone = GROUNDS.gift;
const GOLD = ramp('#5a3206', '#a8751c', '#dfae43', '#f8dc8c', '#fffbe0');
const CUP = ramp('#8a5a1c', '#c99a4c', '#f0d69c', '#fff1d2', '#ffffff');
const BOX: BoxLook = { at: [480, 530], w: 415, d: 400, h: 130, outside: '#f4e6cb', inside: '#8e1449', trim: '#d9a441' };

type Piece = (art: Art, b: Ball) => string;
const truffle: Piece = (art, b) => choc.smoothTruffle(art, b, choc.dark);

/** A piece in its paper cup at a place on the floor of a box. */
const cupped = (
  art: Art,
  place: (x: number, y: number, z: number) => Point,
  pitch: number,
  x: number,
  y: number,
  r: number,
  piece: Piece,
) => {
  const [cx, cy] = place(x, y, r * 0.9);
  return paperCup(art, place(x, y, r * 0.3), r * 1.1, pitch, CUP) + piece(art, { cx, cy, r });
};

const tray = (art: Art, at: Point, rx: number, height: number, fill: (art: Art, m: halwas.Mound) => string) => {
  const dish = bowl(
    art,
    { ...tone, shadow: '#2a0414' },
    { cx: at[0], cy: at[1], rx, depth: rx * 0.42, pitch: 0.7, tones: METAL.silver, foot: 0.8 },
  );
  return dish.back + dish.lip + fill(art, { cx: at[0], cy: at[1] + 4, rx: rx * 0.9, height, pitch: 0.7 });
};

export const gift: Drawings = {
  'halwa-combo': (art) => {
    const box = openBox(art, tone, BOX);
    const cube = (x: number, tones: (typeof halwas.jelly)['red']) =>
      halwas.jellyCube(art, box.floor(x, 258, 0), 80, 106, tones, 0.5).svg;
    return (
      box.back +
      tray(art, box.floor(-205, -150, 60), 178, 130, halwas.gajarHeap) +
      tray(art, box.floor(205, -150, 60), 178, 130, halwas.moongHeap) +
      box.across(110) +
      cube(-285, halwas.jelly.orange) +
      cube(-95, halwas.jelly.green) +
      cube(95, halwas.jelly.red) +
      cube(285, halwas.jelly.orange) +
      box.front
    );
  },
  'chocolate-combo': (art) => {
    const box = openBox(art, tone, { ...BOX, inside: '#3a1a10', outside: '#f1e0c6' });
    const view = { yaw: 0.5, pitch: box.pitch };
    const at = (x: number, y: number, r: number, piece: Piece) => cupped(art, box.floor, box.pitch, x, y, r, piece);
    const barfi = (x: number, y: number) => choc.chocoBarfi(art, box.floor(x, y, 0), 92, 84, view);
    return (
      box.back +
      at(-265, -235, 102, choc.pistachioTruffle) +
      at(0, -235, 102, truffle) +
      at(265, -235, 102, choc.cocoaTruffle) +
      box.across(-100) +
      barfi(-265, 30) +
      at(0, 24, 104, choc.roseTruffle) +
      barfi(265, 30) +
      box.across(160) +
      at(-265, 278, 102, choc.cocoaTruffle) +
      at(0, 278, 102, choc.pistachioTruffle) +
      at(265, 278, 102, truffle) +
      box.front
    );
  },
  'laddu-combo': (art) => {
    const box = openBox(art, tone, BOX);
    const rows: [number, [Piece, Piece, Piece]][] = [
      [-238, [laddus.besanLaddu, laddus.motichoorLaddu, laddus.nariyalLaddu]],
      [18, [laddus.boondiLaddu, laddus.dryFruitLaddu, laddus.besanLaddu]],
      [270, [laddus.nariyalLaddu, laddus.boondiLaddu, laddus.motichoorLaddu]],
    ];
    const filled = rows.map(([y, row]) =>
      row.map((piece, i) => cupped(art, box.floor, box.pitch, (i - 1) * 266, y, 116, piece)).join(''),
    );
    return box.back + filled.join('') + box.front;
  },
  'family-combo': (art) => {
    const box = openBox(art, tone, {
      ...BOX,
      at: [480, 538],
      w: 440,
      d: 425,
      h: 136,
      outside: '#e9b44c',
      trim: '#8e1449',
      inside: '#6d0d38',
    });
    const view = { yaw: 0.5, pitch: box.pitch };
    const at = (x: number, y: number, r: number, piece: Piece) => cupped(art, box.floor, box.pitch, x, y, r, piece);
    const cube = (x: number, y: number, tones: (typeof halwas.jelly)['red']) =>
      halwas.jellyCube(art, box.floor(x, y, 0), 72, 92, tones, 0.5).svg;
    return (
      box.back +
      box.along(-146) +
      box.along(146) +
      at(-292, -262, 108, laddus.motichoorLaddu) +
      at(-292, 8, 108, laddus.besanLaddu) +
      at(-292, 282, 108, laddus.nariyalLaddu) +
      tray(art, box.floor(0, -235, 40), 128, 84, halwas.gajarHeap) +
      tray(art, box.floor(0, 40, 40), 128, 84, halwas.moongHeap) +
      cube(-66, 282, halwas.jelly.green) +
      cube(70, 292, halwas.jelly.orange) +
      at(292, -262, 104, choc.pistachioTruffle) +
      choc.chocoBarfi(art, box.floor(292, 14, 0), 92, 80, view) +
      at(292, 282, 104, truffle) +
      box.front
    );
  },
  'diwali-hamper': (art) => {
    const box = openBox(art, tone, {
      ...BOX,
      at: [500, 420],
      w: 360,
      d: 270,
      h: 120,
      outside: '#5b1140',
      trim: '#f2c14e',
      inside: '#3d0826',
    });
    const at = (x: number, y: number, piece: Piece) => cupped(art, box.floor, box.pitch, x, y, 100, piece);
    return (
      box.back +
      at(-232, -130, laddus.motichoorLaddu) +
      at(0, -130, choc.pistachioTruffle) +
      at(232, -130, laddus.besanLaddu) +
      at(-232, 120, laddus.nariyalLaddu) +
      at(0, 120, laddus.boondiLaddu) +
      at(232, 120, laddus.motichoorLaddu) +
      box.front +
      marigold(art, 128, 690, 84) +
      marigold(art, 236, 800, 66, true) +
      marigold(art, 860, 640, 70, true) +
      marigold(art, 846, 782, 86) +
      diya(art, [330, 745], 92) +
      diya(art, [590, 800], 112) +
      diya(art, [104, 850], 74)
    );
  },
  'kaju-katli-silver-box': (art) => {
    const box = openBox(art, tone, { ...BOX, at: [480, 525], w: 410, d: 390 });
    const view = { yaw: 0, pitch: box.pitch };
    let rows = '';
    for (let r = 0; r < 5; r++) {
      const odd = r % 2;
      for (let c = 0; c < (odd ? 3 : 2); c++)
        rows += katli(art, box.floor((c - (odd ? 1 : 0.5)) * 258, (r - 2) * 112 - 4, 40), 140, 120, 56, view).svg;
    }
    return box.back + rows + box.front;
  },
  'shagun-wedding-box': (art) => {
    const view = { yaw: 0, pitch: 0.56 };
    const at: Point = [480, 560];
    const [w, d, h] = [370, 330, 250];
    const p = (x: number, y: number, z: number) => project([x, y], z, at, view);
    const face = (points: Point[], fill: string) => path(polygon(points), `fill="${fill}"`);
    const top = [p(-w, -d, h), p(w, -d, h), p(w, d, h), p(-w, d, h)];
    const maroon = ramp('#2a0410', '#5a0a22', '#8f1433', '#bf3350', '#ee8c98');
    let motifs = '';
    for (let i = -3; i <= 3; i++)
      for (let j = -3; j <= 3; j++) {
        if (i === 0 || j === 0) continue;
        const [x, y] = p((i - Math.sign(i) * 0.2) * 118, (j - Math.sign(j) * 0.2) * 104, h);
        motifs +=
          path(
            `M${f(x)} ${f(y - 22)}C${f(x + 26)} ${f(y - 8)} ${f(x + 18)} ${f(y + 18)} ${f(x)} ${f(y + 18)}C${f(x - 18)} ${f(y + 18)} ${f(x - 26)} ${f(y - 8)} ${f(x)} ${f(y - 22)}Z`,
            `fill="none" stroke="${GOLD(0.72)}" stroke-width="3.5"`,
          ) + ellipse(x, y + 3, 6, 8, `fill="${GOLD(0.8)}"`);
      }
    const lidFill = art.linear(
      [
        [0, maroon(0.72)],
        [0.5, maroon(0.5)],
        [1, maroon(0.36)],
      ],
      top[0] ?? at,
      top[2] ?? at,
    );
    const frontFill = art.linear(
      [
        [0, maroon(0.52)],
        [0.5, maroon(0.36)],
        [1, maroon(0.14)],
      ],
      p(-w, d, h),
      p(w, d, 0),
    );
    const ribbon = (points: Point[], a: number, b: number) =>
      face(
        points,
        art.linear(
          [
            [0, GOLD(a)],
            [0.5, GOLD(a * 0.8)],
            [1, GOLD(b)],
          ],
          points[0] ?? at,
          points[2] ?? at,
        ),
      );
    const line = (z: number, width: number) =>
      path(
        `M${p(-w, d, z).map(f).join(' ')}L${p(w, d, z).map(f).join(' ')}`,
        `stroke="${GOLD(0.75)}" stroke-width="${width}"`,
      );
    let border = '';
    for (let x = -w + 24; x < w; x += 37) {
      const [bx, by] = p(x, d, h * 0.4);
      border +=
        path(
          `M${f(bx)} ${f(by - 26)}Q${f(bx + 17)} ${f(by)} ${f(bx)} ${f(by + 20)}Q${f(bx - 17)} ${f(by)} ${f(bx)} ${f(by - 26)}Z`,
          `fill="none" stroke="${GOLD(0.7)}" stroke-width="3"`,
        ) + ellipse(bx, by + 2, 4, 7, `fill="${GOLD(0.85)}"`);
    }
    const inset = [p(-w + 24, -d + 24, h), p(w - 24, -d + 24, h), p(w - 24, d - 24, h), p(-w + 24, d - 24, h)];
    const knot = p(0, 10, h + 20);
    return (
      shadow(art, tone, 520, 700, 410, 110) +
      face([p(-w, d, h), p(w, d, h), p(w, d, 0), p(-w, d, 0)], frontFill) +
      border +
      line(h * 0.08, 7) +
      line(h * 0.68, 5) +
      face(
        [p(-w - 10, d + 8, h), p(w + 10, d + 8, h), p(w + 10, d + 8, h * 0.76), p(-w - 10, d + 8, h * 0.76)],
        art.linear(
          [
            [0, maroon(0.64)],
            [1, maroon(0.28)],
          ],
          p(-w, d, h),
          p(w, d, h),
        ),
      ) +
      face(top, lidFill) +
      motifs +
      path(polygon(inset), `fill="none" stroke="${GOLD(0.8)}" stroke-width="4"`) +
      path(polygon(top), `fill="none" stroke="${GOLD(0.9)}" stroke-width="3" opacity=".8"`) +
      ribbon([p(-46, -d, h), p(46, -d, h), p(46, d + 8, h), p(-46, d + 8, h)], 0.95, 0.6) +
      ribbon([p(-w - 4, -40, h), p(w, -40, h), p(w, 44, h), p(-w - 4, 44, h)], 0.98, 0.5) +
      ribbon([p(-46, d + 8, h), p(46, d + 8, h), p(46, d + 8, 0), p(-46, d + 8, 0)], 0.7, 0.3) +
      ellipse(knot[0] + 20, knot[1] + 40, 220, 70, `fill="#22040f" opacity=".4" ${art.blur(20)}`) +
      bow(art, knot, 225, GOLD) +
      laddus.motichoorLaddu(art, { cx: 196, cy: 790, r: 108 }) +
      laddus.motichoorLaddu(art, { cx: 770, cy: 806, r: 100 }) +
      rosePetal(art, 350, 880, 40, 70) +
      rosePetal(art, 610, 890, 34, -40) +
      marigold(art, 900, 880, 52)
    );
  },
  'rakhi-sweet-thali': (art) => {
    const view = { yaw: 0.3, pitch: 0.66 };
    const plate = thali(art, tone, 480, 510, 440, METAL.brass, 0.84);
    const sit = (b: Ball, piece: Piece) =>
      ellipse(b.cx + 16, b.cy + b.r * 0.62, b.r, b.r * 0.5, `fill="#4a2606" opacity=".55" ${art.blur(14)}`) +
      piece(art, b);
    const cut = (x: number, y: number) =>
      ellipse(x + 12, y + 12, 112, 66, `fill="#4a2606" opacity=".5" ${art.blur(12)}`) +
      katli(art, [x, y], 112, 100, 40, view).svg;
    return (
      plate +
      diya(art, [466, 268], 84) +
      sit({ cx: 690, cy: 306, r: 112 }, laddus.besanLaddu) +
      sit({ cx: 258, cy: 318, r: 112 }, laddus.motichoorLaddu) +
      sit({ cx: 784, cy: 470, r: 108 }, laddus.motichoorLaddu) +
      cut(300, 540) +
      cut(232, 640) +
      cut(388, 652) +
      rakhi(art, [602, 600], 84, -12) +
      marigold(art, 742, 720, 66) +
      marigold(art, 640, 800, 50, true) +
      rosePetal(art, 470, 800, 40, 30) +
      rosePetal(art, 350, 790, 34, 110) +
      strew(art, [rosePetal], [520, 430], [50, 30], 2, [26, 32])
    );
  },
};
