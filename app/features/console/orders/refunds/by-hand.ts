import { offlineMethods } from '#contracts/console/order.ts';
import { z } from '#contracts/z.ts';
import { checkWith, choice, day, text } from '../../form/inputs.ts';
import { offlineWords } from '../order-words.ts';

/** What is written down about money that the shop paid back itself. */
export const byHandFields = {
  method: choice(offlineMethods),
  reference: text({ max: 100 }),
  paid_on: day(),
};

/** A transfer has a number, and the customer needs it; private.record_refund_by_hand() has the same rule. */
export const hasReference = ({ method, reference }: { method: string; reference: string }) =>
  !['upi', 'bank'].includes(method) || reference !== '';
export const referenceMissing = {
  path: ['reference'],
  message: 'Enter the UTR or transaction number. The customer needs it to find the money.',
};

export const checkByHand = checkWith(z.object(byHandFields).refine(hasReference, referenceMissing));

export const handMethodOptions = offlineMethods.map((method) => ({ value: method, label: offlineWords[method] }));
