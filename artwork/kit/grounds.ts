import { type Art, ellipse, f, type Stop } from './art.ts';
import { mix } from './colour.ts';

export type Ground = { light: string; base: string; deep: string; shadow: string };
export type Category = 'halwa' | 'laddu' | 'chocolate' | 'takeaway' | 'gift';

export const GROUNDS: Record<Category | 'ivory', Ground> = {
  halwa: { light: '#f8bd72', base: '#ec9640', deep: '#d9772a', shadow: '#7c300c' },
  laddu: { light: '#fee7ab', base: '#f9cd66', deep: '#efb440', shadow: '#84480c' },
  chocolate: { light: '#e8c8a6', base: '#cfa682', deep: '#b28763', shadow: '#3f2013' },
  takeaway: { light: '#a3c488', base: '#77a35f', deep: '#5a8547', shadow: '#1f3a17' },
  gift: { light: '#e2659b', base: '#cc3a7c', deep: '#a91c5c', shadow: '#4b0828' },
  ivory: { light: '#fdf8ee', base: '#f7ecd9', deep: '#ecdbbf', shadow: '#6b4a2a' },
};

const petal = (n: number, inner: number, outer: number, width: number) => {
  let d = '';
  for (let i = 0; i < n; i++) {
    const a = (i / n) * Math.PI * 2;
    const at = (r: number, t: number) => `${f(Math.cos(a + t) * r)} ${f(Math.sin(a + t) * r)}`;
    const mid = (inner + outer) / 2;
    d += `M${at(inner, 0)}Q${at(mid, width)} ${at(outer, 0)}Q${at(mid, -width)} ${at(inner, 0)}Z`;
  }
  return d;
};

/** The same block-printed lotus jaali under every picture, only just there. */
function jaali(art: Art, colour: string, opacity: number): string {
  const tile = 120;
  const flower = `<path d="${petal(8, 9, 36, 0.3)}"/><circle r="5"/><path d="${petal(8, 42, 50, 0.1)}"/>`;
  const bud = `<path d="${petal(4, 3, 15, 0.6)}"/>`;
  const id = art.def(
    (name) =>
      `<pattern id="${name}" width="${tile}" height="${tile}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><g fill="${colour}" fill-opacity="${opacity}"><g transform="translate(60 60)">${flower}</g>${[
        [0, 0],
        [tile, 0],
        [0, tile],
        [tile, tile],
      ]
        .map(([x, y]) => `<g transform="translate(${x} ${y})">${bud}</g>`)
        .join('')}</g></pattern>`,
  );
  return `url(#${id})`;
}

export function ground(art: Art, tone: Ground, width = 960, height = 960): string {
  const span = Math.max(width, height);
  const wash = art.radial(
    [
      [0, tone.light],
      [0.5, tone.base],
      [1, tone.deep],
    ],
    [width * 0.24, height * 0.16],
    span * 1.12,
  );
  return (
    `<rect width="${width}" height="${height}" fill="${wash}"/>` +
    `<rect width="${width}" height="${height}" fill="${jaali(art, mix(tone.deep, tone.shadow, 0.25), 0.13)}"/>`
  );
}

/** Ivory paper on the left for words, the category's colour glowing in from the right. */
export function wash(art: Art, tone: Ground, width: number, height: number, from = 0.36): string {
  const ivory = GROUNDS.ivory;
  const rect = (fill: string) => `<rect width="${width}" height="${height}" fill="${fill}"/>`;
  const eased = [0, 0.06, 0.22, 0.5, 0.78, 0.94, 1].map(
    (k, i): Stop => [from + (i / 6) * 0.36, mix(ivory.base, tone.base, k)],
  );
  const colour = art.linear(
    [[0, ivory.light], [from * 0.7, mix(ivory.light, ivory.base, 0.7)], ...eased, [1, tone.deep]],
    [0, 0],
    [width, height * 0.12],
  );
  const light = art.radial(
    [
      [0, tone.light, 0.85],
      [0.5, tone.light, 0.4],
      [1, tone.light, 0],
    ],
    [width * 0.68, height * 0.2],
    width * 0.3,
  );
  return rect(colour) + rect(light) + rect(jaali(art, mix(tone.base, tone.shadow, 0.3), 0.09));
}

/** A shadow lying to the lower right: a wide soft one, and a tight one where the sweet touches. */
export function shadow(art: Art, tone: Ground, cx: number, cy: number, rx: number, ry: number, strength = 1): string {
  return (
    ellipse(
      cx + rx * 0.22,
      cy + ry * 0.16,
      rx * 1.08,
      ry * 1.08,
      `fill="${tone.shadow}" opacity="${f(0.4 * strength)}" ${art.blur(rx * 0.09)}`,
    ) +
    ellipse(
      cx + rx * 0.05,
      cy + ry * 0.04,
      rx * 0.92,
      ry * 0.86,
      `fill="${tone.shadow}" opacity="${0.62 * strength}" ${art.blur(rx * 0.035)}`,
    )
  );
}
