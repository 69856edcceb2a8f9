import { type Art, ellipse, f, type Point, path, smooth, turned } from './art.ts';
import { mix, type Ramp, ramp } from './colour.ts';

/** A fluted paper cup seen from above, under one sweet. */
export function paperCup(art: Art, [x, y]: Point, r: number, pitch: number, tones: Ramp): string {
  const n = 44;
  const points: Point[] = [];
  let folds = '';
  for (let i = 0; i < n; i++) {
    const a = (i / n) * Math.PI * 2;
    const k = r * (i % 2 ? 1.06 : 1);
    const p: Point = [x + Math.cos(a) * k, y + Math.sin(a) * k * pitch];
    points.push(p);
    folds += path(
      `M${f(x + Math.cos(a) * r * 0.72)} ${f(y + Math.sin(a) * r * 0.72 * pitch)}L${f(p[0])} ${f(p[1])}`,
      `stroke="${i % 2 ? tones(0.95) : tones(0.2)}" stroke-width="${f(r * 0.035)}" opacity=".6"`,
    );
  }
  const fill = art.linear(
    [
      [0, tones(0.8)],
      [1, tones(0.3)],
    ],
    [x - r, y - r * pitch],
    [x + r, y + r * pitch],
  );
  const hollow = ellipse(
    x + r * 0.08,
    y + r * 0.08,
    r * 0.84,
    r * 0.84 * pitch,
    `fill="#1d0508" opacity=".5" ${art.blur(r * 0.06)}`,
  );
  return `${path(smooth(points), `fill="#22040f" opacity=".5" transform="translate(${f(r * 0.06)} ${f(r * 0.07)})" ${art.blur(r * 0.05)}`)}${path(smooth(points), `fill="${fill}"`)}${folds}${hollow}`;
}

const MARIGOLD = ramp('#8a2c00', '#d45a02', '#f98b0c', '#ffb52e', '#ffe27e');
const MARIGOLD_YELLOW = ramp('#9a5200', '#dd8a04', '#fbb716', '#ffd84c', '#fff2a6');

export function marigold(art: Art, x: number, y: number, r: number, yellow = false): string {
  const { rnd } = art;
  const tones = yellow ? MARIGOLD_YELLOW : MARIGOLD;
  let svg = ellipse(x + r * 0.14, y + r * 0.2, r * 1.02, r * 0.95, `fill="#2a0414" opacity=".5" ${art.blur(r * 0.12)}`);
  for (let ring = 5; ring >= 0; ring--) {
    const radius = r * (0.16 + ring * 0.145);
    const n = 5 + ring * 4;
    const turn = rnd.range(0, 6);
    for (let i = 0; i < n; i++) {
      const a = turn + (i / n) * Math.PI * 2 + rnd.range(-0.1, 0.1);
      const [px, py] = [x + Math.cos(a) * radius, y + Math.sin(a) * radius * 0.94];
      const light = 0.5 - 0.26 * Math.cos(a - 0.78) + (5 - ring) * 0.03 + rnd.range(-0.06, 0.06);
      const s = r * rnd.range(0.15, 0.19);
      const d = `M${f(-s)} 0C${f(-s * 0.6)} ${f(-s * 1.1)} ${f(s * 0.7)} ${f(-s * 1.2)} ${f(s * 1.1)} ${f(-s * 0.5)}Q${f(s * 0.8)} 0 ${f(s * 1.1)} ${f(s * 0.5)}C${f(s * 0.7)} ${f(s * 1.2)} ${f(-s * 0.6)} ${f(s * 1.1)} ${f(-s)} 0Z`;
      const deg = (a * 180) / Math.PI;
      svg +=
        turned(px + s * 0.12, py + s * 0.16, deg, path(d, `fill="${tones(light * 0.3)}" opacity=".8"`)) +
        turned(
          px,
          py,
          deg,
          path(d, `fill="${tones(light)}"`) +
            path(
              `M${f(s * 0.2)} ${f(-s * 0.5)}Q${f(s * 0.8)} ${f(-s * 0.5)} ${f(s * 0.9)} ${f(-s * 0.1)}`,
              `fill="none" stroke="${tones(light + 0.26)}" stroke-width="${f(s * 0.22)}" stroke-linecap="round" opacity=".8"`,
            ),
        );
    }
  }
  return svg;
}

