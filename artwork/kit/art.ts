import { type Random, seeded } from './random.ts';

export type Stop = [offset: number, colour: string, opacity?: number];
export type Point = [x: number, y: number];

export const f = (n: number) => String(Math.round(n * 10) / 10);

const stopList = (stops: Stop[]) =>
  stops
    .map(([o, c, a]) => `<stop offset="${o}" stop-color="${c}"${a === undefined ? '' : ` stop-opacity="${a}"`}/>`)
    .join('');

/** One picture: its random source and its shared definitions. Drawing functions take it and return SVG text. */
export class Art {
  readonly rnd: Random;
  private readonly ids = new Map<string, string>();
  private readonly defs: string[] = [];

  constructor(seed: string) {
    this.rnd = seeded(seed);
  }

  def(svg: (id: string) => string): string {
    const key = svg('@');
    const known = this.ids.get(key);
    if (known) return known;
    const id = `d${this.ids.size}`;
    this.ids.set(key, id);
    this.defs.push(svg(id));
    return id;
  }

  linear(stops: Stop[], [x1, y1]: Point, [x2, y2]: Point): string {
    const at = `x1="${f(x1)}" y1="${f(y1)}" x2="${f(x2)}" y2="${f(y2)}"`;
    return `url(#${this.def((id) => `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" ${at}>${stopList(stops)}</linearGradient>`)})`;
  }

  radial(stops: Stop[], [cx, cy]: Point, r: number, squash = 1): string {
    const at = `cx="0" cy="0" r="${f(r)}" gradientTransform="translate(${f(cx)} ${f(cy)}) scale(1 ${squash})"`;
    return `url(#${this.def((id) => `<radialGradient id="${id}" gradientUnits="userSpaceOnUse" ${at}>${stopList(stops)}</radialGradient>`)})`;
  }

  clip(path: string): string {
    return `clip-path="url(#${this.def((id) => `<clipPath id="${id}"><path d="${path}"/></clipPath>`)})"`;
  }

  /** `wide` is for strokes, whose box is much narrower than their blur. */
  blur(amount: number, wide = false): string {
    const box = wide ? 'x="-200%" y="-50%" width="500%" height="200%"' : 'x="-50%" y="-50%" width="200%" height="200%"';
    return `filter="url(#${this.def((id) => `<filter id="${id}" ${box}><feGaussianBlur stdDeviation="${f(amount)}"/></filter>`)})"`;
  }

  /**
   * Lit grain: noise as a height field, lit from the left, laid over whatever the group paints.
   * Soft light, because multiplying would grey the warm colours.
   */
  relief(freq: number | string, scale: number, octaves = 3): string {
    const seed = this.rnd.int(1, 90);
    return `filter="url(#${this.def(
      (id) => `<filter id="${id}" x="-5%" y="-5%" width="110%" height="110%" color-interpolation-filters="sRGB">
<feTurbulence type="fractalNoise" baseFrequency="${freq}" numOctaves="${octaves}" seed="${seed}" result="n"/>
<feDiffuseLighting in="n" surfaceScale="${scale}" diffuseConstant=".66" lighting-color="#ffffff" result="l"><feDistantLight azimuth="222" elevation="52"/></feDiffuseLighting>
<feBlend in="l" in2="SourceGraphic" mode="soft-light" result="m"/>
<feComposite in="m" in2="SourceGraphic" operator="in"/></filter>`,
    )})"`;
  }

  /** Ghee and syrup: paints only the highlights of an uneven wet surface, as strong as the group is opaque. */
  wet(freq: number | string, scale: number, strength = 0.9, exponent = 34): string {
    const seed = this.rnd.int(1, 90);
    return `filter="url(#${this.def(
      (id) => `<filter id="${id}" x="-5%" y="-5%" width="110%" height="110%" color-interpolation-filters="sRGB">
<feTurbulence type="fractalNoise" baseFrequency="${freq}" numOctaves="2" seed="${seed}" result="n"/>
<feSpecularLighting in="n" surfaceScale="${scale}" specularConstant="${strength}" specularExponent="${exponent}" lighting-color="#fff6dc" result="l"><feDistantLight azimuth="222" elevation="42"/></feSpecularLighting>
<feComposite in="l" in2="SourceAlpha" operator="in"/></filter>`,
    )})"`;
  }

