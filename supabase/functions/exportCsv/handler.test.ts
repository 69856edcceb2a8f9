import { expect, test } from 'vitest';
import { formulas } from '../../../tests/support/formulas.ts';
import type { FunctionContext } from '../_shared/context.ts';
import { datasets } from './datasets.ts';
import { exportCsv } from './handler.ts';

/** A database in which everybody who could choose a text chose a formula, on every page of the answer. */
function ask(what: string, isAdministrator = true, recorded: unknown[] = []): Promise<Response> {
  const pages = [
    { rows: formulas.map((text) => [text, 1, text]), next: 'second' },
    { rows: [['plain', -5, null]], next: null },
  ];
  const rpc = async (name: string, args: unknown) => {
    if (name === 'is_administrator') return isAdministrator;
    return name === 'record_download' ? void recorded.push(args) : pages.shift();
  };
  const db = { rpc };
  const context = { db, customer: { id: 'x', email: null, sessionId: null }, now: () => new Date() };
  return exportCsv(new Request(`http://shop.test/?what=${what}`), context as unknown as FunctionContext);
}

test.each(Object.keys(datasets))('the file of %s has no formula in any cell', async (what) => {
  const response = await ask(what);
  const lines = (await response.text()).split('\r\n');
  for (const text of formulas) {
    const cell = `'${text}`.replaceAll('"', '""');
    expect(lines.filter((line) => line === `"${cell}",1,"${cell}"` || line === `${cell},1,${cell}`)).toHaveLength(1);
  }
  expect(lines).toContain('plain,-5,');
});

test.each(Object.keys(datasets))('the file of %s is a file, never a page, and kept by no cache', async (what) => {
  const { headers } = await ask(what);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe(`attachment; filename="${what}.csv"`);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('files with customers in them are recorded before they are sent, and not when they are refused', async () => {
  const recorded: unknown[] = [];
  for (const what of Object.keys(datasets)) await ask(what, true, recorded);
  expect(recorded).toEqual(
    ['documents', 'customers', 'orders'].map((what) => ({ user_id: 'x', what, user_agent: '' })),
  );
  for (const what of Object.keys(datasets)) await ask(what, false, recorded);
  expect(recorded).toHaveLength(3);
});

test.each([...Object.keys(datasets), 'none'])('the file of %s is for administrators', async (what) => {
  expect((await ask(what, false)).status).toBe(403);
});

test.each(['none', '', 'constructor', '__proto__', 'orders"\r\nx: y'])('there is no file of %j', async (what) => {
  expect((await ask(encodeURIComponent(what))).status).toBe(404);
});
