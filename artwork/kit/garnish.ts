import { type Art, blob, ellipse, f, type Point, path, polygon, smooth, turned } from './art.ts';

const lens = (l: number, w: number, skew = 0) =>
  `M${f(-l)} ${f(skew)}C${f(-l * 0.5)} ${f(-w)} ${f(l * 0.45)} ${f(-w * 1.1)} ${f(l)} ${f(-skew)}C${f(l * 0.5)} ${f(w * 0.9)} ${f(-l * 0.45)} ${f(w)} ${f(-l)} ${f(skew)}Z`;

const under = (art: Art, d: string, turn: number, x: number, y: number, l: number, opacity = 0.45) =>
  turned(x + l * 0.12, y + l * 0.16, turn, path(d, `fill="#331405" opacity="${opacity}" ${art.blur(l * 0.06)}`));

export function pistachioSliver(art: Art, x: number, y: number, l: number, turn: number): string {
  const w = l * art.rnd.range(0.3, 0.4);
  const d = lens(l, w, l * 0.06);
  const fill = art.linear(
    [
      [0, '#d3e089'],
      [0.5, '#a3bd4c'],
      [1, '#6d8f2c'],
    ],
    [0, -w],
    [0, w],
  );
  return (
    under(art, d, turn, x, y, l) +
    turned(
      x,
      y,
      turn,
      path(d, `fill="${fill}"`) +
        path(
          `M${f(-l * 0.95)} ${f(w * 0.1)}C${f(-l * 0.45)} ${f(w)} ${f(l * 0.5)} ${f(w * 0.9)} ${f(l * 0.95)} 0`,
          `fill="none" stroke="#7a4a50" stroke-width="${f(l * 0.07)}" opacity=".75" stroke-linecap="round"`,
        ) +
        path(
          `M${f(-l * 0.6)} ${f(-w * 0.3)}Q0 ${f(-w * 0.75)} ${f(l * 0.5)} ${f(-w * 0.35)}`,
          `fill="none" stroke="#f3f7c4" stroke-width="${f(l * 0.09)}" opacity=".8" stroke-linecap="round"`,
        ),
    )
  );
}

export function almondSliver(art: Art, x: number, y: number, l: number, turn: number): string {
  const w = l * art.rnd.range(0.26, 0.36);
  const d = lens(l, w, l * 0.04);
  const fill = art.linear(
    [
      [0, '#fffaea'],
      [0.55, '#f6e4bd'],
      [1, '#d9b67c'],
    ],
    [0, -w],
    [0, w],
  );
  return (
    under(art, d, turn, x, y, l) +
    turned(
      x,
      y,
      turn,
      path(d, `fill="${fill}" stroke="#b06a34" stroke-width="${f(l * 0.055)}" stroke-opacity=".75"`) +
        path(
          `M${f(-l * 0.55)} ${f(-w * 0.15)}Q0 ${f(-w * 0.5)} ${f(l * 0.5)} ${f(-w * 0.15)}`,
          `fill="none" stroke="#ffffff" stroke-width="${f(l * 0.08)}" opacity=".8" stroke-linecap="round"`,
        ),
    )
  );
}

/** A whole almond in its brown skin. */
export function almond(art: Art, x: number, y: number, l: number, turn: number): string {
  const w = l * 0.6;
  const d = `M${f(-l)} 0C${f(-l * 0.7)} ${f(-w * 0.7)} ${f(l * 0.1)} ${f(-w * 1.15)} ${f(l * 0.7)} ${f(-w * 0.6)}C${f(l * 1.1)} ${f(-w * 0.2)} ${f(l * 1.1)} ${f(w * 0.3)} ${f(l * 0.7)} ${f(w * 0.65)}C${f(l * 0.1)} ${f(w * 1.1)} ${f(-l * 0.7)} ${f(w * 0.7)} ${f(-l)} 0Z`;
  const fill = art.radial(
    [
      [0, '#e0a15c'],
      [0.5, '#b26a31'],
      [1, '#6f3616'],
    ],
    [-l * 0.1, -w * 0.5],
    l * 1.25,
  );
  const veins = [-0.55, -0.25, 0.08, 0.4, 0.65]
    .map((k) =>
      path(
        `M${f(-l * 0.8)} ${f(w * k * 0.25)}Q${f(l * 0.1)} ${f(w * k * 1.35)} ${f(l * 0.85)} ${f(w * k * 0.6)}`,
        `fill="none" stroke="#63300f" stroke-width="${f(l * 0.03)}" opacity=".4"`,
      ),
    )
    .join('');
  const shine = path(
    `M${f(-l * 0.4)} ${f(-w * 0.42)}Q${f(l * 0.1)} ${f(-w * 0.85)} ${f(l * 0.55)} ${f(-w * 0.5)}`,
    `fill="none" stroke="#ffe2b5" stroke-width="${f(l * 0.1)}" opacity=".55" stroke-linecap="round" ${art.blur(l * 0.03)}`,
  );
  return under(art, d, turn, x, y, l, 0.55) + turned(x, y, turn, path(d, `fill="${fill}"`) + veins + shine);
}

