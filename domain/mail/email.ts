/**
 * The content of an email, before layout. Texts are plain, never markup: the layouts escape all of them, and both parts
 * of a mail say the same because they come from the same content.
 */
export type Email = {
  subject: string;
  /** What inboxes show beside the subject. */
  preheader: string;
  heading: string;
  /** The name in the greeting; null or empty: no name. */
  to: string | null;
  blocks: Block[];
};

export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'note'; text: string }
  | { kind: 'button'; label: string; href: string }
  | { kind: 'picture'; src: string; alt: string }
  | { kind: 'details'; rows: DetailRow[] }
  | { kind: 'receipt'; title: string; lines: ReceiptLine[]; sums: ReceiptSum[] };

export type DetailRow = { label: string; lines: string[]; href?: string };
export type ReceiptLine = { name: string; amount: string; price: string };
export type ReceiptSum = { label: string; price: string; isTotal?: boolean };

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
export const note = (text: string): Block => ({ kind: 'note', text });
