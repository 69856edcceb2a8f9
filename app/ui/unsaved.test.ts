import { expect, test } from 'vitest';
import { isAnyLeft, leavesTab, type Unsaved } from './unsaved.ts';

const place = (pathname: string, search = '') => ({ pathname, search });
const form = (isChanged: boolean): Unsaved => ({ isChanged, isLeft: leavesTab });
const inAddress = (isChanged: boolean): Unsaved => ({ isChanged, isLeft: (from, to) => from.search !== to.search });

test('the unsaved changes of any form on the page are asked about, whichever came last', () => {
  const [here, there] = [place('/admin/settings'), place('/admin/orders')];
  expect(isAnyLeft([form(true), form(false)], here, there)).toBe(true);
  expect(isAnyLeft([form(false), form(true)], here, there)).toBe(true);
  expect(isAnyLeft([form(false), form(false)], here, there)).toBe(false);
  expect(isAnyLeft([form(true)], here, place('/admin/settings', '?zone=3'))).toBe(false);
  expect(isAnyLeft([form(true)], here, place('/admin/settings', '?tab=search')), 'another tab').toBe(true);
  expect(isAnyLeft([form(false), inAddress(true)], here, place('/admin/settings', '?open=2'))).toBe(true);
});
