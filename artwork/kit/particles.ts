import { type Art, f, type Point, polygon, smooth, turned } from './art.ts';
import type { Ramp } from './colour.ts';
import { type Ellipsoid, lightness, type SurfacePoint, surface } from './light.ts';
import type { Random } from './random.ts';

export type Kind = 'pearl' | 'crumb' | 'flake' | 'seed' | 'strand' | 'chunk';

export type Layer = {
  kind: Kind;
  tones: Ramp;
  /** Size range, in units of a picture-filling piece; smaller pieces get fewer, relatively larger grains. */
  size: [number, number];
  /** 1 covers the surface about once. */
  cover: number;
  /** Random lightness, plus and minus. */
  vary?: number;
  bump?: number;
  gloss?: number;
};

type Spot = { x: number; y: number; s: number; t: number; turn: number; facing: number };

function pearl(rnd: Random, tones: Ramp, { x, y, s, t }: Spot, gloss: number): string {
  const dark = `<circle cx="${f(x + s * 0.2)}" cy="${f(y + s * 0.24)}" r="${f(s * 1.06)}" fill="${tones(t * 0.42)}"/>`;
  const body = `<circle cx="${f(x)}" cy="${f(y)}" r="${f(s * 0.95)}" fill="${tones(t * 0.86)}"/>`;
  const lit = `<ellipse cx="${f(x - s * 0.24)}" cy="${f(y - s * 0.26)}" rx="${f(s * 0.55)}" ry="${f(s * 0.5)}" fill="${tones(Math.min(1, t + 0.14))}"/>`;
  const wet = gloss * t > 0.25 && rnd.next() < gloss;
  const glint = `<circle cx="${f(x - s * 0.36)}" cy="${f(y - s * 0.38)}" r="${f(s * 0.17)}" fill="#fffdf2" opacity="${f(Math.min(0.95, t * gloss + 0.15))}"/>`;
  return dark + body + lit + (wet ? glint : '');
}

function crumb(rnd: Random, tones: Ramp, { x, y, s, t, turn, facing }: Spot): string {
  const n = 6;
  const points: Point[] = [];
  const r = (turn * Math.PI) / 180;
  for (let i = 0; i < n; i++) {
    const a = (i / n) * 6.283 + rnd.range(-0.3, 0.3);
    const k = s * rnd.range(0.7, 1.15);
    const u = Math.cos(a) * k * Math.max(0.45, facing);
    const v = Math.sin(a) * k;
    points.push([x + u * Math.cos(r) - v * Math.sin(r), y + u * Math.sin(r) + v * Math.cos(r)]);
  }
  const below = points.map(([px, py]): Point => [px + s * 0.28, py + s * 0.34]);
  const top = points.map(([px, py]): Point => [x + (px - x) * 0.55 - s * 0.16, y + (py - y) * 0.55 - s * 0.18]);
  return (
    `<path d="${smooth(below)}" fill="${tones(t * 0.55)}" opacity=".7"/>` +
    `<path d="${smooth(points)}" fill="${tones(t * 0.93)}"/>` +
    `<path d="${smooth(top)}" fill="${tones(Math.min(1, t + 0.09))}"/>`
  );
}

