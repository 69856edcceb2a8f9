import type { Art, Point } from '../kit/art.ts';
import type { Ball } from '../kit/ball.ts';
import * as make from '../kit/chocolates.ts';
import type { Ramp } from '../kit/colour.ts';
import { type CutLook, halved } from '../kit/cut.ts';
import { pistachioSliver, rosePetal, strew } from '../kit/garnish.ts';
import { GROUNDS, shadow } from '../kit/grounds.ts';
import { kaju } from '../kit/katli.ts';
import { crumbs, type Layer } from '../kit/particles.ts';
import { block, type View } from '../kit/solids.ts';
import { chikki, chocolate as heroes, peel } from '../products/chocolate.ts';
import { boxOf, closer, nineInCups, type Piece, sit } from './settings.ts';
import type { Views } from './types.ts';

const tone = GROUNDS.chocolate;
const DARK_BOX = { inside: '#3a1a10', outside: '#f1e0c6' };

const ganache = (inside: Ramp, bits: Layer[] = []): CutLook => ({
  shell: make.dark,
  inside,
  clean: 0.9,
  grain: [0.02, 4],
  layers: [{ kind: 'crumb', tones: inside, size: [5, 11], cover: 0.1, vary: 0.05 }, ...bits],
});

/** Two whole ones, and half of one in front. */
const opened = (whole: Piece, look: CutLook, around: (art: Art) => string) => (art: Art) => {
  const front: Ball = { cx: 540, cy: 606, r: 256 };
  return (
    sit(art, tone, { cx: 330, cy: 350, r: 214 }, whole) +
    shadow(art, tone, front.cx + 10, front.cy + 200, 244, 74) +
    halved(art, whole, front, look) +
    around(art)
  );
};

/** A bit that broke off a slab. */
function bit(
  art: Art,
  plan: Point[],
  at: Point,
  height: number,
  tones: Ramp,
  top: Ramp,
  slabs?: { from: number; to: number; tones: Ramp }[],
) {
  const view: View = { yaw: 0.4, pitch: 0.62 };
  return (
    shadow(art, tone, at[0] + 8, at[1] + 10, 84, 46) +
    block(art, {
      plan,
      at,
      height,
      view,
      tones,
      topTones: top,
      round: 6,
      grain: art.relief(0.07, 5, 4),
      edge: 0.5,
      ...(slabs ? { slabs } : {}),
    }).svg
  );
}
const WEDGE: Point[] = [
  [-70, -50],
  [60, -60],
  [84, 20],
  [-10, 62],
  [-78, 30],
];
const sheen =
  (tones: Ramp): Ramp =>
  (t) =>
    tones(t * 0.66);
const milkCrumb: Layer = { kind: 'crumb', tones: make.milk, size: [5, 11], cover: 1 };

/** Rows of the same piece in the box, from back to front. */
const rows = (xs: number[], ys: number[], piece: (art: Art, at: Point, view: View) => string) => (art: Art) =>
  boxOf(
    art,
    tone,
    (box) =>
      ys.map((y) => xs.map((x) => piece(art, box.floor(x, y, 8), { yaw: 0, pitch: box.pitch })).join('')).join(''),
    DARK_BOX,
  );
const slabView: View = { yaw: 0.5, pitch: 0.62 };
const SHARDS: Point[][] = [
  [
    [-130, -80],
    [20, -100],
    [130, -60],
    [110, 70],
    [-60, 90],
    [-140, 30],
  ],
  [
    [-120, -60],
    [60, -96],
    [136, 10],
    [60, 92],
    [-90, 78],
  ],
];
const coffee = (art: Art) => strew(art, [make.coffeeBean], [230, 800], [130, 60], 5, [30, 38]);
const nutty: Layer = { kind: 'chunk', tones: make.pistachio, size: [12, 22], cover: 0.2, vary: 0.1 };

