import { type Art, blob, ellipse, f, type Point, path, rounded } from './art.ts';
import { mix, type Ramp, ramp } from './colour.ts';
import { almondSliver, cashew, pistachioSliver, raisin, saffronStrand, strew } from './garnish.ts';
import { heap } from './heap.ts';
import type { Layer } from './particles.ts';
import { type BlockShape, block, project, square, type View } from './solids.ts';

export const jelly = {
  orange: ramp('#8a2200', '#cc4c05', '#f27a10', '#ffa62e', '#ffdf95'),
  red: ramp('#42020b', '#86081a', '#bd1226', '#de3234', '#ff8a6c'),
  green: ramp('#1b4206', '#42760d', '#77a922', '#a6cc42', '#e6f4a0'),
} satisfies Record<string, Ramp>;

/** Karachi halwa: light goes in at the left and glows at the far lower corner. */
export function jellyCube(art: Art, at: Point, w: number, h: number, tones: Ramp, yaw: number): BlockShape {
  const { rnd } = art;
  const view: View = { yaw, pitch: 0.6 };
  const nut = (x: number, y: number, l: number, veil: number) => {
    const piece = rnd.pick([cashew, almondSliver, pistachioSliver, pistachioSliver] as const);
    return `<g opacity="${veil}">${piece(art, x, y, l, rnd.range(0, 360))}</g>`;
  };
  const plan = square(w);
  const place = (x: number, y: number, z: number) => project([x * w, y * w], z * h, at, view);
  let inside = '';
  for (const [along, up] of [
    [-0.6, 0.3],
    [-0.25, 0.7],
    [0.15, 0.3],
    [0.5, 0.65],
    [0.75, 0.25],
  ] as const) {
    const [x, y] = place(along + rnd.range(-0.1, 0.1), 1, up + rnd.range(-0.1, 0.1));
    const [u, v] = place(1, along + rnd.range(-0.1, 0.1), 1 - up + rnd.range(-0.1, 0.1));
    inside += `<g ${art.blur(w * 0.012)}>${nut(x, y, w * rnd.range(0.12, 0.2), 0.55)}${nut(u, v, w * rnd.range(0.12, 0.2), 0.42)}</g>`;
  }
  const [gx, gy] = place(0.75, 0.75, 0.12);
  const [hx, hy] = place(-0.3, 0.9, 0.2);
  inside += ellipse(gx, gy, w * 0.75, h * 0.42, `fill="${tones(0.8)}" opacity=".75" ${art.blur(w * 0.16)}`);
  inside += ellipse(hx, hy, w * 0.5, h * 0.25, `fill="${tones(0.84)}" opacity=".45" ${art.blur(w * 0.14)}`);
  let top = '';
  for (const [u, v] of [
    [-0.5, -0.55],
    [0.1, -0.6],
    [0.62, -0.35],
    [-0.55, 0.1],
    [0.05, 0.05],
    [0.6, 0.3],
    [-0.3, 0.6],
    [0.3, 0.62],
  ] as const) {
    const [x, y] = place(u + rnd.range(-0.14, 0.14), v + rnd.range(-0.14, 0.14), 1);
    top += `<g ${art.blur(w * 0.006)}>${nut(x, y, w * rnd.range(0.12, 0.17), 0.8)}</g>`;
  }
  const [tx, ty] = place(-0.45, -0.35, 1);
  top += ellipse(tx, ty, w * 0.7, w * 0.28, `fill="${tones(1)}" opacity=".5" ${art.blur(w * 0.14)}`);
  const shape = block(art, {
    plan,
    height: h,
    at,
    view,
    tones,
    round: w * 0.16,
    edge: 0.9,
    onTop: top,
    onSides: inside,
  });
  const a = place(-0.86, -0.7, 1);
  const b = place(-0.86, 0.55, 1);
  const c = place(-0.62, 0.8, 1);
  const d = place(0.35, 0.84, 1);
  const gloss = path(
    `M${f(a[0])} ${f(a[1])}L${f(b[0])} ${f(b[1])}Q${f(place(-0.86, 0.82, 1)[0])} ${f(place(-0.86, 0.82, 1)[1])} ${f(c[0])} ${f(c[1])}L${f(d[0])} ${f(d[1])}`,
    `fill="none" stroke="#fffdf4" stroke-width="${f(w * 0.05)}" stroke-linecap="round" stroke-linejoin="round" opacity=".85" ${art.blur(w * 0.008)}`,
  );
  const pane = [place(-0.82, 1, 0.84), place(-0.52, 1, 0.84), place(-0.6, 1, 0.22), place(-0.82, 1, 0.3)];
  const window = path(rounded(pane, w * 0.06), `fill="#fff6df" opacity=".34" ${art.blur(w * 0.014)}`);
  const spill = path(
    blob(rnd, ...place(0.2, -0.15, 1), w * 0.32, w * 0.07, 0.2),
    `fill="#fffdf4" opacity=".5" ${art.blur(w * 0.02)}`,
  );
  return { ...shape, svg: shape.svg + window + gloss + spill };
}

