import type { Locator } from '@playwright/test';
import axe from 'axe-core';
import { expect, type Page } from './shop-page.ts';

/** Checks what is shown now, or one part of it, against the accessibility rules; in dark mode only colours can differ. */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const light = await problemsIn(page, part);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = await problemsIn(page, part, ['color-contrast']);
  expect([...light, ...dark]).toEqual([]);
}

/** Asks in the page itself and for violations alone: describing everything that is well takes longer than finding it so. */
async function problemsIn(page: Page, part?: string, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const problems = await page.evaluate(
    async ({ part, rules }) => {
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      const shown = part ? [...document.querySelectorAll(part)] : [document.documentElement];
      if (shown.length === 0) return null;
      // A bar that sticks to the bottom covers part of a target only until the page is scrolled.
      const bars = [...document.querySelectorAll('nav')].filter((nav) => getComputedStyle(nav).position === 'sticky');
      for (const bar of bars) bar.style.position = 'static';
      // axe does not know the top layer: what lies in it would be taken for the background of the page behind.
      const layers = [...document.querySelectorAll<HTMLElement>(':popover-open, dialog:modal')];
      for (const layer of layers) layer.style.zIndex = '9999';
      const { violations } = await run(shown, {
        resultTypes: ['violations'],
        rules: { 'target-size': { enabled: true } },
        ...(rules && { runOnly: { type: 'rule', values: rules } }),
      });
      for (const bar of bars) bar.style.position = '';
      for (const layer of layers) layer.style.zIndex = '';
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    },
    { part, rules },
  );
  if (!problems) throw new Error(`there is no ${part} to look at`);
  return problems;
}

/** Presses a stepper's button until it ends. */
export async function pressToTheEnd(button: Locator): Promise<void> {
  await button.evaluate(async (element: HTMLButtonElement) => {
    while (!element.disabled) {
      element.click();
      await new Promise(requestAnimationFrame);
    }
  });
}

/** Nothing has shifted since the page began to load, or too little to be noticed; else names what has. */
export async function expectStill(page: Page, atMost = 0.02): Promise<void> {
  const shifts = await page.evaluate(async () => {
    type Shift = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
    };
    const placeOf = ({ x, y, width, height }: DOMRectReadOnly) => [x, y, width, height].map(Math.round).join(' ');
    const all: { by: number; what: string[] }[] = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[])
        if (!hadRecentInput)
          all.push({
            by: value,
            what: sources.map(({ node, previousRect, currentRect }) => {
              const markup = (node instanceof Element ? node : node?.parentElement)?.outerHTML.slice(0, 150);
              return `${markup} from ${placeOf(previousRect)} to ${placeOf(currentRect)}`;
            }),
          });
    }).observe({ type: 'layout-shift', buffered: true });
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return all;
  });
  const total = shifts.reduce((sum, { by }) => sum + by, 0);
  expect(total, JSON.stringify(shifts, null, 2)).toBeLessThanOrEqual(atMost);
}

/** Draws every text with a font of the system first, as on a slow line: ours come after the first paint. */
export async function bringFontsLate(page: Page): Promise<void> {
  await page.route('**/*.woff2', async (route) => {
    await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
    await route.continue();
  });
}
