// Group orders at a test till: recipients as a sheet has them, and the two functions that price and open them.
import { expect } from 'vitest';
import { createGroupOrder } from '../../supabase/functions/createGroupOrder/handler.ts';
import { quoteGroup } from '../../supabase/functions/quoteGroup/handler.ts';
import type { Answer, Line, Till } from './till.ts';

export type Recipient = ReturnType<typeof recipient>;
export const card = { motif: 'diwali', sender_name: 'Acme Traders' };

/** A recipient who can be sent something; `change` makes it wrong. */
export const recipient = (number: number, boxes: Line[], change: Record<string, unknown> = {}) => ({
  name: `Recipient ${number}`,
  phone: '9876543210',
  building_no: `${number}, Shanti Sadan`,
  street: 'MG Road',
  city: 'Mumbai',
  state: 'Maharashtra',
  pincode: '400001',
  delivery_on: null,
  note: `Happy Diwali, recipient ${number}! 🪔 शुभ दीपावली`,
  email: null,
  boxes,
  ...change,
});

export type GroupQuote = {
  rows: {
    row: number;
    total?: number;
    shipping_rate?: number;
    delivery_by?: string;
    code?: string;
    field?: string;
    message?: string;
  }[];
  short: { product_id: number; wanted: number; left: number; message: string }[];
  refused: { code: string; message: string } | null;
  key: string | null;
  total: number;
};
export type OpenedGroup = { id: string; group_id: string; amount: number };

export async function quoted(
  till: Till,
  customer: string,
  recipients: unknown[],
  body: object = { card },
): Promise<GroupQuote> {
  const { status, body: quote } = await till.call(quoteGroup, customer, { recipients, ...body });
  expect(status, JSON.stringify(quote)).toBe(200);
  return quote as unknown as GroupQuote;
}

export const open = (
  till: Till,
  customer: string,
  recipients: unknown[],
  key: string | null,
  from: string | null = null,
): Promise<Answer> => till.call(createGroupOrder, customer, { recipients, key, card }, {}, from);

/** Priced and opened: the provider's order, ready to pay. */
export async function opened(till: Till, customer: string, recipients: unknown[]): Promise<OpenedGroup> {
  const { key } = await quoted(till, customer, recipients);
  const { status, body } = await open(till, customer, recipients, key);
  expect(status, JSON.stringify(body)).toBe(201);
  return body as unknown as OpenedGroup;
}
