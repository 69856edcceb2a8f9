import { formatGrams } from '../catalog/weight.ts';
import { formatWeekdays } from '../delivery/weekdays.ts';
import { formatPaise, paiseFromRupees } from '../money.ts';
import { formatChange, formatStock } from '../stock/quantity.ts';
import { formatDay, formatLongMonth, formatMoment, instantFrom } from '../time.ts';
import { type LogPage, labelsOf, plainName } from './table-labels.ts';

export type Values = Readonly<Record<string, unknown>>;
export type LogEntry = {
  action: 'insert' | 'update' | 'delete';
  table: string;
  /** The thing, as people call it, and the number its page goes by. */
  subject: string;
  subjectId: string;
  /** Whether the product it is about is sold by weight; null where it is about none. */
  hasSize?: boolean | null;
  before: Values | null;
  after: Values | null;
};

/** null: there was, or is, nothing. */
export type Change = { label: string; before: string | null; after: string | null };
export type Description = { title: string; changes: Change[]; page: LogPage | null };

/** One change of an administrator as a sentence: Price of Besan Laddu: ₹520 → ₹540. */
export function describeChange(entry: LogEntry): Description {
  const page = entry.action === 'delete' ? null : (labelsOf(entry.table).page ?? null);
  const special = customTitle(entry);
  if (special) return { title: special, changes: changesIn(entry, columnsInTitle(entry)), page };
  const { one } = labelsOf(entry.table);
  const thing = nameOf(entry);
  const changes = changesIn(entry);
  if (entry.action === 'insert') return { title: `New ${one}: ${thing}`, changes, page };
  if (entry.action === 'delete') return { title: `Deleted the ${one} ${thing}`, changes, page };
  const [only, ...others] = changes;
  if (!only) return { title: `${capital(thing)} changed`, changes, page };
  if (others.length > 0)
    return { title: `${capital(thing)}: ${listOf(changes.map(({ label }) => label))}`, changes, page };
  return { title: describeOne(only, thing), changes: [], page };
}

function describeOne({ label, before, after }: Change, thing: string): string {
  if (after === erased) return `${label} of ${thing}: ${erased}`;
  const isSwitch = [before, after].every((value) => value === 'yes' || value === 'no');
  if (isSwitch) return `${capital(thing)}, ${label.charAt(0).toLowerCase()}${label.slice(1)}: ${after}`;
  return `${label} of ${thing}: ${shown(before)} → ${shown(after)}`;
}

// As private.redact() leaves it in the log, and as we say it.
const erasedInLog = '[erased]';
const erased = 'erased';
const nothing = 'nothing';
const shown = (value: string | null) => short(value ?? nothing, 80);
const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
const short = (words: string, most: number) => (words.length > most ? `${words.slice(0, most - 1).trimEnd()}…` : words);

function listOf(labels: readonly string[]): string {
  const small = labels.map((label, place) => (place === 0 || /^[A-Z]{2}/.test(label) ? label : label.toLowerCase()));
  return small.length > 3 ? `${small.slice(0, 2).join(', ')} and ${small.length - 2} more` : small.join(', ');
}

/** Numbers alone say little: order 1042. */
function nameOf({ table, subject }: LogEntry): string {
  if (table === 'shop_settings') return 'the shop';
  if (table === 'month_closings') return formatClosedMonth(subject);
  if (table === 'order_notes' || table === 'refunds' || table === 'outbox') return `order ${subject}`;
  return table === 'orders' || table === 'purchase_orders' ? `${labelsOf(table).one} ${subject}` : subject;
}

const formatClosedMonth = (firstDay: string): string => formatLongMonth(firstDay) || firstDay;

/** What is said better than by naming columns. */
function customTitle(entry: LogEntry): string | null {
  const { table, action, after, subject } = entry;
  const became = (column: string) => action === 'update' && after !== null && column in after && after[column] !== null;
  const ceased = (column: string) => action === 'update' && after !== null && column in after && after[column] === null;
  const thing = nameOf(entry);
  switch (table) {
    case 'closures':
      if (action === 'update') return 'Closure changed';
      return action === 'insert' ? `Closed ${formatClosure(after)}` : `Closure deleted: ${formatClosure(entry.before)}`;
    case 'comments':
      if (became('hidden_at')) return `Review hidden: ${subject}`;
      return ceased('hidden_at') ? `Review shown again: ${subject}` : null;
    case 'customer_records':
      if (became('blocked_at') || (action === 'insert' && after?.blocked_at)) return `Blocked: ${subject}`;
      if (ceased('blocked_at')) return `Unblocked: ${subject}`;
      return action === 'insert' ? `Notes on ${subject}` : null;
    case 'erasures': {
      const orders = Number(after?.orders ?? 0);
      return `Customer erased; ${orders === 1 ? '1 order' : `${orders} orders`} kept without the name`;
    }
    case 'order_notes':
      return action === 'insert' ? `Note on ${thing}` : null;
    case 'refunds':
      if (became('hurried_at')) return `Refund for ${thing} retried`;
      return action === 'insert'
        ? `Refund of ${formatValue('amount_paise', after?.amount_paise, [])} for ${thing}${after?.method ? ' paid back by hand' : ''}`
        : null;
    case 'outbox':
      return `Email resent for ${thing}`;
    case 'product_costs':
      return action === 'insert'
        ? `Unit cost of ${thing}: ${formatValue('unit_cost', after?.unit_cost, ['unit_cost'])}`
        : null;
    case 'stock_movements': {
      const quantity = Number(after?.quantity ?? 0);
      const { hasSize = null } = entry;
      const amount =
        hasSize === null
          ? `${quantity > 0 ? '+' : '−'}${Math.abs(quantity).toLocaleString('en-IN')}`
          : formatChange(quantity, { hasSize });
      return action === 'insert' ? `Stock of ${thing}: ${amount} (${after?.reason})` : null;
    }
    case 'stock_counts':
      return 'Stock count saved';
    case 'purchase_receipts':
      if (became('undone_at')) return `Goods receipt reversed: purchase order ${thing}`;
      return action === 'insert' ? `Goods received: purchase order ${thing}` : null;
    case 'vendor_payments':
      if (became('undone_at')) return `Payment reversed: ${thing}`;
      return action === 'insert' ? `Paid ${formatValue('amount', after?.amount, ['amount'])} to ${thing}` : null;
    case 'search_synonyms': {
      const words = short(formatValue('words', after?.words ?? entry.before?.words, []) ?? '', 80);
      if (action === 'delete') return `Search words deleted: ${words}`;
      return `Search words added: ${words}`;
    }
    case 'month_closings':
      return became('reopened_at') ? `Month reopened: ${thing}` : action === 'insert' ? `Month closed: ${thing}` : null;
    default:
      if (became('archived_at')) return `Archived: ${thing}`;
      return ceased('archived_at') ? `Restored: ${thing}` : null;
  }
}

