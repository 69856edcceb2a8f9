import { type Art, ellipse, ellipsePath, f, path } from './art.ts';
import { ramp } from './colour.ts';
import { type Ground, shadow } from './grounds.ts';

const CLAY = ramp('#4a1a0a', '#8a3d1c', '#bf6a3c', '#df9a6a', '#f6cfa8');
const CHAI = ramp('#5a2a0c', '#9a5a24', '#c98a48', '#e6b478', '#f8dcae');

/** Steam over something hot. */
export function steam(art: Art, x: number, y: number, h: number): string {
  const wisp = (dx: number, bend: number, width: number, opacity: number) =>
    path(
      `M${f(x + dx)} ${f(y)}C${f(x + dx + bend)} ${f(y - h * 0.3)} ${f(x + dx - bend)} ${f(y - h * 0.6)} ${f(x + dx + bend * 0.6)} ${f(y - h)}`,
      `fill="none" stroke="#fffaf0" stroke-width="${f(width)}" stroke-linecap="round" opacity="${opacity}" ${art.blur(width * 0.45, true)}`,
    );
  return wisp(-h * 0.16, h * 0.18, h * 0.07, 0.34) + wisp(h * 0.12, h * 0.14, h * 0.05, 0.24);
}

/** A clay cup of milky tea, 8 cm high: it tells how large everything beside it is. `cx, cy` is the middle of its rim. */
export function kulhad(art: Art, tone: Ground, cx: number, cy: number, rx: number): string {
  const pitch = 0.36;
  const depth = rx * 1.75;
  const [ry, fx] = [rx * pitch, rx * 0.66];
  const fy = fx * pitch;
  const base = cy + depth;
  const wall = `M${f(cx - rx)} ${f(cy)}C${f(cx - rx * 0.94)} ${f(cy + depth * 0.5)} ${f(cx - fx * 1.06)} ${f(base - depth * 0.1)} ${f(cx - fx)} ${f(base)}A${f(fx)} ${f(fy)} 0 0 0 ${f(cx + fx)} ${f(base)}C${f(cx + fx * 1.06)} ${f(base - depth * 0.1)} ${f(cx + rx * 0.94)} ${f(cy + depth * 0.5)} ${f(cx + rx)} ${f(cy)}Z`;
  const form = art.linear(
    [
      [0, CLAY(0.5)],
      [0.18, CLAY(0.86)],
      [0.5, CLAY(0.56)],
      [0.88, CLAY(0.18)],
      [1, CLAY(0.32)],
    ],
    [cx - rx, cy],
    [cx + rx, cy],
  );
  const rings = [0.16, 0.24, 0.52, 0.6, 0.82]
    .map((k) => {
      const w = rx + (fx - rx) * k * 0.94;
      const y = cy + depth * k;
      return path(
        `M${f(cx - w)} ${f(y)}A${f(w)} ${f(w * pitch)} 0 0 0 ${f(cx + w)} ${f(y)}`,
        `fill="none" stroke="${CLAY(0.1)}" stroke-width="${f(rx * 0.02)}" opacity=".4"`,
      );
    })
    .join('');
  const tea = art.radial(
    [
      [0, CHAI(0.78)],
      [0.7, CHAI(0.6)],
      [1, CHAI(0.3)],
    ],
    [cx - rx * 0.2, cy],
    rx,
    pitch,
  );
  let foam = '';
  for (let i = 0; i < 26; i++) {
    const a = art.rnd.range(0, 6.283);
    const k = art.rnd.range(0.72, 0.98);
    const s = art.rnd.range(rx * 0.02, rx * 0.055);
    foam += ellipse(
      cx + Math.cos(a) * rx * 0.86 * k,
      cy + rx * 0.06 + Math.sin(a) * ry * 0.84 * k,
      s,
      s * 0.6,
      `fill="${CHAI(0.95)}" opacity=".75"`,
    );
  }
  return (
    shadow(art, tone, cx + rx * 0.1, base + fy * 0.2, fx * 1.3, fy * 1.5) +
    `<g ${art.relief(0.4, 1.2, 2)}>${path(wall, `fill="${form}"`)}</g><g ${art.clip(wall)}>${rings}</g>` +
    ellipse(cx, cy, rx, ry, `fill="${CLAY(0.34)}"`) +
    ellipse(cx, cy + rx * 0.06, rx * 0.88, ry * 0.86, `fill="${tea}"`) +
    foam +
    path(
      `${ellipsePath(cx, cy, rx, ry)}${ellipsePath(cx, cy + 1, rx * 0.9, ry * 0.88)}`,
      `fill="${CLAY(0.74)}" fill-rule="evenodd"`,
    ) +
    path(ellipsePath(cx, cy, rx, ry), `fill="none" stroke="${CLAY(0.98)}" stroke-width="2" opacity=".6"`) +
    steam(art, cx, cy - ry * 0.4, rx * 1.5)
  );
}
