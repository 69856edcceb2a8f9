import { writeToUs } from './order-standing.ts';

export type ShopContact = { email: string; whatsappNumber: string };

/** A sentence in which 'Write to us' is a way to do so, as far as the shop has one. */
export function WithContact({ sentence, about, shop }: { sentence: string; about: string; shop: ShopContact }) {
  const [before, after] = sentence.split(writeToUs);
  const href = addressOf(shop, about);
  if (after === undefined || href === null) return sentence;
  return (
    <>
      {before}
      <a href={href}>{writeToUs}</a>
      {after}
    </>
  );
}

function addressOf({ email, whatsappNumber }: ShopContact, about: string): string | null {
  // The address itself may hold what a link would read as its end.
  if (email) return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${encodeURIComponent(about)}`;
  const number = whatsappNumber.replace(/\D/g, '');
  return number ? `https://wa.me/${number}?text=${encodeURIComponent(about)}` : null;
}