  document(width: number, height: number, body: string): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><defs>${this.defs.join('\n')}</defs>${body}</svg>`;
  }
}

export function polygon(points: Point[]): string {
  return `M${points.map(([x, y]) => `${f(x)} ${f(y)}`).join('L')}Z`;
}

/** Closed Catmull-Rom curve: the hand-drawn outline of everything that is not machine-cut. */
export function smooth(points: Point[]): string {
  const n = points.length;
  const at = (i: number): Point => points[((i % n) + n) % n] ?? [0, 0];
  let d = `M${f(at(0)[0])} ${f(at(0)[1])}`;
  for (let i = 0; i < n; i++) {
    const [p0, p1, p2, p3] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    d += `C${f(p1[0] + (p2[0] - p0[0]) / 6)} ${f(p1[1] + (p2[1] - p0[1]) / 6)} ${f(p2[0] - (p3[0] - p1[0]) / 6)} ${f(p2[1] - (p3[1] - p1[1]) / 6)} ${f(p2[0])} ${f(p2[1])}`;
  }
  return `${d}Z`;
}

export function rounded(points: Point[], radius: number): string {
  const n = points.length;
  let d = '';
  for (let i = 0; i < n; i++) {
    const [px, py] = points[(i + n - 1) % n] ?? [0, 0];
    const [x, y] = points[i] ?? [0, 0];
    const [nx, ny] = points[(i + 1) % n] ?? [0, 0];
    const a = Math.min(0.45, radius / Math.hypot(px - x, py - y));
    const b = Math.min(0.45, radius / Math.hypot(nx - x, ny - y));
    d += `${i ? 'L' : 'M'}${f(x + (px - x) * a)} ${f(y + (py - y) * a)}Q${f(x)} ${f(y)} ${f(x + (nx - x) * b)} ${f(y + (ny - y) * b)}`;
  }
  return `${d}Z`;
}

export function blob(rnd: Random, cx: number, cy: number, rx: number, ry: number, wobble: number, count = 12): string {
  const turn = rnd.range(0, 6.28);
  const points: Point[] = [];
  for (let i = 0; i < count; i++) {
    const a = turn + (i / count) * Math.PI * 2;
    const k = 1 + rnd.range(-wobble, wobble);
    points.push([cx + Math.cos(a) * rx * k, cy + Math.sin(a) * ry * k]);
  }
  return smooth(points);
}

export const ellipse = (cx: number, cy: number, rx: number, ry: number, paint: string) =>
  `<ellipse cx="${f(cx)}" cy="${f(cy)}" rx="${f(rx)}" ry="${f(ry)}" ${paint}/>`;

export const ellipsePath = (cx: number, cy: number, rx: number, ry: number) =>
  `M${f(cx - rx)} ${f(cy)}a${f(rx)} ${f(ry)} 0 1 1 ${f(rx * 2)} 0a${f(rx)} ${f(ry)} 0 1 1 ${f(-rx * 2)} 0Z`;

export const path = (d: string, paint: string) => `<path d="${d}" ${paint}/>`;

export const turned = (x: number, y: number, degrees: number, body: string, scale = 1) =>
  `<g transform="translate(${f(x)} ${f(y)}) rotate(${f(degrees)})${scale === 1 ? '' : ` scale(${Math.round(scale * 1000) / 1000})`}">${body}</g>`;

export const lifted = (by: number, body: string) => `<g transform="translate(0 ${f(-by)})">${body}</g>`;