export function cashew(art: Art, x: number, y: number, l: number, turn: number): string {
  const d = `M${f(-l)} ${f(l * 0.1)}C${f(-l * 1.05)} ${f(-l * 0.5)} ${f(-l * 0.35)} ${f(-l * 0.72)} ${f(l * 0.15)} ${f(-l * 0.62)}C${f(l * 0.8)} ${f(-l * 0.5)} ${f(l * 1.15)} 0 ${f(l)} ${f(l * 0.4)}C${f(l * 0.88)} ${f(l * 0.68)} ${f(l * 0.5)} ${f(l * 0.55)} ${f(l * 0.42)} ${f(l * 0.25)}C${f(l * 0.3)} ${f(-l * 0.05)} 0 ${f(-l * 0.1)} ${f(-l * 0.25)} ${f(l * 0.12)}C${f(-l * 0.5)} ${f(l * 0.42)} ${f(-l * 0.95)} ${f(l * 0.5)} ${f(-l)} ${f(l * 0.1)}Z`;
  const fill = art.radial(
    [
      [0, '#fffbe8'],
      [0.45, '#f7e2b4'],
      [1, '#c9924e'],
    ],
    [-l * 0.35, -l * 0.5],
    l * 1.6,
  );
  const groove = path(
    `M${f(-l * 0.75)} ${f(l * 0.02)}Q${f(-l * 0.1)} ${f(-l * 0.5)} ${f(l * 0.75)} ${f(l * 0.3)}`,
    `fill="none" stroke="#b98243" stroke-width="${f(l * 0.05)}" opacity=".5"`,
  );
  const shine = path(
    `M${f(-l * 0.7)} ${f(-l * 0.25)}Q${f(-l * 0.2)} ${f(-l * 0.56)} ${f(l * 0.3)} ${f(-l * 0.46)}`,
    `fill="none" stroke="#ffffff" stroke-width="${f(l * 0.1)}" stroke-linecap="round" opacity=".85"`,
  );
  return (
    under(art, d, turn, x, y, l) +
    turned(
      x,
      y,
      turn,
      path(d, `fill="${fill}" stroke="#b57f42" stroke-width="${f(l * 0.03)}" stroke-opacity=".5"`) + groove + shine,
    )
  );
}

export function raisin(art: Art, x: number, y: number, l: number, turn: number): string {
  const w = l * 0.66;
  const d = blob(art.rnd, 0, 0, l, w, 0.08, 10);
  const fill = art.radial(
    [
      [0, '#eab566'],
      [0.5, '#bd7426'],
      [1, '#6f370c'],
    ],
    [-l * 0.35, -w * 0.4],
    l * 1.4,
  );
  const wrinkles = [-0.45, 0, 0.4]
    .map((k) =>
      path(
        `M${f(-l * 0.7)} ${f(w * k)}Q${f(-l * 0.1)} ${f(w * (k + art.rnd.range(-0.3, 0.3)))} ${f(l * 0.65)} ${f(w * k * 0.8)}`,
        `fill="none" stroke="#ffe0a0" stroke-width="${f(l * 0.07)}" opacity=".35"`,
      ),
    )
    .join('');
  return (
    under(art, d, turn, x, y, l) +
    turned(
      x,
      y,
      turn,
      path(d, `fill="${fill}"`) +
        wrinkles +
        ellipse(-l * 0.35, -w * 0.4, l * 0.22, w * 0.12, 'fill="#fff0d8" opacity=".75"'),
    )
  );
}