/** A clay lamp, lit. `at` is the middle of its rim. */
export function diya(art: Art, [x, y]: Point, s: number): string {
  const clay = ramp('#3f1206', '#7d2f12', '#b9552a', '#de8a55', '#f9cda4');
  const body = `M${f(x - s)} ${f(y)}C${f(x - s * 0.9)} ${f(y + s * 0.62)} ${f(x - s * 0.4)} ${f(y + s * 0.74)} ${f(x)} ${f(y + s * 0.74)}C${f(x + s * 0.5)} ${f(y + s * 0.74)} ${f(x + s * 0.9)} ${f(y + s * 0.5)} ${f(x + s * 1.18)} ${f(y - s * 0.06)}Z`;
  const rim = `M${f(x - s)} ${f(y)}C${f(x - s * 0.9)} ${f(y - s * 0.44)} ${f(x + s * 0.5)} ${f(y - s * 0.46)} ${f(x + s * 1.2)} ${f(y - s * 0.08)}C${f(x + s * 0.7)} ${f(y + s * 0.4)} ${f(x - s * 0.8)} ${f(y + s * 0.44)} ${f(x - s)} ${f(y)}Z`;
  const oil = `M${f(x - s * 0.84)} ${f(y + s * 0.01)}C${f(x - s * 0.76)} ${f(y - s * 0.32)} ${f(x + s * 0.44)} ${f(y - s * 0.34)} ${f(x + s * 1.02)} ${f(y - s * 0.06)}C${f(x + s * 0.6)} ${f(y + s * 0.28)} ${f(x - s * 0.7)} ${f(y + s * 0.32)} ${f(x - s * 0.84)} ${f(y + s * 0.01)}Z`;
  const [fx, fy] = [x + s * 0.86, y - s * 0.14];
  const flame = (k: number) =>
    `M${f(fx)} ${f(fy + s * 0.1 * k)}C${f(fx - s * 0.3 * k)} ${f(fy - s * 0.14 * k)} ${f(fx - s * 0.14 * k)} ${f(fy - s * 0.5 * k)} ${f(fx + s * 0.02 * k)} ${f(fy - s * 0.92 * k)}C${f(fx + s * 0.14 * k)} ${f(fy - s * 0.5 * k)} ${f(fx + s * 0.32 * k)} ${f(fy - s * 0.2 * k)} ${f(fx)} ${f(fy + s * 0.1 * k)}Z`;
  const dots = [-0.6, -0.3, 0, 0.3, 0.6]
    .map((k) => ellipse(x + k * s, y + s * (0.5 - k * k * 0.36), s * 0.055, s * 0.05, 'fill="#ffe7b0" opacity=".9"'))
    .join('');
  return (
    ellipse(x + s * 0.2, y + s * 0.74, s * 0.9, s * 0.2, `fill="#2a0414" opacity=".55" ${art.blur(s * 0.1)}`) +
    path(
      body,
      `fill="${art.linear(
        [
          [0, clay(0.82)],
          [0.35, clay(0.6)],
          [1, clay(0.12)],
        ],
        [x - s, y],
        [x + s, y + s * 0.5],
      )}"`,
    ) +
    dots +
    path(
      rim,
      `fill="${art.linear(
        [
          [0, clay(0.95)],
          [1, clay(0.5)],
        ],
        [x - s, y],
        [x + s, y],
      )}"`,
    ) +
    path(
      oil,
      `fill="${art.linear(
        [
          [0, '#7a3c06'],
          [1, '#e8a52c'],
        ],
        [x - s, y],
        [x + s, y],
      )}"`,
    ) +
    path(
      `M${f(x + s * 0.1)} ${f(y + s * 0.06)}Q${f(x + s * 0.5)} ${f(y + s * 0.08)} ${f(fx)} ${f(fy + s * 0.08)}`,
      `fill="none" stroke="#fff1d2" stroke-width="${f(s * 0.09)}" stroke-linecap="round"`,
    ) +
    ellipse(
      fx,
      fy - s * 0.3,
      s * 1.05,
      s * 1.05,
      `fill="${art.radial(
        [
          [0, '#ffe9a0', 0.85],
          [0.4, '#ffc04a', 0.35],
          [1, '#ff9a20', 0],
        ],
        [fx, fy - s * 0.3],
        s * 1.05,
      )}"`,
    ) +
    path(
      flame(1),
      `fill="${art.linear(
        [
          [0, '#ffb22a'],
          [0.6, '#ff8a12'],
          [1, '#f25a08'],
        ],
        [fx, fy],
        [fx, fy - s * 0.9],
      )}"`,
    ) +
    path(flame(0.7), 'fill="#ffd95a"') +
    path(flame(0.4), 'fill="#fffbe0"')
  );
}

