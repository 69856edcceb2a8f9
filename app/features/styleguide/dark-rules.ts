/** Rules for visitors who prefer dark then hold inside `[data-theme="dark"]`, whatever this visitor prefers. */
export function themeDarkParts({ styleSheets }: Document): void {
  for (const { cssRules } of styleSheets) for (const rule of cssRules) if (isForDark(rule)) moveInside(rule);
}

const isForDark = (rule: CSSRule): rule is CSSMediaRule =>
  rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-color-scheme: dark');

function moveInside(rule: CSSMediaRule): void {
  rule.media.mediaText = 'all';
  for (const inner of rule.cssRules)
    if (inner instanceof CSSStyleRule)
      inner.selectorText =
        inner.selectorText === ':root' ? '[data-theme="dark"]' : `[data-theme="dark"] :is(${inner.selectorText})`;
}