export function saffronStrand(art: Art, x: number, y: number, l: number, turn: number): string {
  const { rnd } = art;
  const d = `M${f(-l)} 0C${f(-l * 0.4)} ${f(l * rnd.range(-0.5, 0.5))} ${f(l * 0.3)} ${f(l * rnd.range(-0.5, 0.5))} ${f(l)} ${f(l * rnd.range(-0.3, 0.3))}`;
  const line = (w: number, c: string, more = '') =>
    path(d, `fill="none" stroke="${c}" stroke-width="${f(w)}" stroke-linecap="round" ${more}`);
  return (
    turned(x + l * 0.05, y + l * 0.09, turn, line(l * 0.13, '#4a1203', `opacity=".4" ${art.blur(l * 0.04)}`)) +
    turned(
      x,
      y,
      turn,
      line(l * 0.11, '#a81f07') + line(l * 0.045, '#f1701c') + ellipse(-l, 0, l * 0.13, l * 0.08, 'fill="#d8480e"'),
    )
  );
}

export function rosePetal(art: Art, x: number, y: number, l: number, turn: number): string {
  const { rnd } = art;
  const d = `M0 ${f(l)}C${f(-l * 0.9)} ${f(l * 0.4)} ${f(-l * 1.05)} ${f(-l * 0.7)} ${f(-l * 0.35)} ${f(-l * 0.85)}Q0 ${f(-l * rnd.range(0.6, 0.8))} ${f(l * 0.4)} ${f(-l * 0.82)}C${f(l * 1.05)} ${f(-l * 0.6)} ${f(l * 0.8)} ${f(l * 0.4)} 0 ${f(l)}Z`;
  const fill = art.radial(
    [
      [0, '#ffc4d4'],
      [0.45, '#ea6a94'],
      [1, '#a81e52'],
    ],
    [-l * 0.35, -l * 0.45],
    l * 1.7,
  );
  const fold = path(
    `M${f(-l * 0.62)} ${f(-l * 0.55)}Q${f(-l * 0.2)} ${f(-l * 0.3)} ${f(l * 0.55)} ${f(-l * 0.62)}`,
    `fill="none" stroke="#ffdbe4" stroke-width="${f(l * 0.1)}" opacity=".6" stroke-linecap="round" ${art.blur(l * 0.03)}`,
  );
  const veins = [-0.35, 0, 0.35]
    .map((k) =>
      path(
        `M0 ${f(l * 0.85)}Q${f(l * k * 1.3)} ${f(l * 0.2)} ${f(l * k * 1.2)} ${f(-l * 0.5)}`,
        `fill="none" stroke="#8e1444" stroke-width="${f(l * 0.03)}" opacity=".35"`,
      ),
    )
    .join('');
  return under(art, d, turn, x, y, l) + turned(x, y, turn, path(d, `fill="${fill}"`) + veins + fold);
}

