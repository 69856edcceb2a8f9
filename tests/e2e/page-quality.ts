import AxeBuilder from '@axe-core/playwright';
import type { Locator } from '@playwright/test';
import { expect, type Page } from './shop-page.ts';

/** Holds what is shown now against the accessibility rules; in the dark only colours can differ. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const light = await new AxeBuilder({ page }).analyze();
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = await new AxeBuilder({ page }).withRules('color-contrast').analyze();
  const problems = [...light.violations, ...dark.violations];
  expect(problems.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
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
