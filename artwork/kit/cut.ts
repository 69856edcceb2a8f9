import { type Art, blob, ellipse, path } from './art.ts';
import type { Ball } from './ball.ts';
import type { Ramp } from './colour.ts';
import { type Layer, scatter } from './particles.ts';

export type CutLook = {
  /** The crust that is seen as a ring around the cut. */
  shell: Ramp;
  inside: Ramp;
  layers: Layer[];
  /** 0 is broken by hand, 1 cut with a knife. */
  clean?: number;
  grain?: [freq: number, scale: number];
};

/** Half of a ball, its cut towards the viewer: the whole ball behind, the face in front of it. */
export function halved(art: Art, whole: (art: Art, b: Ball) => string, b: Ball, look: CutLook): string {
  const { cx, cy, r } = b;
  const clean = look.clean ?? 0;
  const [fx, fy, rx, ry] = [cx - r * 0.14, cy + r * 0.05, r * 0.86, r * 0.9];
  const face = blob(art.rnd, fx, fy, rx, ry, 0.045 * (1 - clean) + 0.006, clean > 0.5 ? 18 : 26);
  const fill = art.radial(
    [
      [0, look.inside(0.9)],
      [0.55, look.inside(0.7)],
      [1, look.inside(0.46)],
    ],
    [fx - rx * 0.3, fy - ry * 0.35],
    r * 1.3,
  );
  const hollow = art.radial(
    [
      [0.5, look.inside(0), 0],
      [1, look.inside(0), 0.3],
    ],
    [fx - rx * 0.2, fy - ry * 0.25],
    r * 1.15,
  );
  const [freq, scale] = look.grain ?? [0.05, 6];
  return (
    whole(art, { cx: cx + r * 0.16, cy: cy - r * 0.03, r: r * 0.96 }) +
    path(
      face,
      `fill="${look.shell(0)}" opacity=".8" transform="translate(${r * 0.07} ${r * 0.03})" ${art.blur(r * 0.035)}`,
    ) +
    `<g ${art.relief(freq, scale, 4)}>${path(face, `fill="${fill}"`)}</g>` +
    `<g ${art.clip(face)}>${scatter(art, look.layers, [fx, fy], [rx, ry], (r / 330) ** 0.58)}${path(face, `fill="${hollow}"`)}</g>` +
    path(
      face,
      `fill="none" stroke="${look.shell(0.2)}" stroke-width="${r * (0.02 + 0.03 * clean)}" opacity="${0.45 + 0.35 * clean}" ${art.blur(r * 0.008 * (1 - clean) + 0.3)}`,
    ) +
    ellipse(fx - rx * 0.4, fy - ry * 0.42, rx * 0.34, ry * 0.22, `fill="#fffbe8" opacity=".2" ${art.blur(r * 0.1)}`)
  );
}