function chunk(rnd: Random, tones: Ramp, { x, y, s, t }: Spot, gloss: number): string {
  const n = rnd.int(5, 6);
  const turn = rnd.range(0, 6.28);
  const long = rnd.range(0.65, 1);
  const points: Point[] = [];
  for (let i = 0; i < n; i++) {
    const a = (i / n) * 6.283;
    const k = s * rnd.range(0.8, 1.15);
    const [u, v] = [Math.cos(a) * k, Math.sin(a) * k * long];
    points.push([x + u * Math.cos(turn) - v * Math.sin(turn), y + u * Math.sin(turn) + v * Math.cos(turn)]);
  }
  const shift = (d: number, k: number): Point[] =>
    points.map(([px, py]) => [x + (px - x) * k + d, y + (py - y) * k + d]);
  const glint = gloss > 0 && t > 0.45 && rnd.next() < gloss;
  return (
    `<path d="${polygon(shift(s * 0.24, 1.08))}" fill="${tones(t * 0.3)}" opacity=".8" stroke="${tones(t * 0.3)}" stroke-width="${f(s * 0.2)}" stroke-linejoin="round"/>` +
    `<path d="${polygon(points)}" fill="${tones(t * 0.72)}" stroke="${tones(t * 0.72)}" stroke-width="${f(s * 0.2)}" stroke-linejoin="round"/>` +
    `<path d="${polygon(shift(-s * 0.14, 0.66))}" fill="${tones(Math.min(1, t + 0.08))}" stroke="${tones(Math.min(1, t + 0.08))}" stroke-width="${f(s * 0.24)}" stroke-linejoin="round"/>` +
    (glint
      ? turned(
          x - s * 0.3,
          y - s * 0.3,
          -40,
          `<ellipse rx="${f(s * 0.26)}" ry="${f(s * 0.1)}" fill="#fffdf2" opacity=".8"/>`,
        )
      : '')
  );
}

function seed(rnd: Random, tones: Ramp, { x, y, s, t }: Spot): string {
  const drop = (k: number) =>
    `M${f(-s * 1.25 * k)} 0C${f(-s * 0.7 * k)} ${f(-s * 0.34 * k)} ${f(s * 0.2 * k)} ${f(-s * 0.85 * k)} ${f(s * k)} ${f(-s * 0.15 * k)}C${f(s * 1.2 * k)} ${f(s * 0.5 * k)} ${f(s * 0.1 * k)} ${f(s * 0.9 * k)} ${f(-s * 1.25 * k)} 0Z`;
  const turn = rnd.range(0, 360);
  return (
    turned(x + s * 0.2, y + s * 0.3, turn, `<path d="${drop(1.08)}" fill="${tones(t * 0.25)}" opacity=".7"/>`) +
    turned(x, y, turn, `<path d="${drop(1)}" fill="${tones(t * 0.85)}"/>`) +
    turned(x - s * 0.14, y - s * 0.16, turn, `<path d="${drop(0.6)}" fill="${tones(Math.min(1, t + 0.16))}"/>`)
  );
}

function bent(rnd: Random, length: number): string {
  const b = length * rnd.range(0.1, 0.4) * rnd.sign();
  return `M${f(-length)} ${f(b * 0.4)}Q0 ${f(-b)} ${f(length)} ${f(b * 0.4)}`;
}

function strand(rnd: Random, tones: Ramp, { x, y, s, t }: Spot, gloss: number, thin: number): string {
  const d = bent(rnd, s * rnd.range(1.4, 2.6));
  const turn = rnd.range(0, 180);
  const line = (dx: number, width: number, colour: string, more = '') =>
    turned(
      x + dx,
      y + dx,
      turn,
      `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${f(width)}" stroke-linecap="round" ${more}/>`,
    );
  const w = s * thin;
  return (
    line(w * 0.28, w * 1.1, tones(t * 0.32), 'opacity=".85"') +
    line(0, w, tones(t * 0.86)) +
    line(-w * 0.2, w * 0.4, tones(Math.min(1, t + 0.13))) +
    (gloss > 0 && rnd.next() < gloss * t
      ? line(
          -w * 0.28,
          w * 0.16,
          '#fffaf0',
          `opacity=".75" stroke-dasharray="${f(s * 0.8)} ${f(s * 6)}" stroke-dashoffset="${f(-s * 0.6)}"`,
        )
      : '')
  );
}

function draw(rnd: Random, layer: Layer, spot: Spot): string {
  const gloss = layer.gloss ?? 0;
  if (layer.kind === 'pearl') return pearl(rnd, layer.tones, spot, gloss);
  if (layer.kind === 'crumb') return crumb(rnd, layer.tones, spot);
  if (layer.kind === 'chunk') return chunk(rnd, layer.tones, spot, gloss);
  if (layer.kind === 'seed') return seed(rnd, layer.tones, spot);
  return strand(rnd, layer.tones, spot, gloss, layer.kind === 'strand' ? 0.62 : 0.85);
}

