import { GiftCard } from '#app/parts/gift-card/gift-card.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import type { PrintedOrder, PrintedShop } from '#contracts/console/order.ts';
import styles from './gift-cards.module.css';

/** On a sheet of A4. */
const together = 4;

export type Paper = 'a4' | 'a6';

type CardPaperProps = { paper: Paper; count: number; hrefFor(paper: Paper): string };

/** On what the cards are printed, and how many sheets that takes. */
export function CardPaper({ paper, count, hrefFor }: CardPaperProps) {
  const sheets = Math.ceil(count / together);
  return (
    <div className={styles.paper}>
      <Tabs
        label="Paper"
        items={[
          { to: hrefFor('a4'), title: 'Four on A4', isOpen: paper === 'a4' },
          { to: hrefFor('a6'), title: 'Single A6', isOpen: paper === 'a6' },
        ]}
      />
      <p>
        {paper === 'a4'
          ? `${sheets === 1 ? '1 sheet' : `${sheets} sheets`} of A4, to cut along the marks. Print at 100%, without margins.`
          : `${count === 1 ? '1 card' : `${count} cards`} of A6 (105 × 148 mm). Print at 100%, without margins.`}
      </p>
    </div>
  );
}

type GiftCardsProps = { orders: readonly PrintedOrder[]; shop: PrintedShop; paper: Paper };

/** The cards of gifts, A6: each on a sheet of its own size, or four to a sheet of A4 with marks where to cut. */
export function GiftCards({ orders, shop, paper }: GiftCardsProps) {
  const gifts = orders.flatMap(({ gift, ...order }) => (gift ? [{ ...order, gift }] : []));
  const card = ({ id, number, delivery, gift }: (typeof gifts)[number]) => (
    <figure key={id} className={styles.place}>
      <GiftCard
        motif={gift.motif}
        note={gift.note}
        senderName={gift.sender_name}
        shopName={shop.name}
        label={`Gift card for order ${number}`}
      />
      {/* On the screen only: which order the card belongs to, for packing. */}
      <figcaption>
        Order {number}, for {delivery.name}
      </figcaption>
    </figure>
  );
  if (paper === 'a6') return <div className={styles.single}>{gifts.map(card)}</div>;
  const sheets = Array.from({ length: Math.ceil(gifts.length / together) }, (_, sheet) =>
    gifts.slice(sheet * together, (sheet + 1) * together),
  );
  return (
    <>
      {sheets.map((sheet) => (
        <div key={sheet[0]?.id} className={styles.sheet}>
          {sheet.map(card)}
          <CutMarks />
        </div>
      ))}
    </>
  );
}

/** Short lines on the edges and a cross in the middle of a sheet of A4: outside of what is read, and inside of what printers reach. */
function CutMarks() {
  return (
    <svg className={styles.marks} viewBox="0 0 210 296" aria-hidden="true">
      <path d="M105 0v9M105 287v9M0 148h9M201 148h9M105 144v8M101 148h8" />
    </svg>
  );
}
