import { useState } from 'react';
import { keep, useFile } from '#app/backend/files.ts';
import { Button } from '#app/ui/button.tsx';
import { toast } from '#app/ui/toast.tsx';
import { documentFileName } from '#domain/documents/tax-document.ts';
import styles from './document-buttons.module.css';
import { type Offer, offersOf } from './order-documents.ts';
import type { PastOrder } from './order-history.ts';

export type DocumentButtonsProps = {
  order: Pick<PastOrder, 'id' | 'number' | 'shortId' | 'documents'>;
  /** Whose order it is, where there are several of them. */
  of?: string;
};

/** The receipt, the invoice and the credit notes of an order, as PDF files. */
export function DocumentButtons({ order, of }: DocumentButtonsProps) {
  const fetchFile = useFile();
  const [busy, setBusy] = useState<string | null>(null);

  async function download(offer: Offer) {
    if (busy) return;
    setBusy(offer.question);
    const fetched = await fetchFile(offer.question);
    setBusy(null);
    if (fetched.ok) keep(fetched.file, documentFileName(offer));
    else toast('error', fetched.message);
  }

  return (
    <div className={styles.documents}>
      {offersOf(order).map((offer) => (
        <Button key={offer.question} size="small" isBusy={busy === offer.question} onClick={() => download(offer)}>
          {offer.label}
          {of && <span className="visually-hidden"> for {of}</span>}
        </Button>
      ))}
    </div>
  );
}