/** A satin bow with two tails. */
export function bow(art: Art, [x, y]: Point, s: number, tones: Ramp): string {
  const loop = (side: number) => {
    const d = `M${f(x)} ${f(y)}C${f(x + side * s * 0.3)} ${f(y - s * 0.6)} ${f(x + side * s * 1.05)} ${f(y - s * 0.72)} ${f(x + side * s * 1.1)} ${f(y - s * 0.2)}C${f(x + side * s * 1.1)} ${f(y + s * 0.26)} ${f(x + side * s * 0.4)} ${f(y + s * 0.24)} ${f(x)} ${f(y)}Z`;
    const hole = `M${f(x + side * s * 0.16)} ${f(y - s * 0.06)}C${f(x + side * s * 0.4)} ${f(y - s * 0.36)} ${f(x + side * s * 0.84)} ${f(y - s * 0.44)} ${f(x + side * s * 0.88)} ${f(y - s * 0.16)}C${f(x + side * s * 0.84)} ${f(y + s * 0.08)} ${f(x + side * s * 0.4)} ${f(y + s * 0.06)} ${f(x + side * s * 0.16)} ${f(y - s * 0.06)}Z`;
    const [a, b] = side < 0 ? [0.95, 0.5] : [0.62, 0.2];
    return (
      path(
        d,
        `fill="#22040f" opacity=".4" transform="translate(${f(s * 0.06)} ${f(s * 0.09)})" ${art.blur(s * 0.05)}`,
      ) +
      path(
        d,
        `fill="${art.linear(
          [
            [0, tones(a)],
            [0.5, tones((a + b) / 2)],
            [1, tones(b)],
          ],
          [x + side * s, y - s * 0.6],
          [x, y + s * 0.3],
        )}"`,
      ) +
      path(hole, `fill="${tones(0.12)}" opacity=".85"`) +
      path(
        `M${f(x + side * s * 0.12)} ${f(y - s * 0.22)}Q${f(x + side * s * 0.5)} ${f(y - s * 0.58)} ${f(x + side * s * 0.92)} ${f(y - s * 0.46)}`,
        `fill="none" stroke="#fffbe9" stroke-width="${f(s * 0.05)}" stroke-linecap="round" opacity=".6" ${art.blur(s * 0.02)}`,
      )
    );
  };
  const tail = (side: number) => {
    const d = `M${f(x)} ${f(y)}C${f(x + side * s * 0.2)} ${f(y + s * 0.4)} ${f(x + side * s * 0.7)} ${f(y + s * 0.5)} ${f(x + side * s * 0.82)} ${f(y + s * 1.05)}L${f(x + side * s * 0.6)} ${f(y + s * 0.94)}L${f(x + side * s * 0.44)} ${f(y + s * 1.14)}C${f(x + side * s * 0.4)} ${f(y + s * 0.7)} ${f(x + side * s * 0.1)} ${f(y + s * 0.5)} ${f(x - side * s * 0.06)} ${f(y + s * 0.1)}Z`;
    return (
      path(
        d,
        `fill="#22040f" opacity=".35" transform="translate(${f(s * 0.05)} ${f(s * 0.07)})" ${art.blur(s * 0.04)}`,
      ) +
      path(
        d,
        `fill="${art.linear(
          [
            [0, tones(0.3)],
            [0.5, tones(side < 0 ? 0.85 : 0.6)],
            [1, tones(0.36)],
          ],
          [x, y],
          [x + side * s * 0.7, y + s],
        )}"`,
      )
    );
  };
  const knot = ellipse(
    x,
    y,
    s * 0.17,
    s * 0.2,
    `fill="${art.radial(
      [
        [0, tones(0.98)],
        [0.6, tones(0.55)],
        [1, tones(0.15)],
      ],
      [x - s * 0.06, y - s * 0.08],
      s * 0.24,
    )}"`,
  );
  return tail(-1) + tail(1) + loop(1) + loop(-1) + knot;
}