/** The surface of a laddu or a heap of halwa: every grain drawn and lit by where it lies. */
export function cover(art: Art, body: Ellipsoid, layers: Layer[], keep?: (p: SurfacePoint) => boolean): string {
  const { rnd } = art;
  const reach = Math.max(body.a, body.c);
  const scale = (reach / 330) ** 0.58;
  const area = body.a * reach;
  const spots: { depth: number; svg: string }[] = [];
  for (const layer of layers) {
    const mean = ((layer.size[0] + layer.size[1]) / 2) * scale;
    const count = (2 * area * layer.cover) / (mean * mean);
    for (const p of surface(rnd, count, { ...body, bump: layer.bump ?? body.bump ?? 0.012 })) {
      if (keep && !keep(p)) continue;
      const t = lightness(p.normal) + rnd.range(-1, 1) * (layer.vary ?? 0.08);
      const s = rnd.range(layer.size[0], layer.size[1]) * scale;
      spots.push({
        depth: p.depth + rnd.range(-1, 1) * reach * 0.03,
        svg: draw(rnd, layer, { x: p.x, y: p.y, s, t: Math.min(1, Math.max(0.02, t)), turn: p.turn, facing: p.facing }),
      });
    }
  }
  return spots
    .sort((p, q) => p.depth - q.depth)
    .map((p) => p.svg)
    .join('');
}

/** Grains spread over a flat cut, lighter towards the window; `scale` 1 is a picture-filling piece. */
export function scatter(art: Art, layers: Layer[], at: Point, [rx, ry]: [number, number], scale: number): string {
  const { rnd } = art;
  const spots: { y: number; svg: string }[] = [];
  for (const layer of layers) {
    const mean = ((layer.size[0] + layer.size[1]) / 2) * scale;
    const count = Math.round((Math.PI * rx * ry * layer.cover) / (mean * mean * 2.4));
    for (let i = 0; i < count; i++) {
      const a = rnd.range(0, 6.283);
      const k = Math.sqrt(rnd.next());
      const [u, v] = [Math.cos(a) * k, Math.sin(a) * k];
      const t = 0.7 - u * 0.1 - v * 0.12 + rnd.range(-1, 1) * (layer.vary ?? 0.08);
      const spot = {
        x: at[0] + u * rx,
        y: at[1] + v * ry,
        s: rnd.range(layer.size[0], layer.size[1]) * scale,
        t: Math.min(0.95, Math.max(0.2, t)),
        turn: rnd.range(0, 360),
        facing: 1,
      };
      spots.push({ y: spot.y, svg: draw(rnd, layer, spot) });
    }
  }
  return spots
    .sort((p, q) => p.y - q.y)
    .map(({ svg }) => svg)
    .join('');
}

/** Loose crumbs on the ground around a piece. */
export function crumbs(art: Art, layer: Layer, at: Point, spread: [number, number], count: number): string {
  const { rnd } = art;
  let svg = '';
  for (let i = 0; i < count; i++) {
    const a = rnd.range(0, 6.283);
    const k = Math.sqrt(rnd.next());
    const s = rnd.range(layer.size[0], layer.size[1]);
    const spot = {
      x: at[0] + Math.cos(a) * spread[0] * k,
      y: at[1] + Math.sin(a) * spread[1] * k,
      s,
      t: rnd.range(0.55, 0.8),
      turn: 0,
      facing: 1,
    };
    svg += `<ellipse cx="${f(spot.x + s * 0.7)}" cy="${f(spot.y + s * 0.6)}" rx="${f(s * 1.3)}" ry="${f(s * 0.8)}" fill="#3a1604" opacity=".28"/>`;
    svg += draw(rnd, layer, spot);
  }
  return svg;
}
