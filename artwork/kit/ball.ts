import { type Art, blob, ellipse, path } from './art.ts';
import type { Ramp } from './colour.ts';
import { cover, type Layer } from './particles.ts';

export type Ball = { cx: number; cy: number; r: number };
export type BallLook = {
  tones: Ramp;
  layers: Layer[];
  /** Noise frequency and height of the paste between the grains, for a picture-filling ball. */
  grain?: [freq: number, scale: number];
  wobble?: number;
  shine?: number;
};

/** A hand-rolled ball, a little flat where it sits. */
export function ball(art: Art, { cx, cy, r }: Ball, look: BallLook): string {
  const { tones } = look;
  const fill = art.radial(
    [
      [0, tones(0.97)],
      [0.3, tones(0.82)],
      [0.56, tones(0.52)],
      [0.8, tones(0.24)],
      [0.93, tones(0.14)],
      [1, tones(0.24)],
    ],
    [cx - r * 0.42, cy - r * 0.42],
    r * 1.62,
  );
  const outline = blob(art.rnd, cx, cy, r, r * 0.975, look.wobble ?? 0.012, 16);
  const [freq, scale] = look.grain ?? [0.05, 4];
  const grain = art.relief(Math.round(freq * (330 / r) ** 0.6 * 1000) / 1000, scale, 4);
  const shine = look.shine ?? 0.3;
  const turnAway = art.radial(
    [
      [0.62, tones(0), 0],
      [0.88, tones(0), 0.42],
      [1, tones(0.1), 0.3],
    ],
    [cx - r * 0.34, cy - r * 0.36],
    r * 1.5,
  );
  return (
    `<g ${grain}>${path(outline, `fill="${fill}"`)}</g>` +
    cover(art, { cx, cy, a: r * 0.985, b: r * 0.985, c: r * 0.96 }, look.layers) +
    path(look.layers.length > 0 ? blob(art.rnd, cx, cy, r * 1.01, r * 0.985, 0, 16) : outline, `fill="${turnAway}"`) +
    ellipse(cx - r * 0.4, cy - r * 0.44, r * 0.34, r * 0.26, `fill="#fffbe8" opacity="${shine}" ${art.blur(r * 0.12)}`)
  );
}
