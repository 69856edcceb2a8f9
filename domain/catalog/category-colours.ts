import { isCategoryName, type OwnCategory } from './category.ts';

const darkInk = '#1d1512';
const lightInk = '#fff7f0';

/** The ink that is easier to read on a colour. */
export function inkOn(colour: string): string {
  return contrast(colour, darkInk) >= contrast(colour, lightInk) ? darkInk : lightInk;
}

/**
 * CSS for the owner's categories, beside the five of tokens.css: whatever carries data-category gets its colour. A
 * category without a colour has no rule, and so the default, white.
 */
export function categoryRules(categories: readonly OwnCategory[]): string {
  return categories
    .flatMap(({ name, colour }) =>
      colour && /^#[0-9a-f]{6}$/.test(colour) && isCategoryName(name)
        ? `[data-category="${name}"]{--category:${colour};--on-category:${inkOn(colour)}}`
        : [],
    )
    .join('');
}

/** As WCAG 2 defines it, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
