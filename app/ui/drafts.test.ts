import { afterEach, expect, test } from 'vitest';
import { dropDraft, findDraft, followForm, forgetDrafts, keepDrafts } from './drafts.ts';

function newTab() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return (path: string) => ({ storage: () => storage, path: () => path });
}
let leave: (() => void)[] = [];
const open = (start: Record<string, string>, values: Record<string, string>) => {
  leave.push(followForm(() => ({ start, values: { ...start, ...values } })));
};
afterEach(() => {
  for (const one of leave) one();
  leave = [];
});

const start = { name: 'Besan Laddu', price: '640', image: '' };

test('what was typed comes back once, into the form it was typed in', () => {
  const at = newTab();
  open(start, { price: '660' });
  open({ note: '' }, { note: 'Call before noon' });
  expect(keepDrafts(at('/admin/products/1'))).toBe(true);
  // A form may be rendered twice before it stands: only then is it dropped.
  expect(findDraft(start, at('/admin/products/1'))).toEqual({ price: '660' });
  expect(findDraft(start, at('/admin/products/1'))).toEqual({ price: '660' });
  dropDraft(start, at('/admin/products/1'));
  expect(findDraft(start, at('/admin/products/1'))).toBeNull();
  expect(findDraft({ note: '' }, at('/admin/products/1'))).toEqual({ note: 'Call before noon' });
});

test('not into another record, another page, or one that another administrator has changed since', () => {
  const at = newTab();
  open(start, { price: '660' });
  keepDrafts(at('/admin/products/1'));
  expect(findDraft(start, at('/admin/products/2'))).toBeNull();
  expect(findDraft({ ...start, name: 'Kaju Katli' }, at('/admin/products/1'))).toBeNull();
  expect(findDraft({ ...start, price: '650' }, at('/admin/products/1'))).toBeNull();
});

test('a chosen picture is not kept, the words beside it are', () => {
  const at = newTab();
  open(start, { name: 'Besan Ladoo', image: 'blob:https://shop.example/1' });
  keepDrafts(at('/admin/products/1'));
  expect(findDraft(start, at('/admin/products/1'))).toEqual({ name: 'Besan Ladoo' });
});

test('logging out deletes it', () => {
  const at = newTab();
  open(start, { price: '660' });
  keepDrafts(at('/admin/products/1'));
  forgetDrafts(at('/logout'));
  expect(findDraft(start, at('/admin/products/1'))).toBeNull();
});

test('it is known when the browser keeps nothing', () => {
  open(start, { price: '660' });
  const blocked = () => {
    throw new Error('SecurityError');
  };
  expect(keepDrafts({ storage: blocked, path: () => '/' })).toBe(false);
  expect(findDraft(start, { storage: blocked, path: () => '/' })).toBeNull();
});