export const chocolate: Views = {
  'dark-chocolate-almond-bark': {
    cut: closer(heroes['dark-chocolate-almond-bark'] ?? (() => ''), [440, 640], 1.55),
    box: rows([-270, 0, 270], [-250, 0, 230], (art, at, view) => {
      const plan = art.rnd.pick(SHARDS as [Point[], ...Point[][]]);
      const shape = make.shard(
        art,
        { plan, at, height: 40, view: { ...view, yaw: art.rnd.range(-0.3, 0.3) } },
        make.dark,
      );
      return (
        shape.svg +
        make.barkGarnish(
          art,
          shape,
          [
            [-60, -30],
            [30, -40],
            [70, 20],
            [-20, 36],
          ],
          38,
        )
      );
    }),
  },
  'rose-pistachio-truffles': {
    cut: opened(make.pistachioTruffle, ganache(make.white, [nutty]), (art) =>
      [
        rosePetal(art, 210, 780, 58, 100),
        rosePetal(art, 846, 820, 50, 30),
        strew(art, [pistachioSliver], [250, 850], [110, 40], 6, [20, 28]),
      ].join(''),
    ),
    box: nineInCups(
      tone,
      (art, b) => (art.rnd.next() < 0.4 ? make.roseTruffle(art, b) : make.pistachioTruffle(art, b)),
      DARK_BOX,
    ),
  },
  'kaju-chocolate-katli': {
    cut: (art) =>
      shadow(art, tone, 470, 560, 380, 230) +
      make.chocoKatli(art, [440, 540], 390, 340, 150, { yaw: 0.1, pitch: 0.62 }).svg +
      bit(art, WEDGE, [760, 760], 104, kaju, sheen(make.milk), [
        { from: 0, to: 0.56, tones: kaju },
        { from: 0.56, to: 1, tones: make.milk },
      ]) +
      crumbs(art, milkCrumb, [640, 850], [110, 30], 10),
    box: rows([-258, 0, 258], [-220, 10, 240], (art, at, view) => make.chocoKatli(art, at, 140, 130, 62, view).svg),
  },
  'filter-coffee-truffles': {
    cut: opened(
      make.cocoaTruffle,
      ganache((t) => make.dark(t * 0.86)),
      coffee,
    ),
    box: nineInCups(
      tone,
      (art, b) => (art.rnd.next() < 0.35 ? make.smoothTruffle(art, b, make.dark) : make.cocoaTruffle(art, b)),
      DARK_BOX,
    ),
  },
  'sea-salt-peanut-chikki': {
    cut: closer(heroes['sea-salt-peanut-chikki'] ?? (() => ''), [420, 640], 1.6),
    box: rows([-200, 200], [-250, -30, 190], (art, at, view) => chikki(art, at, 165, 96, 44, view)),
  },
  'saffron-white-chocolate': {
    cut: (art) =>
      shadow(art, tone, 440, 560, 380, 230) +
      make.whiteSlab(art, [420, 560], 340, 250, 120, { yaw: -0.36, pitch: 0.64 }) +
      bit(art, WEDGE, [770, 740], 96, make.white, make.white) +
      bit(
        art,
        WEDGE.map(([x, y]): Point => [x * 0.6, y * 0.7]),
        [620, 830],
        80,
        make.white,
        make.white,
      ) +
      crumbs(art, { kind: 'crumb', tones: make.white, size: [5, 10], cover: 1 }, [700, 880], [120, 30], 10),
    box: rows([-200, 200], [-250, -30, 190], (art, at, view) => make.whiteSlab(art, at, 165, 96, 44, view)),
  },
  'orange-peel-chocolate': {
    cut: closer(heroes['orange-peel-chocolate'] ?? (() => ''), [470, 600], 1.5),
    box: (art) =>
      boxOf(
        art,
        tone,
        (box) =>
          [-280, -170, -60, 50, 160, 270]
            .map((y) => [-195, 195].map((x) => peel(art, box.floor(x, y, 20), 172, art.rnd.range(-4, 4))).join(''))
            .join(''),
        DARK_BOX,
      ),
  },
  'chocolate-barfi': {
    cut: (art) =>
      shadow(art, tone, 460, 640, 380, 220) +
      make.chocoBarfi(art, [430, 660], 250, 270, slabView) +
      bit(art, WEDGE, [780, 800], 120, make.milk, sheen(make.dark), [
        { from: 0, to: 0.5, tones: make.white },
        { from: 0.5, to: 1, tones: make.milk },
      ]) +
      crumbs(art, milkCrumb, [640, 884], [120, 26], 12),
    box: rows([-250, 0, 250], [-210, 30, 270], (art, at, view) =>
      make.chocoBarfi(art, at, 96, 88, { ...view, yaw: 0.5 }),
    ),
  },
};
