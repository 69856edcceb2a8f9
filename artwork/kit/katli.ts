import { type Art, f, type Point, path } from './art.ts';
import { ramp } from './colour.ts';
import { varak } from './garnish.ts';
import { type BlockShape, block, rhombus, type View } from './solids.ts';

export const kaju = ramp('#8a6a45', '#c0a06f', '#e6cfa2', '#f8ead0', '#fffaf0');

/** A kaju katli: thin diamond, knife-cut edges, silver leaf pressed on its top. */
export function katli(art: Art, at: Point, w: number, d: number, h: number, view: View, leaf = true): BlockShape {
  const { rnd } = art;
  const shape = block(art, {
    plan: rhombus(w, d),
    height: h,
    at,
    view,
    tones: kaju,
    round: w * 0.05,
    grain: art.relief(0.12, 1.6, 2),
    edge: 0.8,
  });
  if (!leaf) return shape;
  const ring = (k: number): Point[] => [
    [0, -d * k],
    [w * k * 0.5, -d * k * 0.5],
    [w * k, 0],
    [w * k * 0.5, d * k * 0.5],
    [0, d * k],
    [-w * k * 0.5, d * k * 0.5],
    [-w * k, 0],
    [-w * k * 0.5, -d * k * 0.5],
  ];
  const sheet = ring(0.9).map(([x, y]) => shape.place(x * rnd.range(0.86, 1.04), y * rnd.range(0.86, 1.04)));
  const tl = shape.place(-w * 0.62, -d * 0.2);
  const tr = shape.place(-w * 0.1, -d * 0.72);
  const glint = path(
    `M${f(tl[0])} ${f(tl[1])}L${f(tr[0])} ${f(tr[1])}`,
    `stroke="#ffffff" stroke-width="${f(w * 0.07)}" stroke-linecap="round" opacity=".6" ${art.blur(w * 0.03)}`,
  );
  return { ...shape, svg: shape.svg + varak(art, sheet, w * 0.045) + glint };
}
