import { expect, test } from 'vitest';
import { undoneInWords } from './undo-moves.tsx';

const refused = (id: string) => ({ id, reason: `Order ${id} was moved more than a minute ago.` });

test.each([
  [{ undone: ['1'], refused: [] }, [['success', 'Undone. No email was sent.']]],
  [{ undone: ['1', '2'], refused: [] }, [['success', '2 orders moved back. No email was sent.']]],
  [{ undone: [], refused: [refused('7')] }, [['error', 'Not undone. Order 7 was moved more than a minute ago.']]],
  [
    { undone: ['1'], refused: [refused('7'), refused('8')] },
    [
      ['success', 'Undone. No email was sent.'],
      ['error', '2 orders not undone. Order 7 was moved more than a minute ago.'],
    ],
  ],
])('what came of an undo is said for those that moved and those that did not: %j', (value, said) => {
  expect(undoneInWords({ ok: true, value })).toEqual(said);
});
