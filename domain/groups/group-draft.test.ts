import { expect, test } from 'vitest';
import { emptyDraft, type GroupDraft, parseDraft, serializeDraft } from './group-draft.ts';
import { emptyRecipient } from './recipient.ts';

const draft: GroupDraft = {
  boxes: [[{ productId: 9, size: 500, quantity: 2 }], []],
  rows: [
    { id: 1, fields: { ...emptyRecipient, name: 'Kamala', phone: 'not a number', note: 'शुभ 🪔\nदीपावली' } },
    { id: 2, fields: { ...emptyRecipient, box: 'B' } },
  ],
  card: { motif: 'holi', senderName: 'Acme', note: 'Happy Holi' },
  begun: 'order_1',
  paying: 'order_1',
};

test('a draft comes back as it was, wrong values and all', () => {
  expect(parseDraft(serializeDraft(draft))).toEqual(draft);
});

test.each([null, '', '{', 'null', '[]', '{"boxes":1,"rows":{},"card":7}', '{"boxes":[]}'])(
  'what is no draft is an empty one: %s',
  (text) => {
    expect(parseDraft(text)).toEqual(emptyDraft);
  },
);

test('lines that make no sense are left out, and no more than five hundred rows are read', () => {
  const line = { productId: 9, size: 500, quantity: 2 };
  const boxes = [[line, { ...line, size: 750 }, { ...line, quantity: 26 }, { ...line, productId: '9' }, null]];
  const read = parseDraft(JSON.stringify({ boxes, rows: Array.from({ length: 600 }, () => null) }));
  expect(read.boxes).toEqual([[line]]);
  expect(read.rows).toHaveLength(500);
});
