import { callFunction, readAsVisitor } from '#app/backend/client.ts';
import type { Session } from '#app/backend/session.tsx';
import type { PublicConfig } from '#app/shop-context.ts';
import type { ResultOf } from '#contracts/contract.ts';
import type { myGroup } from '#contracts/groups.ts';
import type { Box, GroupDraft } from '#domain/groups/group-draft.ts';
import { boxLetters, noteOf, type RecipientField } from '#domain/groups/recipient.ts';
import { type Paise, paise, paiseFromRupees } from '#domain/money.ts';

export type BoxProduct = { id: number; name: string; pricePaise: Paise; hasSize: boolean };

/** What can be sent: everything on sale but takeaway, by name. */
export async function readBoxProducts(config: PublicConfig): Promise<BoxProduct[]> {
  const rows = await readAsVisitor(
    config,
    'Products?select=Id,Name,Price,hasSize&isavailable=is.true&Category=neq.Takeaway&order=Name&limit=1000',
  );
  return (rows as { Id: number; Name: string; Price: number | string; hasSize: boolean }[]).map((row) => ({
    id: Number(row.Id),
    name: row.Name,
    pricePaise: paiseFromRupees(row.Price),
    hasSize: row.hasSize,
  }));
}

/** What the shop says of one recipient. */
export type RowAnswer =
  | { ok: true; totalPaise: Paise; deliveryBy: string | null }
  | { ok: false; field: RecipientField | null; message: string };
export type Check = {
  /** By the id of the row. */
  rows: ReadonlyMap<number, RowAnswer>;
  /** Products of which there is not enough for everybody, in sentences. */
  short: string[];
  /** Why they cannot be reserved, whatever is in stock. */
  refused: string | null;
  /** What is paid; null as long as something is wrong. */
  amounts: { subTotalPaise: Paise; taxPaise: Paise; shippingPaise: Paise; totalPaise: Paise } | null;
  key: string | null;
};
export type CheckOutcome = { ok: true; check: Check } | { ok: false; message: string };

const failed = 'Something went wrong. Your list is saved: please try again.';

/** Where no box is named it is the first. */
const placeOf = (letter: string) => boxLetters.findIndex((one) => one === (letter || 'A'));

function bodyOf({ rows, boxes, card }: GroupDraft) {
  const boxOf = (letter: string): Box => boxes[Math.max(0, placeOf(letter))] ?? [];
  return {
    recipients: rows.map(({ fields }) => ({
      name: fields.name,
      phone: fields.phone,
      building_no: fields.buildingNo,
      street: fields.street,
      city: fields.city,
      state: fields.state,
      pincode: fields.pincode,
      delivery_on: fields.day || null,
      note: noteOf(fields, card),
      email: fields.email || null,
      boxes: boxOf(fields.box),
    })),
    card: { motif: card.motif, sender_name: card.senderName },
  };
}

type QuoteRow = {
  row: number;
  sub_total: number;
  tax: number;
  shipping_rate: number;
  total: number;
  delivery_by: string | null;
  field?: string;
  message?: string;
};
type QuoteData = {
  rows: QuoteRow[];
  short: { message: string }[];
  refused: { message: string } | null;
  key: string | null;
  total: number;
};

/** The dry run: nothing is reserved and nothing is stored. */
export async function checkGroup(session: Session, draft: GroupDraft): Promise<CheckOutcome> {
  if (!navigator.onLine) return { ok: false, message: 'You’re offline. Your list is saved on this device.' };
  const access = await session.token();
  if (!access.ok) return { ok: false, message: 'Please log in again. Your list is saved on this device.' };
  const answer = await callFunction(session.config, 'quoteGroup', {
    method: 'POST',
    token: access.token,
    body: bodyOf(draft),
  });
  if (!answer.ok) return { ok: false, message: answer.message ?? failed };
  const { rows, short, refused, key, total } = answer.data as QuoteData;
  const sum = (of: 'sub_total' | 'tax' | 'shipping_rate') =>
    paise(rows.reduce((all, row) => all + Math.round(row[of] * 100), 0));
  return {
    ok: true,
    check: {
      rows: rowsOf(draft, rows),
      short: short.map(({ message }) => message),
      refused: refused?.message ?? null,
      key: short.length === 0 && !refused ? key : null,
      amounts: key
        ? {
            subTotalPaise: sum('sub_total'),
            taxPaise: sum('tax'),
            shippingPaise: sum('shipping_rate'),
            totalPaise: paiseFromRupees(total),
          }
        : null,
    },
  };
}

const fieldsOfShop: Record<string, RecipientField> = {
  name: 'name',
  phone: 'phone',
  building_no: 'buildingNo',
  street: 'street',
  city: 'city',
  state: 'state',
  pincode: 'pincode',
  delivery_on: 'day',
  note: 'note',
  email: 'email',
  boxes: 'box',
};

function rowsOf(draft: GroupDraft, rows: readonly QuoteRow[]): Map<number, RowAnswer> {
  return new Map(
    rows.flatMap(({ row, field, message, total, delivery_by }): [number, RowAnswer][] => {
      const id = draft.rows[row - 1]?.id;
      if (id === undefined) return [];
      return message === undefined
        ? [[id, { ok: true, totalPaise: paiseFromRupees(total), deliveryBy: delivery_by }]]
        : [[id, { ok: false, field: fieldsOfShop[field ?? ''] ?? null, message }]];
    }),
  );
}

export type Opened = { ok: true; order: unknown; providerOrderId: string } | OpenRefusal;
/** `isStale`: the list has to be checked again. */
export type OpenRefusal = { ok: false; message: string; isStale: boolean };

/** Reserves everything and creates the one payment. */
export async function openGroup(session: Session, draft: GroupDraft, key: string): Promise<Opened> {
  const access = await session.token();
  if (!access.ok)
    return { ok: false, message: 'Please log in again. Your list is saved on this device.', isStale: false };
  const answer = await callFunction(session.config, 'createGroupOrder', {
    method: 'POST',
    token: access.token,
    body: { ...bodyOf(draft), key },
  });
  if (!answer.ok) return { ok: false, message: answer.message ?? failed, isStale: answer.status === 409 };
  const { id } = answer.data as { id: string };
  return { ok: true, order: answer.data, providerOrderId: id };
}

export type Group = NonNullable<ResultOf<typeof myGroup>>;

/** The state of a group; null: there is none, 'failed': it could not be read. */
export async function readGroup(client: Session['client'], reference: string): Promise<Group | null | 'failed'> {
  try {
    const { data, error } = await (await client()).rpc('my_group', { reference });
    return error ? 'failed' : (data as Group | null);
  } catch {
    return 'failed';
  }
}
