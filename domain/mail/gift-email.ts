import { type Email, note, paragraph } from './email.ts';
import type { GiftMailFacts } from './facts.ts';
import { dayFrom, details, tracking } from './order-blocks.ts';

/** To the recipient of a gift. What is in the box stays a surprise. */
export function giftEmail({ shop, deliveryBy, ...parcel }: GiftMailFacts): Email {
  const day = dayFrom(deliveryBy);
  const [name, sender, city] = [unlinked(parcel.name), unlinked(parcel.sender), unlinked(parcel.city)];
  return {
    subject: `A box of sweets for you, from ${sender}`,
    preheader: day ? `It should be with you by ${day}.` : 'It is on its way to you.',
    heading: 'A box is on its way to you',
    to: name,
    blocks: [
      paragraph(`A box from ${shop.name} is on its way to you in ${city}: a gift from ${sender}.`),
      ...details(day ? [{ label: 'Expected by', lines: [day] }] : [], tracking(parcel)),
      paragraph('Sweets are best fresh: please have someone at home to receive it.'),
      note(`We have this address from ${sender}, for this one message. We don’t use it for anything else.`),
    ],
  };
}

/**
 * Mail programs make links of what looks like a web address. This is the one email to people who never came to the shop, and the
 * buyer chose its names: an invisible space keeps an address in them from being one click away.
 */
function unlinked(text: string): string {
  return text.replace(/(?<=[:/@])(?=[^\s:/@])|(?<=[.\u3002\uff0e\uff61])(?=[\p{L}\p{N}-]{2})/gu, '\u200b');
}
