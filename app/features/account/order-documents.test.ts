import { expect, test } from 'vitest';
import { offersOf, withDocuments } from './order-documents.ts';
import { orderOf } from './order-fixtures.ts';

const order = () => orderOf({ id: 'o-1', number: 1042 });
const invoice = { order_id: 'o-1', kind: 'invoice', id: 'i-1', number: 'MTH/26-27/00001' };
const note = (n: number) => ({ order_id: 'o-1', kind: 'credit note', id: `n-${n}`, number: `MTC/26-27/0000${n}` });
const labels = (listed: unknown) =>
  withDocuments([order()], listed)
    .flatMap(offersOf)
    .map(({ label }) => label);

test('before an order is packed its receipt is offered', () => {
  expect(withDocuments([order()], []).flatMap(offersOf)).toEqual([
    { label: 'Download receipt', question: 'invoice?order=o-1', kind: 'receipt', number: '1042' },
  ]);
});

test('then its invoice, and every credit note by its number', () => {
  expect(labels([invoice])).toEqual(['Download invoice']);
  expect(labels([invoice, note(1)])).toEqual(['Download invoice', 'Download credit note']);
  expect(labels([invoice, note(1), note(2)])).toEqual([
    'Download invoice',
    'Download credit note MTC/26-27/00001',
    'Download credit note MTC/26-27/00002',
  ]);
  expect(withDocuments([order()], [invoice, note(2)]).flatMap(offersOf)[1]?.question).toBe(
    'invoice?order=o-1&credit_note=n-2',
  );
});

test('what belongs to another order, or is nothing we know, is left out', () => {
  expect(labels([{ ...invoice, order_id: 'o-2' }, { ...invoice, kind: 'letter' }, { order_id: 'o-1' }, {}])).toEqual([
    'Download receipt',
  ]);
  expect(labels(null)).toEqual(['Download receipt']);
});
