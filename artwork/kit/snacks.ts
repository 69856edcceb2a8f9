import { type Art, ellipse, f, type Point, path } from './art.ts';
import { type Ball, ball } from './ball.ts';
import { ramp } from './colour.ts';
import { leafSprig, strew } from './garnish.ts';
import { block, square, type View } from './solids.ts';

const crust = ramp('#5f2304', '#a2500d', '#d88a2a', '#f3bd62', '#ffe8b0');
const jamun = ramp('#240602', '#551404', '#8c300a', '#c4601c', '#f6b066');
const sponge = ramp('#8a5a04', '#cf980e', '#f5c828', '#ffe468', '#fff8c2');
const syrup = ramp('#872400', '#cc5000', '#f58004', '#ffab24', '#ffdf78');

/** A samosa standing on its base: two faces meeting in a ridge, a pinched seam along the right. */
export function samosa(art: Art, at: Point, s: number): string {
  const { rnd } = art;
  const p = (x: number, y: number): Point => [at[0] + x * s, at[1] + y * s];
  const q = (x: number, y: number) => p(x, y).map(f).join(' ');
  const body = `M${q(-0.04, -1.02)}C${q(0.1, -1.06)} ${q(0.14, -0.98)} ${q(0.2, -0.86)}C${q(0.46, -0.4)} ${q(0.74, 0.04)} ${q(0.98, 0.4)}C${q(1.06, 0.54)} ${q(0.98, 0.62)} ${q(0.84, 0.64)}C${q(0.4, 0.86)} ${q(-0.36, 0.86)} ${q(-0.82, 0.62)}C${q(-1, 0.56)} ${q(-1.04, 0.44)} ${q(-0.94, 0.28)}C${q(-0.66, -0.1)} ${q(-0.42, -0.52)} ${q(-0.22, -0.88)}C${q(-0.16, -0.98)} ${q(-0.12, -1.02)} ${q(-0.04, -1.02)}Z`;
  const right = `M${q(0.02, -1.04)}C${q(0.14, -0.6)} ${q(0.24, 0.1)} ${q(0.3, 0.82)}C${q(0.6, 0.8)} ${q(0.9, 0.7)} ${q(1.06, 0.52)}C${q(0.7, 0)} ${q(0.4, -0.6)} ${q(0.16, -0.98)}Z`;
  const form = art.linear(
    [
      [0, crust(0.8)],
      [0.4, crust(0.64)],
      [0.75, crust(0.46)],
      [1, crust(0.3)],
    ],
    p(-0.7, -0.4),
    p(0.5, 0.8),
  );
  const dim = art.linear(
    [
      [0, crust(0.34), 0.9],
      [0.5, crust(0.22), 0.9],
      [1, crust(0.08), 0.95],
    ],
    p(0.1, -0.8),
    p(0.9, 0.7),
  );
  const belly = ellipse(
    ...p(-0.26, 0.22),
    s * 0.44,
    s * 0.38,
    `fill="${crust(0.86)}" opacity=".6" ${art.blur(s * 0.14)}`,
  );
  const foot = ellipse(...p(0, 0.84), s * 0.95, s * 0.2, `fill="${crust(0)}" opacity=".55" ${art.blur(s * 0.07)}`);
  let blisters = '';
  for (let i = 0; i < 64; i++) {
    const u = rnd.next();
    const v = rnd.range(-0.8, 0.72);
    const half = (v + 1.05) * 0.52;
    const [x, y] = p((u * 2 - 1) * half, v);
    const r = s * rnd.range(0.012, 0.038);
    const t = u < 0.62 ? 0.72 : 0.34;
    blisters +=
      ellipse(x + r * 0.3, y + r * 0.36, r * 1.1, r, `fill="${crust(t * 0.5)}" opacity=".55"`) +
      ellipse(x, y, r, r * 0.9, `fill="${crust(t)}"`) +
      ellipse(x - r * 0.28, y - r * 0.3, r * 0.5, r * 0.4, `fill="${crust(t + 0.22)}"`);
  }
  let seam = '';
  for (let i = 0; i <= 17; i++) {
    const k = i / 17;
    const [x, y] = p(0.16 + k * 0.82, -0.94 + k * 1.42);
    seam +=
      ellipse(x + s * 0.012, y + s * 0.02, s * 0.04, s * 0.034, `fill="${crust(0.08)}" opacity=".6"`) +
      ellipse(x, y, s * 0.042, s * 0.032, `fill="${crust(0.34)}"`) +
      ellipse(x - s * 0.012, y - s * 0.012, s * 0.022, s * 0.012, `fill="${crust(0.56)}"`);
  }
  const ridge = path(
    `M${q(0.02, -1)}C${q(0.14, -0.6)} ${q(0.22, 0.1)} ${q(0.28, 0.8)}`,
    `fill="none" stroke="${crust(0.92)}" stroke-width="${f(s * 0.05)}" opacity=".5" stroke-linecap="round" ${art.blur(s * 0.018)}`,
  );
  const gleam = `<g ${art.wet(0.018, 22, 0.8, 46)}>${ellipse(...p(-0.3, 0.06), s * 0.5, s * 0.6, 'fill="#fff" opacity=".75"')}</g>`;
  return (
    `<g ${art.clip(body)}><g ${art.relief(0.02, 12, 4)}>${path(body, `fill="${form}"`)}${belly}${path(right, `fill="${dim}"`)}</g>${blisters}${gleam}${foot}${ridge}</g>` +
    seam +
    path(
      `M${q(-0.88, 0.28)}C${q(-0.62, -0.1)} ${q(-0.4, -0.5)} ${q(-0.2, -0.86)}`,
      `fill="none" stroke="#fff0c8" stroke-width="${f(s * 0.03)}" opacity=".7" stroke-linecap="round" ${art.blur(s * 0.01)}`,
    )
  );
}