/** A rakhi: braided threads, a medallion of gold, pearl and stone. */
export function rakhi(art: Art, [x, y]: Point, r: number, turn: number): string {
  const thread = (dy: number, c: string) =>
    path(
      `M${f(-r * 4.2)} ${f(r * 0.5 + dy)}C${f(-r * 3)} ${f(-r * 0.7 + dy)} ${f(-r * 1.8)} ${f(r * 0.5 + dy)} 0 ${f(dy)}C${f(r * 1.8)} ${f(-r * 0.5 + dy)} ${f(r * 3)} ${f(r * 0.6 + dy)} ${f(r * 4.2)} ${f(-r * 0.4 + dy)}`,
      `fill="none" stroke="${c}" stroke-width="${f(r * 0.14)}" stroke-linecap="round"`,
    );
  const gold = ramp('#5a3206', '#a8751c', '#dfae43', '#f8dc8c', '#fffbe0');
  let beads = '';
  for (let i = 0; i < 18; i++) {
    const a = (i / 18) * Math.PI * 2;
    const [bx, by] = [Math.cos(a) * r * 0.9, Math.sin(a) * r * 0.9];
    beads +=
      ellipse(bx, by, r * 0.15, r * 0.15, `fill="${i % 2 ? '#fffaf0' : '#e23a6f'}"`) +
      ellipse(bx - r * 0.04, by - r * 0.05, r * 0.05, r * 0.04, 'fill="#ffffff"');
  }
  let petals = '';
  for (let i = 0; i < 8; i++)
    petals += turned(
      0,
      0,
      i * 45,
      path(
        `M0 0Q${f(r * 0.34)} ${f(-r * 0.36)} 0 ${f(-r * 0.7)}Q${f(-r * 0.34)} ${f(-r * 0.36)} 0 0Z`,
        `fill="${gold(0.9 - (i % 4) * 0.1)}" stroke="${gold(0.2)}" stroke-width="1.5"`,
      ),
    );
  const side = [-1.7, 1.7]
    .map((k) =>
      ellipse(
        r * k,
        -r * 0.05 * k,
        r * 0.3,
        r * 0.3,
        `fill="${art.radial(
          [
            [0, gold(0.98)],
            [0.6, gold(0.6)],
            [1, gold(0.2)],
          ],
          [r * k - r * 0.1, -r * 0.12],
          r * 0.4,
        )}"`,
      ),
    )
    .join('');
  const medal = ellipse(
    0,
    0,
    r * 0.86,
    r * 0.86,
    `fill="${art.radial(
      [
        [0, gold(1)],
        [0.6, gold(0.65)],
        [1, gold(0.25)],
      ],
      [-r * 0.3, -r * 0.35],
      r * 1.3,
    )}"`,
  );
  const stone =
    ellipse(
      0,
      0,
      r * 0.28,
      r * 0.28,
      `fill="${art.radial(
        [
          [0, '#ff8fb0'],
          [0.5, '#d3124e'],
          [1, '#6e0527'],
        ],
        [-r * 0.08, -r * 0.1],
        r * 0.34,
      )}"`,
    ) + ellipse(-r * 0.09, -r * 0.11, r * 0.08, r * 0.05, 'fill="#ffffff" opacity=".9"');
  return (
    turned(
      x + 5,
      y + 8,
      turn,
      `<g opacity=".45" ${art.blur(5)}>${thread(0, '#2a0414')}${ellipse(0, 0, r, r, 'fill="#2a0414"')}</g>`,
    ) +
    turned(
      x,
      y,
      turn,
      thread(-r * 0.08, '#c2183c') +
        thread(r * 0.1, '#f2b233') +
        thread(0.02 * r, mix('#c2183c', '#f2b233', 0.3)) +
        side +
        medal +
        petals +
        beads +
        stone,
    )
  );
}
