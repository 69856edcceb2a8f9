import { type Art, ellipse, f, type Point, path, turned } from './art.ts';
import { type Ball, ball } from './ball.ts';
import { type Ramp, ramp } from './colour.ts';
import { almond, almondSliver, pistachioSliver, rosePetal, saffronStrand, strew } from './garnish.ts';
import { kaju } from './katli.ts';
import type { Layer } from './particles.ts';
import { type BlockShape, block, rhombus, square, type View } from './solids.ts';

export const dark = ramp('#170804', '#331509', '#552816', '#824c30', '#d0a383');
export const milk = ramp('#321507', '#5d2d14', '#8a4d29', '#b97a4d', '#edc49d');
/** Tempered tops stay dark in the light: only their gleam is bright. */
const sheenDark: Ramp = (t) => dark(t * 0.62);
const sheenMilk: Ramp = (t) => milk(t * 0.72);
export const white = ramp('#8a6635', '#c4a067', '#e8cf9c', '#f8e9c6', '#fffaec');
export const cocoa = ramp('#1d0c06', '#431f11', '#6e3c22', '#9a6542', '#cfa27c');
export const pistachio = ramp('#33420f', '#5f7521', '#96ab43', '#c6d37c', '#f1f4c8');

/** Light of a window on tempered chocolate. */
export function gleam(art: Art, x: number, y: number, rx: number, ry: number, turn: number, opacity = 0.75): string {
  return turned(
    x,
    y,
    turn,
    ellipse(0, 0, rx, ry, `fill="#fff3e2" opacity="${opacity}" ${art.blur(Math.min(rx, ry) * 0.3)}`),
  );
}

export function smoothTruffle(art: Art, b: Ball, tones: Ramp): string {
  const { cx, cy, r } = b;
  return (
    ball(art, b, { tones, grain: [0.02, 2], layers: [], shine: 0.12 }) +
    gleam(art, cx - r * 0.46, cy - r * 0.4, r * 0.2, r * 0.1, -48, 0.8) +
    gleam(art, cx - r * 0.66, cy - r * 0.06, r * 0.1, r * 0.04, -75, 0.5) +
    gleam(art, cx + r * 0.58, cy + r * 0.5, r * 0.2, r * 0.05, -42, 0.22)
  );
}

const dust = (tones: Ramp): Layer[] => [
  { kind: 'crumb', tones, size: [3, 7], cover: 0.36, vary: 0.1, bump: 0.012 },
  { kind: 'crumb', tones, size: [8, 14], cover: 0.08, vary: 0.1, bump: 0.012 },
];
export const cocoaTruffle = (art: Art, b: Ball) =>
  ball(art, b, { tones: cocoa, grain: [0.09, 6], wobble: 0.03, layers: dust(cocoa), shine: 0.1 });

export const pistachioTruffle = (art: Art, b: Ball) =>
  ball(art, b, {
    tones: dark,
    layers: [
      { kind: 'chunk', tones: pistachio, size: [10, 19], cover: 0.95, vary: 0.1, bump: 0.02 },
      {
        kind: 'chunk',
        tones: ramp('#4a2a12', '#7a5a2a', '#b59a50', '#dfcf8c', '#fbf4cf'),
        size: [8, 14],
        cover: 0.2,
        vary: 0.1,
        bump: 0.02,
      },
    ],
    shine: 0.15,
  });

export const roseTruffle = (art: Art, b: Ball) =>
  smoothTruffle(art, b, dark) +
  rosePetal(art, b.cx + b.r * 0.08, b.cy - b.r * 0.66, b.r * 0.24, -20) +
  rosePetal(art, b.cx - b.r * 0.12, b.cy - b.r * 0.6, b.r * 0.2, 60) +
  strew(art, [pistachioSliver], [b.cx + b.r * 0.1, b.cy - b.r * 0.46], [b.r * 0.36, b.r * 0.14], 6, [
    b.r * 0.09,
    b.r * 0.13,
  ]);

/** A sea-salt flake: a small bright crystal. */
export const salt = (art: Art, x: number, y: number, l: number, turn: number) =>
  turned(
    x + l * 0.15,
    y + l * 0.2,
    turn,
    `<rect x="${f(-l / 2)}" y="${f(-l / 2)}" width="${f(l)}" height="${f(l * 0.8)}" fill="#1d0a04" opacity=".5"/>`,
  ) +
  turned(
    x,
    y,
    turn,
    `<rect x="${f(-l / 2)}" y="${f(-l / 2)}" width="${f(l)}" height="${f(l * 0.8)}" fill="#e9eef2"/><path d="M${f(-l / 2)} ${f(-l / 2)}h${f(l)}l${f(-l)} ${f(l * 0.6)}Z" fill="#ffffff"/>`,
  ) +
  (art.rnd.next() < 0.3 ? ellipse(x, y, l * 0.2, l * 0.2, 'fill="#ffffff"') : '');

export type Shard = { plan: Point[]; at: Point; height: number; view: View };

