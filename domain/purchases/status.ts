export const purchaseStatuses = ['Draft', 'Ordered', 'Received', 'Closed'] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

export type PurchaseMove = {
  from: PurchaseStatus;
  to: PurchaseStatus;
  /** Set by a person, or derived from receipts and their undoing. */
  through: 'person' | 'receiving' | 'undoing';
};

/** The legal moves. The database holds the same table (private.purchase_status_edges) and enforces it. */
export const purchaseMoves: readonly PurchaseMove[] = [
  { from: 'Draft', to: 'Ordered', through: 'person' },
  { from: 'Ordered', to: 'Received', through: 'receiving' },
  { from: 'Received', to: 'Ordered', through: 'undoing' },
  { from: 'Ordered', to: 'Closed', through: 'person' },
  { from: 'Received', to: 'Closed', through: 'person' },
];

/** Where a person may take it next. */
export function nextPurchaseStatuses(status: PurchaseStatus): PurchaseStatus[] {
  return purchaseMoves.filter(({ from, through }) => from === status && through === 'person').map(({ to }) => to);
}

/** Whether goods can come in on it: for the first time, or once more. */
export function canReceive(status: PurchaseStatus): boolean {
  return status === 'Received' || purchaseMoves.some(({ from, through }) => from === status && through === 'receiving');
}

export type Progress = {
  /** Less came than was ordered, of some line. */
  isShort: boolean;
  /** Something came at all. */
  hasCome: boolean;
};

/** As the list says it: 'Received' is in part while something is missing. */
export function statusLabel(status: PurchaseStatus, { isShort, hasCome }: Progress): string {
  if (!isShort || (status !== 'Received' && status !== 'Closed')) return status;
  if (status === 'Received') return 'Partly received';
  return hasCome ? 'Closed short' : 'Cancelled';
}

export function progressOf(lines: readonly { quantity: number; received: number }[]): Progress {
  return {
    isShort: lines.some(({ quantity, received }) => received < quantity),
    hasCome: lines.some(({ received }) => received > 0),
  };
}