type Tube = { points: Point[]; width: number /** First point of the end laid across the coils. */; crossing: number };

/** A batter rope soaked in syrup, painted piece by piece so that later turns lie over earlier ones. */
function rope(art: Art, { points, width, crossing }: Tube): string {
  const step = 7;
  let svg = '';
  const line = (d: string, w: number, colour: string, dx: number, more = '') =>
    path(
      d,
      `fill="none" stroke="${colour}" stroke-width="${f(w)}" stroke-linejoin="round" transform="translate(${f(dx)} ${f(dx)})" ${more}`,
    );
  const layers: [number, string, number][] = [
    [1, syrup(0.14), 0],
    [0.86, syrup(0.36), -0.03],
    [0.66, syrup(0.54), -0.07],
    [0.44, syrup(0.7), -0.11],
    [0.22, syrup(0.88), -0.16],
  ];
  const piece = (i: number, before = 0, after = 2) => {
    const part = points.slice(Math.max(0, i - before), i + step + after);
    return part.length > 1 ? `M${part.map(([x, y]) => `${f(x)} ${f(y)}`).join('L')}` : '';
  };
  // The shadow runs two pieces ahead: it falls on older turns, never on the piece just painted.
  const cast = (i: number) =>
    piece(i, 0, 1) ? line(piece(i, 0, 1), width * 1.04, '#3a1200', width * 0.12, 'opacity=".3"') : '';
  svg += cast(0) + cast(step);
  for (let i = 0; i < points.length - 1; i += step) {
    const ends = i === 0 || i + step >= points.length - 1 ? 'stroke-linecap="round"' : '';
    svg += cast(i + step * 2);
    // The lighter layers are shifted towards the light; starting them earlier hides the joint.
    layers.forEach(([w, colour, dx], k) => {
      svg += line(piece(i, k * 3), width * w, colour, width * dx, ends);
    });
  }
  const shine = points.filter((_, i) => i % 2 === 0);
  for (let i = 4; i < shine.length - 8; i += art.rnd.int(9, 15)) {
    const part = shine.slice(i, i + art.rnd.int(4, 7));
    const [a, b] = [part[0], part.at(-1)];
    if (!a || !b) continue;
    if (
      i * 2 < crossing - 8 &&
      part.some((p) => points.slice(crossing).some((q) => Math.hypot(p[0] - q[0], p[1] - q[1]) < width * 0.75))
    )
      continue;
    const across = Math.abs(b[0] - a[0]) > Math.abs(b[1] - a[1]) * 0.2;
    svg += line(
      `M${part.map(([x, y]) => `${f(x)} ${f(y)}`).join('L')}`,
      width * (across ? 0.12 : 0.09),
      '#fffbe6',
      -width * 0.2,
      'opacity=".9" stroke-linecap="round"',
    );
  }
  return svg;
}

