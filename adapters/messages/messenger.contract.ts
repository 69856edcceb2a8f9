import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Message, MessageError, type Messenger } from './messenger.ts';

export type MessengerUnderTest = {
  messenger: Messenger;
  /** What arrived, in order, a repeated request once. */
  received(): Promise<Omit<Message, 'key'>[]>;
  reset(): Promise<void>;
  /** Takes the service away, or brings it back. */
  setAway(isAway: boolean): Promise<void>;
  close(): Promise<void>;
};

export const exampleMessage = (more: Partial<Message> = {}): Message => ({
  channel: 'sms',
  to: '+919820012345',
  template: 'order_placed',
  parameters: ['Mithaas', '1042', '₹1,299', 'Fri, 20 Nov', 'https://mithaas.example/profile'],
  text: 'Mithaas: Order 1042 is placed (Rs 1,299). Thank you!',
  key: 'sms:event:7',
  ...more,
});

/** The contract that every messenger fulfils. */
export function describeMessenger(name: string, start: () => Promise<MessengerUnderTest>): void {
  describe(name, () => {
    let under: MessengerUnderTest;
    beforeAll(async () => {
      under = await start();
    });
    beforeEach(() => under.reset());
    afterAll(() => under.close());
    const send = (more: Partial<Message> = {}) => under.messenger.send(exampleMessage(more));

    test.each(['sms', 'whatsapp'] as const)('sends a message by %s as it was given', async (channel) => {
      await send({ channel, key: `${channel}:event:1` });
      const { key, ...message } = exampleMessage({ channel });
      expect(await under.received()).toEqual([message]);
      expect(key).toBe('sms:event:7');
    });

    test('sends the same key once, however often and at once, and another key again', async () => {
      await Promise.all([send(), send(), send()]);
      await send({ text: 'another text' });
      await send({ key: 'sms:event:8' });
      expect((await under.received()).map(({ text }) => text)).toEqual(Array(2).fill(exampleMessage().text));
    });

    test.each(['', '9820012345', '+9198200', '+14155550100', '+919820012345, +919820012346', '+919820012345\r\n'])(
      'refuses the recipient %j, and names it in no error',
      async (to) => {
        const error = await send({ to }).catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(MessageError);
        expect(error).toMatchObject({ kind: 'refused', message: 'the recipient is not a mobile number' });
        expect(await under.received()).toEqual([]);
      },
    );

    test.each(['', 'two words', 'ünique', 'a\r\nb', 'x'.repeat(257)])('takes no key like %j', async (key) => {
      await expect(send({ key })).rejects.toThrow(RangeError);
    });

    test('keeps each place and the text on one line', async () => {
      await send({ parameters: ['Mit\nhaas', 'a\u2028b'], text: 'one\r\ntwo' });
      expect(await under.received()).toMatchObject([{ parameters: ['Mit haas', 'a b'], text: 'one two' }]);
    });

    test('that is away can be tried again later with the same key', async () => {
      await under.setAway(true);
      const error = await send().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toMatchObject({ kind: 'refused' });
      await under.setAway(false);
      await send();
      expect(await under.received()).toHaveLength(1);
    });
  });
}