/** 8 Nov 2026 to 11 Nov 2026 (Diwali). */
function formatClosure(closure: Values | null): string {
  const [first, last] = ['starts_on', 'ends_on'].map((column) => formatValue(column, closure?.[column], []));
  return `${first === last ? `on ${first}` : `${first} to ${last}`} (${closure?.reason})`;
}

/** The columns that the special words have said already. */
function columnsInTitle({ table, action }: LogEntry): readonly string[] {
  const said: Record<string, readonly string[]> = {
    ...(action === 'update' ? {} : { closures: ['starts_on', 'ends_on', 'reason'] }),
    comments: ['hidden_at'],
    customer_records: ['blocked_at'],
    erasures: ['orders', 'customer_id', 'erased_by', 'erased_at', 'transaction_id'],
    refunds: ['amount_paise', 'asked_by', 'retry_of', 'hurried_at', 'order_item_id'],
    outbox: ['kind', 'key', 'payload', 'run_after', 'attempts', 'done_at', 'last_error'],
    product_costs: ['unit_cost'],
    stock_movements: ['quantity', 'reason', 'was_reserved'],
    stock_counts: ['applied_at', 'refused'],
    purchase_receipts: ['undone_at', 'received_at'],
    vendor_payments: ['amount', 'undone_at'],
    // What a group was before is worth seeing.
    ...(action === 'update' ? {} : { search_synonyms: ['words'] }),
    month_closings: ['figures', 'closed_by', 'closed_at', 'reopened_by', 'reopened_at'],
  };
  return [...(said[table] ?? []), 'archived_at'];
}

// Numbers of rows, and dates that the database keeps for itself.
const ignoredColumns = /^(id|Id|.*_id|created_at|updated_at|placed_at|status_since|isavailable)$/;

const isUuid = (value: unknown): boolean =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);

function changesIn(entry: LogEntry, without: readonly string[] = []): Change[] {
  const { table, action, before, after, hasSize = null } = entry;
  const { fields = {}, money = [], grams = [], stock = [], values = {} } = labelsOf(table);
  const said = (column: string, value: unknown): string | null => {
    const known = Object.hasOwn(values, column) ? values[column] : undefined;
    if (known && typeof value === 'string' && Object.hasOwn(known, value)) return known[value] ?? null;
    if (hasSize !== null && stock.includes(column) && typeof value === 'number') return formatStock(value, { hasSize });
    if (grams.includes(column) && typeof value === 'number') return formatGrams(value);
    return formatValue(column, value, money);
  };
  const columns = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return columns.flatMap((column) => {
    if (ignoredColumns.test(column) || without.includes(column)) return [];
    if (isUuid(before?.[column]) || isUuid(after?.[column])) return [];
    const change: Change = {
      label: fields[column] ?? plainName(column),
      before: before === null ? null : said(column, before[column]),
      after: after === null ? null : said(column, after[column]),
    };
    const isSame = change.before === change.after && change.after !== erased;
    // Of something new or gone, what was left empty is no news.
    return isSame || (action !== 'update' && (change.before ?? change.after) === null) ? [] : [change];
  });
}

/** A value as people write it; null for nothing at all. */
function formatValue(column: string, value: unknown, money: readonly string[]): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (value === erasedInLog) return erased;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))) {
    if (money.includes(column)) return formatPaise(paiseFromRupees(value));
    if (column.endsWith('_paise')) return formatPaise(Number(value));
    return typeof value === 'number' ? value.toLocaleString('en-IN') : value;
  }
  if (column === 'weekly_off' && Array.isArray(value)) return formatWeekdays(value) || 'none';
  if (column === 'cutoff_time') return String(value).slice(0, 5);
  if (Array.isArray(value)) return value.length > 0 ? value.map(String).join(', ') : null;
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const day = instantFrom(`${text}T00:00+05:30`);
    return day ? formatDay(day) : text;
  }
  const instant = /_at$|_from$/.test(column) ? instantFrom(text) : null;
  return instant ? formatMoment(instant) : text;
}