export const glow = (art: Art, x: number, y: number, rx: number, ry: number, tones: Ramp) =>
  ellipse(x, y, rx, ry, `fill="${mix(tones(0.7), '#ffffff', 0.1)}" opacity=".55" ${art.blur(rx * 0.2)}`);

export const carrot = ramp('#5e0a02', '#a62307', '#dc4a12', '#f5772a', '#ffbb7a');
export const beet = ramp('#2c0214', '#5e0630', '#95104d', '#c93a78', '#f39abd');
export const moong = ramp('#6b2c00', '#b35a02', '#e69310', '#fbc02e', '#ffe88c');
export const badam = ramp('#8f3f00', '#d07208', '#f7a92a', '#ffd468', '#fff1bd');
export const sooji = ramp('#83490c', '#c58427', '#efbb5c', '#fde09c', '#fffbe2');
export const wheat = ramp('#360d02', '#762a04', '#b5530a', '#e68a1e', '#ffd07a');
const khoya = ramp('#a58a66', '#d6c09c', '#f3e6cb', '#fffaf0', '#ffffff');

export type Mound = { cx: number; cy: number; rx: number; height: number; pitch: number };

const grated = (tones: Ramp): Layer[] => [
  { kind: 'strand', tones, size: [13, 20], cover: 0.9, vary: 0.1, bump: 0.03, gloss: 0.5 },
  { kind: 'strand', tones, size: [15, 23], cover: 0.75, vary: 0.12, bump: 0.05, gloss: 0.8 },
];

const peak = (m: Mound): Point => [m.cx - m.rx * 0.04, m.cy - m.height * Math.sqrt(1 - m.pitch * m.pitch) * 0.86];

export const gajarHeap = (art: Art, m: Mound) =>
  heap(art, {
    ...m,
    tones: carrot,
    layers: [...grated(carrot), { kind: 'chunk', tones: khoya, size: [9, 17], cover: 0.05, bump: 0.04 }],
  }) +
  strew(art, [almondSliver, pistachioSliver, almondSliver], peak(m), [m.rx * 0.5, m.height * 0.26], 14, [
    m.rx * 0.075,
    m.rx * 0.11,
  ]);

export const beetHeap = (art: Art, m: Mound) =>
  heap(art, {
    ...m,
    tones: beet,
    layers: [...grated(beet), { kind: 'chunk', tones: khoya, size: [8, 14], cover: 0.03, bump: 0.04 }],
  }) +
  cashew(art, peak(m)[0] - m.rx * 0.2, peak(m)[1] + m.rx * 0.05, m.rx * 0.12, -20) +
  cashew(art, peak(m)[0] + m.rx * 0.16, peak(m)[1] - m.rx * 0.01, m.rx * 0.12, 40) +
  cashew(art, peak(m)[0] + m.rx * 0.04, peak(m)[1] + m.rx * 0.2, m.rx * 0.12, 150) +
  strew(art, [pistachioSliver], peak(m), [m.rx * 0.5, m.height * 0.24], 8, [m.rx * 0.065, m.rx * 0.09]);

/** Cooked paste: grain under a skin of ghee. */
const paste = (art: Art, m: Mound, tones: Ramp, size: [number, number], shine: number) =>
  heap(art, {
    ...m,
    tones,
    grain: art.relief(0.035, 7, 4),
    wet: art.wet(0.022, 13, shine, 48),
    layers: [
      { kind: 'crumb', tones, size, cover: 0.3, vary: 0.06, bump: 0.012 },
      { kind: 'crumb', tones, size: [size[1], size[1] * 2], cover: 0.12, vary: 0.05, bump: 0.02 },
    ],
  });

