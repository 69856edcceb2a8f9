import { expect, test } from 'vitest';
import { screens } from '#app/features/console/find/screens.ts';
import { screenAt } from './screens.ts';

test.each(screens.map(({ to, title }) => [title, to]))('%s leads to a screen that exists', (_title, to) => {
  expect(screenAt(new URL(to, 'http://shop').pathname)).not.toBeNull();
});
