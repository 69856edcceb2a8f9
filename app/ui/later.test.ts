import { expect, test } from 'vitest';
import { later, laterPartsAreRead } from './later.tsx';

test('a part that cannot be read is told to who asks for a page, until it is read again', async () => {
  let isBroken = true;
  const load = async () => {
    if (isBroken) throw new Error('half a sentence');
    return { default: () => null };
  };
  later(load);
  await expect(laterPartsAreRead()).rejects.toThrow('half a sentence');
  await expect(laterPartsAreRead()).rejects.toThrow('half a sentence');
  isBroken = false;
  later(load);
  await laterPartsAreRead();
});
