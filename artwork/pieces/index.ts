import { Art, ellipse } from '../kit/art.ts';
import type { Ball } from '../kit/ball.ts';
import * as choc from '../kit/chocolates.ts';
import { ramp } from '../kit/colour.ts';
import { paperCup } from '../kit/festive.ts';
import * as halwas from '../kit/halwas.ts';
import * as laddus from '../kit/laddus.ts';

/** One piece alone on transparent ground, as it lies in its place of a box. */
export type Piece = { slug: string; svg: () => string };

const SIDE = 480;
const GOLD = ramp('#8a5a1c', '#c99a4c', '#f0d69c', '#fff1d2', '#ffffff');
const ball: Ball = { cx: 240, cy: 232, r: 168 };
const view = { yaw: 0.5, pitch: 0.8 };

/** The bottom of an empty cup: warm, because the paper reflects itself. */
const hollow = (art: Art) =>
  ellipse(246, 248, 164, 164, `fill="#b98a45" opacity=".55" ${art.blur(20)}`) +
  ellipse(240, 236, 118, 112, `fill="#f3dba6" opacity=".5" ${art.blur(30)}`);

const onCup = (art: Art) => ellipse(250, 292, 160, 118, `fill="#2a0410" opacity=".5" ${art.blur(16)}`);

const DRAWINGS: Record<string, (art: Art) => string> = {
  'besan-laddu': (art) => laddus.besanLaddu(art, ball),
  'motichoor-laddu': (art) => laddus.motichoorLaddu(art, ball),
  'nariyal-laddu': (art) => laddus.nariyalLaddu(art, ball),
  'til-gud-laddu': (art) => laddus.tilLaddu(art, ball),
  'dry-fruit-laddu': (art) => laddus.dryFruitLaddu(art, ball),
  'rava-laddu': (art) => laddus.ravaLaddu(art, ball),
  'gond-laddu': (art) => laddus.gondLaddu(art, ball),
  'boondi-laddu': (art) => laddus.boondiLaddu(art, ball),
  'filter-coffee-truffles': (art) => choc.cocoaTruffle(art, ball),
  'rose-pistachio-truffles': (art) => choc.roseTruffle(art, ball),
  'chocolate-barfi': (art) => choc.chocoBarfi(art, [240, 268], 158, 112, view),
  'kaju-chocolate-katli': (art) => choc.chocoKatli(art, [240, 262], 226, 200, 64, { yaw: 0, pitch: 0.86 }).svg,
  'karachi-halwa': (art) => halwas.jellyCube(art, [240, 290], 138, 176, halwas.jelly.red, 0.5).svg,
  'tirunelveli-halwa': (art) => halwas.wheatSlab(art, [240, 292], 148, 140, 0.5),
};

export const PIECES: Piece[] = [
  ...Object.entries(DRAWINGS).map(([slug, draw]) => ({
    slug,
    svg: () => {
      const art = new Art(`${slug}-piece`);
      const body = onCup(art) + draw(art);
      return art.document(SIDE, SIDE, body);
    },
  })),
  {
    slug: 'cup',
    svg: () => {
      const art = new Art('cup');
      const body = paperCup(art, [240, 240], 212, 1, GOLD) + hollow(art);
      return art.document(SIDE, SIDE, body);
    },
  },
];