export const moongPaste = (art: Art, m: Mound) => paste(art, m, moong, [6, 12], 1);

export const moongHeap = (art: Art, m: Mound) =>
  moongPaste(art, m) +
  strew(art, [almondSliver, pistachioSliver], peak(m), [m.rx * 0.46, m.height * 0.26], 13, [m.rx * 0.075, m.rx * 0.11]);

export const badamHeap = (art: Art, m: Mound) =>
  paste(art, m, badam, [5, 9], 0.9) +
  strew(art, [almondSliver], peak(m), [m.rx * 0.44, m.height * 0.24], 9, [m.rx * 0.09, m.rx * 0.13]) +
  strew(art, [saffronStrand], peak(m), [m.rx * 0.5, m.height * 0.3], 9, [m.rx * 0.07, m.rx * 0.11]);

export const soojiHeap = (art: Art, m: Mound) =>
  paste(art, m, sooji, [4, 8], 0.7) +
  strew(art, [raisin, cashew, cashew, almondSliver], peak(m), [m.rx * 0.44, m.height * 0.22], 8, [
    m.rx * 0.09,
    m.rx * 0.12,
  ]) +
  strew(art, [pistachioSliver], peak(m), [m.rx * 0.5, m.height * 0.28], 6, [m.rx * 0.06, m.rx * 0.08]);

/** Wheat halwa: a soft amber slab, so full of ghee that it mirrors. */
export function wheatSlab(art: Art, at: Point, w: number, h: number, yaw: number): string {
  const { rnd } = art;
  const view: View = { yaw, pitch: 0.6 };
  const place = (x: number, y: number, z: number) => project([x * w, y * w], z * h, at, view);
  const soft = (p: Point, rx: number, ry: number, t: number, opacity: number) =>
    ellipse(p[0], p[1], rx, ry, `fill="${wheat(t)}" opacity="${opacity}" ${art.blur(w * 0.12)}`);
  const through =
    soft(place(0.7, 0.8, 0.15), w * 0.8, h * 0.36, 0.8, 0.7) + soft(place(-0.5, 1, 0.2), w * 0.5, h * 0.3, 0.66, 0.4);
  const mirror =
    soft(place(-0.4, -0.4, 1), w * 0.7, w * 0.26, 0.98, 0.75) + soft(place(0.6, 0.5, 1), w * 0.5, w * 0.2, 0.3, 0.5);
  const shape = block(art, {
    plan: square(w),
    height: h,
    at,
    view,
    tones: wheat,
    topTones: (t) => wheat(t * 0.8),
    round: w * 0.3,
    grain: art.relief('0.008 0.012', 12, 2),
    onSides: through,
    onTop: mirror,
    edge: 0.75,
  });
  const gleam = (p: Point, q: Point, via: Point, width: number, opacity: number) =>
    path(
      `M${f(p[0])} ${f(p[1])}Q${f(via[0])} ${f(via[1])} ${f(q[0])} ${f(q[1])}`,
      `fill="none" stroke="#fff4d8" stroke-width="${f(width)}" stroke-linecap="round" opacity="${opacity}" ${art.blur(width * 0.16, true)}`,
    );
  const nuts: Point[] = [
    [-0.4, 0.34],
    [0.06, -0.36],
    [0.5, -0.1],
    [0.12, 0.36],
  ];
  return (
    shape.svg +
    gleam(place(-0.8, -0.5, 1), place(-0.2, 0.84, 1), place(-0.9, 0.9, 1), w * 0.06, 0.9) +
    gleam(place(-0.5, -0.62, 1), place(0.3, -0.8, 1), place(-0.2, -0.78, 1), w * 0.04, 0.6) +
    gleam(place(-0.66, 1.02, 0.78), place(-0.7, 1.02, 0.34), place(-0.8, 1.02, 0.6), w * 0.07, 0.5) +
    gleam(place(1.0, 0.5, 0.2), place(1.0, -0.5, 0.24), place(1.0, 0, 0.14), w * 0.03, 0.55) +
    nuts.map(([x, y]) => cashew(art, ...place(x, y, 1), w * 0.15, rnd.range(0, 360))).join('')
  );
}