export function jalebi(art: Art, at: Point, r: number, squash: number, turn: number): string {
  const { rnd } = art;
  const points: Point[] = [];
  const spin = turn;
  const phase = rnd.range(0, 6);
  const push = (radius: number, a: number) => {
    const k = radius * (1 + 0.035 * Math.sin(a * 2.3 + phase));
    points.push([at[0] + Math.cos(a + spin) * k, at[1] + Math.sin(a + spin) * k * squash]);
  };
  for (let a = 0; a < Math.PI * 2 * 3.1; a += 0.085) push(r * (0.12 + 0.275 * (a / (Math.PI * 2))), a);
  const end = points.at(-1) ?? at;
  const crossing = points.length;
  const before = points.at(-4) ?? at;
  const pace = Math.hypot(end[0] - before[0], end[1] - before[1]) || 1;
  const on: Point = [
    end[0] + ((end[0] - before[0]) / pace) * r * 0.62,
    end[1] + ((end[1] - before[1]) / pace) * r * 0.5,
  ];
  const over: Point = [at[0] + (on[0] - at[0]) * 0.3, at[1] + (on[1] - at[1]) * 0.3];
  const tip: Point = [at[0] + (at[0] - end[0]) * 0.56, at[1] + (at[1] - end[1]) * 0.56];
  for (let k = 0.03; k <= 1; k += 0.03) {
    const m = 1 - k;
    const along = (axis: 0 | 1) =>
      m ** 3 * end[axis] + 3 * m * m * k * on[axis] + 3 * m * k * k * over[axis] + k ** 3 * tip[axis];
    points.push([along(0), along(1)]);
  }
  return rope(art, { points, width: r * 0.235, crossing });
}

export const gulabJamun = (art: Art, b: Ball) =>
  ball(art, b, { tones: jamun, grain: [0.03, 2.4], layers: [], shine: 0.2 }) +
  path(
    `M${f(b.cx - b.r * 0.72)} ${f(b.cy - b.r * 0.1)}C${f(b.cx - b.r * 0.66)} ${f(b.cy - b.r * 0.5)} ${f(b.cx - b.r * 0.36)} ${f(b.cy - b.r * 0.74)} ${f(b.cx - b.r * 0.02)} ${f(b.cy - b.r * 0.76)}C${f(b.cx - b.r * 0.3)} ${f(b.cy - b.r * 0.6)} ${f(b.cx - b.r * 0.5)} ${f(b.cy - b.r * 0.4)} ${f(b.cx - b.r * 0.72)} ${f(b.cy - b.r * 0.1)}Z`,
    `fill="#fff3dc" opacity=".82" ${art.blur(b.r * 0.02)}`,
  ) +
  ellipse(b.cx + b.r * 0.2, b.cy - b.r * 0.68, b.r * 0.09, b.r * 0.045, 'fill="#fff8ea" opacity=".85"') +
  ellipse(
    b.cx + b.r * 0.5,
    b.cy + b.r * 0.56,
    b.r * 0.3,
    b.r * 0.12,
    `fill="#ff9d3a" opacity=".5" ${art.blur(b.r * 0.09)}`,
  );

