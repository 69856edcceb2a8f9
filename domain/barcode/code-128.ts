// Code 128, as couriers' scanners read it: every symbol is 11 modules wide, three bars and three gaps, the stop 13.

/** The widths of bars and gaps of each symbol, by its value; 103 to 105 start sets A, B and C, 106 stops. */
const symbols =
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214211232';
const stop = '2331112';
const startB = 104;
const startC = 105;

/** The values of the symbols between the first bar and the stop, the check symbol included. */
export function code128Values(text: string): number[] {
  if (!/^[ -~]+$/.test(text)) throw new RangeError('a barcode holds printable ASCII');
  // Set C puts two digits into one symbol; everything else is set B.
  const isPairs = /^(\d\d)+$/.test(text);
  const values = isPairs
    ? [startC, ...(text.match(/\d\d/g) ?? []).map(Number)]
    : [startB, ...[...text].map((character) => character.charCodeAt(0) - 32)];
  const sum = values.reduce((total, value, place) => total + value * Math.max(place, 1), 0);
  return [...values, sum % 103];
}

export type Bar = { at: number; width: number };

/** The bars, in modules from the left, and how wide all of it is. */
export function code128Bars(text: string): { bars: Bar[]; width: number } {
  const widths = code128Values(text)
    .map((value) => symbols.slice(value * 6, value * 6 + 6))
    .concat(stop)
    .join('');
  const bars: Bar[] = [];
  let at = 0;
  [...widths].forEach((digit, index) => {
    if (index % 2 === 0) bars.push({ at, width: Number(digit) });
    at += Number(digit);
  });
  return { bars, width: at };
}