/** A broken piece of slab: gloss above, matt fracture at the sides. */
export function shard(art: Art, s: Shard, tones: Ramp): BlockShape {
  const [x, y] = s.at;
  const sheen =
    gleam(art, x - 90, y - s.height - 50, 200, 30, -28, 0.34) +
    gleam(art, x + 110, y - s.height - 30, 130, 16, -28, 0.22) +
    gleam(art, x - 20, y - s.height + 60, 150, 18, -28, 0.2);
  return block(art, {
    ...s,
    tones,
    topTones: (t) => tones(t * 0.6),
    round: 12,
    grain: art.relief(0.05, 5, 3),
    topGrain: art.relief(0.014, 4, 2),
    onTop: sheen,
    edge: 0.5,
  });
}

export function barkGarnish(art: Art, shape: BlockShape, spots: Point[], l: number): string {
  const { rnd } = art;
  return spots
    .map(([u, v], i) => {
      const [x, y] = shape.place(u, v);
      return i % 3 === 2
        ? almondSliver(art, x, y, l * 0.8, rnd.range(0, 180))
        : almond(art, x, y, l, rnd.range(0, 360));
    })
    .join('');
}

/** Cashew below, cocoa above. */
export function chocoKatli(art: Art, at: Point, w: number, d: number, h: number, view: View): BlockShape {
  return block(art, {
    plan: rhombus(w, d),
    height: h,
    at,
    view,
    tones: kaju,
    topTones: sheenMilk,
    slabs: [
      { from: 0, to: 0.56, tones: kaju },
      { from: 0.56, to: 1, tones: milk },
    ],
    round: w * 0.06,
    grain: art.relief(0.1, 2, 3),
    onTop: gleam(art, at[0] - w * 0.3, at[1] - h - d * 0.2, w * 0.46, d * 0.1, -30, 0.4),
    edge: 0.5,
  });
}

export function chocoBarfi(art: Art, at: Point, w: number, h: number, view: View): string {
  const shape = block(art, {
    plan: square(w),
    height: h,
    at,
    view,
    tones: ramp('#7f5327', '#b98a50', '#e2bf88', '#f6e2b9', '#fffaea'),
    topTones: sheenDark,
    slabs: [
      { from: 0, to: 0.5, tones: ramp('#7f5327', '#b98a50', '#e2bf88', '#f6e2b9', '#fffaea') },
      { from: 0.5, to: 1, tones: milk },
    ],
    round: w * 0.09,
    grain: art.relief(0.07, 4, 4),
    edge: 0.45,
  });
  const [x, y] = shape.place(0, 0);
  return (
    shape.svg +
    gleam(art, x - w * 0.5, y - w * 0.12, w * 0.36, w * 0.07, -30, 0.3) +
    strew(art, [pistachioSliver, almondSliver], [x, y], [w * 0.6, w * 0.34], 8, [w * 0.12, w * 0.17])
  );
}

export function whiteSlab(art: Art, at: Point, w: number, d: number, h: number, view: View): string {
  const shape = block(art, {
    plan: square(w, d),
    height: h,
    at,
    view,
    tones: white,
    round: 12,
    grain: art.relief(0.02, 2, 2),
    edge: 0.9,
  });
  const [x, y] = shape.place(0, 0);
  return (
    shape.svg +
    gleam(art, x - w * 0.4, y - d * 0.3, w * 0.4, d * 0.08, -24, 0.6) +
    strew(art, [pistachioSliver, pistachioSliver, pistachioSliver, rosePetal], [x, y], [w * 0.78, d * 0.48], 18, [
      w * 0.075,
      w * 0.105,
    ]) +
    strew(art, [saffronStrand], [x, y], [w * 0.8, d * 0.5], 16, [w * 0.08, w * 0.12])
  );
}

export const coffeeBean = (art: Art, x: number, y: number, l: number, turn: number) =>
  ellipse(x + l * 0.2, y + l * 0.3, l, l * 0.7, `fill="#1d0a04" opacity=".5" ${art.blur(l * 0.12)}`) +
  turned(
    x,
    y,
    turn,
    ellipse(
      0,
      0,
      l,
      l * 0.68,
      `fill="${art.radial(
        [
          [0, '#8a5230'],
          [0.6, '#4a2412'],
          [1, '#241007'],
        ],
        [-l * 0.3, -l * 0.35],
        l * 1.3,
      )}"`,
    ) +
      path(
        `M${f(-l * 0.92)} 0C${f(-l * 0.3)} ${f(l * 0.28)} ${f(l * 0.3)} ${f(-l * 0.28)} ${f(l * 0.92)} 0`,
        `fill="none" stroke="#170803" stroke-width="${f(l * 0.13)}"`,
      ) +
      ellipse(-l * 0.1, -l * 0.4, l * 0.4, l * 0.1, `fill="#f3cfa8" opacity=".6" ${art.blur(l * 0.05)}`),
  );