/** A torn sheet of silver leaf lying on a piece; `outline` gives its rough shape, torn and creased further here. */
export function varak(art: Art, outline: Point[], tear: number): string {
  const { rnd } = art;
  const points: Point[] = [];
  outline.forEach(([x, y], i) => {
    const [nx, ny] = outline[(i + 1) % outline.length] ?? [x, y];
    const steps = Math.max(2, Math.round(Math.hypot(nx - x, ny - y) / (tear * 1.6)));
    for (let s = 0; s < steps; s++) {
      const k = s / steps;
      points.push([x + (nx - x) * k + rnd.range(-tear, tear) * 0.6, y + (ny - y) * k + rnd.range(-tear, tear) * 0.6]);
    }
  });
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  const [left, right, high, low] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const fill = art.linear(
    [
      [0, '#ffffff'],
      [0.3, '#eef1f6'],
      [0.52, '#bcc4d1'],
      [0.7, '#f3f5f9'],
      [1, '#a9b2c1'],
    ],
    [left, high],
    [right, low],
  );
  const size = Math.hypot(right - left, low - high);
  let creases = '';
  for (let i = 0; i < 46; i++) {
    const [x, y] = [rnd.range(left, right), rnd.range(high, low)];
    const a = rnd.range(0, 6.28);
    const [l, w] = [size * rnd.range(0.05, 0.17), size * rnd.range(0.015, 0.06)];
    const tip = (k: number, t: number): Point => [x + Math.cos(a + t) * k, y + Math.sin(a + t) * k * 0.75];
    const light = rnd.next() < 0.55;
    creases += path(
      polygon([tip(l, 0), tip(w, 1.7), tip(-l * 0.8, 0.15), tip(w * 0.7, -1.6)]),
      `fill="${light ? '#ffffff' : '#77829a'}" opacity="${f(light ? rnd.range(0.4, 0.9) : rnd.range(0.2, 0.45))}"`,
    );
    const [e, g] = [tip(-l * 0.8, 0.15), tip(l, 0)];
    creases += path(
      `M${f(e[0])} ${f(e[1])}L${f(g[0])} ${f(g[1])}`,
      `stroke="#ffffff" stroke-width="${f(size * 0.005 + 0.4)}" opacity=".8"`,
    );
  }
  const d = polygon(points);
  return (
    `<g transform="translate(2 3)">${path(d, `fill="#4a3320" opacity=".3" ${art.blur(2)}`)}</g>` +
    `<g ${art.clip(d)}>${path(d, `fill="${fill}"`)}${creases}</g>` +
    path(d, 'fill="none" stroke="#ffffff" stroke-width="1.4" opacity=".7"')
  );
}

type Piece = (art: Art, x: number, y: number, l: number, turn: number) => string;

/** Garnish strewn inside an ellipse, kept apart so that each piece can be read. */
export function strew(
  art: Art,
  pieces: readonly [Piece, ...Piece[]],
  at: Point,
  reach: [number, number],
  count: number,
  size: [number, number],
): string {
  const { rnd } = art;
  const placed: Point[] = [];
  let svg = '';
  for (let tries = 0; placed.length < count && tries < count * 40; tries++) {
    const a = rnd.range(0, 6.283);
    const k = Math.sqrt(rnd.next());
    const p: Point = [at[0] + Math.cos(a) * reach[0] * k, at[1] + Math.sin(a) * reach[1] * k];
    const apart = size[1] * (tries < count * 20 ? 1.15 : 0.6);
    if (placed.some((q) => Math.hypot(p[0] - q[0], p[1] - q[1]) < apart)) continue;
    placed.push(p);
    svg += rnd.pick(pieces)(art, p[0], p[1], rnd.range(...size), rnd.range(0, 360));
  }
  return svg;
}

export function leafSprig(art: Art, x: number, y: number, l: number, turn: number): string {
  const { rnd } = art;
  const lobe = (a: number, k: number) => {
    const pts: Point[] = [[0, 0]];
    for (const [r, t] of [
      [0.55, -0.5],
      [0.9, -0.42],
      [0.85, -0.14],
      [1.05, 0],
      [0.85, 0.16],
      [0.9, 0.44],
      [0.55, 0.5],
    ] as const)
      pts.push([Math.cos(a + t) * l * k * r, Math.sin(a + t) * l * k * r]);
    return smooth(pts);
  };
  const d = lobe(-1.57, 1) + lobe(-2.75, 0.85) + lobe(-0.4, 0.85);
  const fill = art.linear(
    [
      [0, '#8fc24a'],
      [1, '#2f6b22'],
    ],
    [-l * 0.5, -l],
    [l * 0.6, l * 0.5],
  );
  const veins = [-1.57, -2.75, -0.4]
    .map((a) =>
      path(
        `M0 0L${f(Math.cos(a) * l * 0.7)} ${f(Math.sin(a) * l * 0.7)}`,
        `stroke="#d5eea0" stroke-width="${f(l * 0.035)}" opacity=".6"`,
      ),
    )
    .join('');
  return (
    under(art, d, turn, x, y, l, 0.4) +
    turned(
      x,
      y,
      turn,
      path(
        `M0 0Q${f(l * 0.1 * rnd.sign())} ${f(l * 0.5)} 0 ${f(l * 0.8)}`,
        `fill="none" stroke="#4f8a2c" stroke-width="${f(l * 0.09)}" stroke-linecap="round"`,
      ) +
        path(d, `fill="${fill}"`) +
        veins,
    )
  );
}
