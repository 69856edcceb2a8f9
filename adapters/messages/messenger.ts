import type { MessageChannel } from '../../domain/messages/message.ts';

export type Message = {
  channel: MessageChannel;
  /** +91 and ten digits. */
  to: string;
  /** The name under which it is registered with the service, and what stands in its places. */
  template: string;
  parameters: string[];
  /** The whole message, at most 160 characters of the GSM alphabet. */
  text: string;
  /** The same key is the same message: the service sends it once. Printable ASCII, at most 256 characters. */
  key: string;
};

export type Messenger = { send(message: Message): Promise<void> };

/** Expected failures: 'unavailable' (try later) or 'refused' (the number or message will never be accepted). */
export class MessageError extends Error {
  readonly kind: 'unavailable' | 'refused';

  /** The text goes into logs: it never quotes the message, the number or the service's response. */
  constructor(kind: 'unavailable' | 'refused', message: string) {
    super(message);
    this.name = 'MessageError';
    this.kind = kind;
  }
}

/** What every messenger checks before anything leaves: an Indian mobile number, a key, and one line in each place. */
export function sendableMessage(message: Message): Message {
  if (!/^[\x21-\x7e]{1,256}$/.test(message.key)) throw new RangeError('a message needs a key of printable ASCII');
  if (!/^\+91[6-9]\d{9}$/.test(message.to)) throw new MessageError('refused', 'the recipient is not a mobile number');
  return { ...message, parameters: message.parameters.map(oneLine), text: oneLine(message.text) };
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}
