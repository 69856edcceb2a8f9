import type { Locator } from '@playwright/test';
import axe from 'axe-core';
import { expect, type Page } from './shop-page.ts';

/** Holds what is shown now, or one part of it, against the accessibility rules; in the dark only colours can differ. */
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
      const { violations } = await run(shown, {
        resultTypes: ['violations'],
        rules: { 'target-size': { enabled: true } },
        ...(rules && { runOnly: { type: 'rule', values: rules } }),
      });
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

/** How far things have moved by themselves since the page began to load. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
            if (!entry.hadRecentInput) sum += entry.value;
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}