/** Steamed gram-flour sponge: pores on every face. */
export function dhokla(art: Art, at: Point, w: number, h: number, view: View): { svg: string; top: Point } {
  const { rnd } = art;
  const hole = (x: number, y: number, r: number, t: number) =>
    ellipse(x, y, r * 1.15, r * 0.9, `fill="${sponge(t * 0.45)}" opacity=".75"`) +
    ellipse(x + r * 0.3, y + r * 0.42, r * 0.8, r * 0.45, `fill="${sponge(t + 0.2)}" opacity=".8"`);
  let pores = '';
  let top = '';
  const c = Math.cos(view.yaw);
  const s = Math.sin(view.yaw);
  const rise = Math.sqrt(1 - view.pitch * view.pitch);
  const place = (x: number, y: number, z: number): Point => [
    at[0] + (x * c - y * s) * w,
    at[1] + (x * s + y * c) * w * view.pitch - z * h * rise,
  ];
  for (let i = 0; i < 90; i++) {
    pores += hole(...place(rnd.range(-1, 1), 1, rnd.next()), w * rnd.range(0.012, 0.034), 0.66);
    pores += hole(...place(1, rnd.range(-1, 1), rnd.next()), w * rnd.range(0.012, 0.034), 0.4);
    if (i < 60)
      top += hole(...place(rnd.range(-0.95, 0.95), rnd.range(-0.95, 0.95), 1), w * rnd.range(0.01, 0.024), 0.8);
  }
  const shape = block(art, {
    plan: square(w),
    height: h,
    at,
    view,
    tones: sponge,
    round: w * 0.12,
    grain: art.relief(0.06, 3, 3),
    onSides: pores,
    onTop: top,
    edge: 0.6,
  });
  return { svg: shape.svg, top: shape.place(0, 0) };
}

export const mustardSeed = (_art: Art, x: number, y: number, l: number) =>
  ellipse(x + l * 0.3, y + l * 0.35, l, l * 0.9, 'fill="#6b4403" opacity=".5"') +
  ellipse(x, y, l, l, 'fill="#2b140a"') +
  ellipse(x - l * 0.3, y - l * 0.35, l * 0.32, l * 0.26, 'fill="#c99a78"');

export function greenChilli(art: Art, x: number, y: number, l: number, turn: number): string {
  const fill = art.linear(
    [
      [0, '#b6df63'],
      [0.5, '#5a9e2a'],
      [1, '#28621a'],
    ],
    [0, -l * 0.2],
    [0, l * 0.2],
  );
  const lie = ellipse(
    x + l * 0.1,
    y + l * 0.16,
    l * 0.95,
    l * 0.12,
    `fill="#16290f" opacity=".45" transform="rotate(${f(turn)} ${f(x)} ${f(y)})" ${art.blur(l * 0.05)}`,
  );
  return `${lie}<g transform="translate(${f(x)} ${f(y)}) rotate(${f(turn)})">${path(`M${f(-l)} ${f(l * 0.1)}C${f(-l * 0.4)} ${f(-l * 0.2)} ${f(l * 0.5)} ${f(-l * 0.32)} ${f(l)} ${f(-l * 0.12)}C${f(l * 1.04)} ${f(l * 0.08)} ${f(l * 0.4)} ${f(l * 0.16)} ${f(-l)} ${f(l * 0.1)}Z`, `fill="${fill}"`)}${path(`M${f(-l * 0.5)} ${f(-l * 0.02)}Q${f(l * 0.2)} ${f(-l * 0.18)} ${f(l * 0.8)} ${f(-l * 0.12)}`, `fill="none" stroke="#f2ffd0" stroke-width="${f(l * 0.05)}" opacity=".8" stroke-linecap="round"`)}${path(`M${f(l)} ${f(-l * 0.04)}Q${f(l * 1.2)} ${f(-l * 0.1)} ${f(l * 1.32)} ${f(-l * 0.24)}`, `fill="none" stroke="#6f8f3a" stroke-width="${f(l * 0.09)}" stroke-linecap="round"`)}</g>`;
}

export const herbs = (art: Art, at: Point, reach: [number, number], count: number, size: [number, number]) =>
  strew(art, [leafSprig], at, reach, count, size);
