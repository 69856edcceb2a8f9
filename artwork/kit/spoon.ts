import { type Art, ellipse, f, path } from './art.ts';
import { type Ground, shadow } from './grounds.ts';
import { METAL } from './vessels.ts';

/** A large silver spoon, its bowl around `cx, cy`; the filling is painted over it. */
export function spoon(art: Art, tone: Ground, cx: number, cy: number, rx: number): string {
  const tones = METAL.silver;
  const ry = rx * 0.5;
  const fill = art.linear(
    [
      [0, tones(0.95)],
      [0.3, tones(0.6)],
      [0.6, tones(0.85)],
      [1, tones(0.35)],
    ],
    [cx - rx, cy - ry],
    [cx + rx, cy + ry],
  );
  const handle = `M${f(cx + rx * 0.72)} ${f(cy - ry * 0.62)}C${f(cx + rx * 1.1)} ${f(cy - ry * 1.2)} ${f(cx + rx * 1.4)} ${f(cy - ry * 2.2)} ${f(cx + rx * 1.9)} ${f(cy - ry * 3.6)}`;
  const stroke = (colour: string, width: number, opacity: number, dx = 0) =>
    path(
      handle,
      `fill="none" stroke="${colour}" stroke-width="${f(width)}" stroke-linecap="round" opacity="${opacity}" transform="translate(${dx} ${dx})"`,
    );
  return (
    shadow(art, tone, cx + 12, cy + ry * 0.7, rx * 0.96, ry * 0.8) +
    stroke(tones(0.12), rx * 0.15, 0.5, 8) +
    stroke(tones(0.55), rx * 0.14, 1) +
    stroke(tones(0.95), rx * 0.05, 0.9, -5) +
    ellipse(cx, cy + ry * 0.12, rx, ry, `fill="${tones(0.2)}"`) +
    ellipse(cx, cy, rx, ry, `fill="${fill}"`) +
    ellipse(cx, cy, rx, ry, `fill="none" stroke="${tones(1)}" stroke-width="4" opacity=".8"`) +
    ellipse(cx, cy + ry * 0.04, rx * 0.93, ry * 0.9, `fill="${tones(0.4)}" opacity=".8"`)
  );
}
