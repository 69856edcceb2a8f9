import { type Art, f, path } from './art.ts';
import type { Ramp } from './colour.ts';
import type { Ellipsoid } from './light.ts';
import { cover, type Layer } from './particles.ts';

export type Heap = {
  cx: number;
  cy: number;
  rx: number;
  height: number;
  pitch: number;
  tones: Ramp;
  layers: Layer[];
  grain?: string;
  wet?: string;
};

/** A mound, its foot an ellipse around `cx, cy`. */
export function heap(art: Art, h: Heap): string {
  const { cx, cy, rx, height, pitch, tones } = h;
  const ry = rx * pitch;
  const up = Math.hypot(ry, height * Math.sqrt(1 - pitch * pitch));
  const d = `M${f(cx - rx)} ${f(cy)}A${f(rx)} ${f(up)} 0 0 1 ${f(cx + rx)} ${f(cy)}A${f(rx)} ${f(ry)} 0 0 1 ${f(cx - rx)} ${f(cy)}Z`;
  const form = art.radial(
    [
      [0, tones(0.97)],
      [0.34, tones(0.76)],
      [0.66, tones(0.42)],
      [0.9, tones(0.15)],
      [1, tones(0.2)],
    ],
    [cx - rx * 0.42, cy - up * 0.62],
    rx * 1.6,
    Math.min(1, (up + ry) / (2 * rx) + 0.12),
  );
  const turnAway = art.radial(
    [
      [0.55, tones(0), 0],
      [0.95, tones(0), 0.5],
      [1, tones(0), 0.5],
    ],
    [cx - rx * 0.36, cy - up * 0.5],
    rx * 1.55,
    Math.min(1, (up + ry) / (2 * rx) + 0.12),
  );
  const body: Ellipsoid = { cx, cy, a: rx * 0.985, b: rx * 0.985, c: height, pitch, floor: 0.02 };
  const lit = art.radial(
    [
      [0, '#ffffff', 1],
      [0.4, '#ffffff', 0.85],
      [0.8, '#ffffff', 0.12],
      [1, '#ffffff', 0],
    ],
    [cx - rx * 0.4, cy - up * 0.5],
    rx * 1.25,
    0.85,
  );
  const glaze = h.wet ? `<g ${h.wet}>${path(d, `fill="${lit}"`)}</g>` : '';
  return `<g><g ${h.grain ?? ''}>${path(d, `fill="${form}"`)}</g>${cover(art, body, h.layers)}${path(d, `fill="${turnAway}"`)}${glaze}</g>`;
}
