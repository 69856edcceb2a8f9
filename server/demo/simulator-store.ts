import type { Sql } from 'postgres';
import type {
  NewOrder,
  NewPayment,
  SimulatedOrder,
  SimulatedPayment,
  SimulatedRefund,
  SimulatorStore,
} from '../../adapters/payments/simulator-store.ts';
import { batch } from '../functions/batch-calls.ts';

/** Several nodes may start on one database. */
const SETUP_LOCK = 730_144_902;

/**
 * The tables of the test provider: as if they were another company's, so no migration of the shop knows them, and
 * only the host can read them.
 */
export async function prepareSimulatorStore(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${SETUP_LOCK})`;
    await tx.unsafe(`
      create schema if not exists demo;
      create table if not exists demo.provider_orders (
        id text primary key,
        receipt text not null,
        amount_paise bigint not null check (amount_paise >= 100),
        created_at bigint not null
      );
      create index if not exists provider_orders_receipt_idx on demo.provider_orders (receipt);

      create table if not exists demo.provider_payments (
        id text primary key,
        order_id text not null references demo.provider_orders (id),
        amount_paise bigint not null check (amount_paise >= 100),
        status text not null check (status in ('authorized', 'captured', 'failed')),
        refunded_paise bigint not null check (refunded_paise between 0 and amount_paise),
        created_at bigint not null,
        webhook text not null,
        refund_fails boolean not null,
        check (refunded_paise = 0 or status = 'captured')
      );
      create index if not exists provider_payments_order_idx on demo.provider_payments (order_id);
      create unique index if not exists provider_payments_one_captured_idx on demo.provider_payments (order_id)
        where status = 'captured';

      create table if not exists demo.provider_refunds (
        id text primary key,
        payment_id text not null references demo.provider_payments (id),
        amount_paise bigint not null check (amount_paise > 0),
        status text not null check (status in ('processed', 'failed')),
        idempotency_key text unique,
        request text not null,
        created_at bigint not null
      );
      create index if not exists provider_refunds_payment_idx on demo.provider_refunds (payment_id);

      alter table demo.provider_orders enable row level security;
      alter table demo.provider_payments enable row level security;
      alter table demo.provider_refunds enable row level security;
      revoke all on schema demo from public, anon, authenticated;
      revoke all on all tables in schema demo from public, anon, authenticated;
    `);
  });
}

/**
 * Every call is one statement, and those that come together share one. Whatever moves money is on disk before it is
 * answered. An order may be lost with the machine's last half second, but never one with a payment, which is written
 * after it to the same log.
 */
export function createSimulatorStore(sql: Sql): SimulatorStore {
  const durably = (commit: 'on' | 'off') =>
    sql`with commit as materialized (select set_config('synchronous_commit', ${commit}, true))`;

  const selectOrders = (condition: ReturnType<Sql>) => sql`
    select o.id, o.receipt, o.amount_paise::float8 as "amountPaise", o.created_at::float8 as "createdAt",
      made.attempts, made.paid
    from demo.provider_orders o cross join lateral (
      select count(*)::int as attempts, coalesce(bool_or(status = 'captured'), false) as paid
      from demo.provider_payments where order_id = o.id
    ) made
    where ${condition} order by o.created_at, o.id`;

  const orders = async (condition: ReturnType<Sql>): Promise<SimulatedOrder[]> => [
    ...(await sql<SimulatedOrder[]>`${selectOrders(condition)}`),
  ];
  const order = async (id: string) => (await orders(sql`o.id = ${id}`))[0] ?? null;

  async function payments(condition: ReturnType<Sql>): Promise<SimulatedPayment[]> {
    const rows = await sql<SimulatedPayment[]>`
      select id, order_id as "orderId", amount_paise::float8 as "amountPaise", status,
        refunded_paise::float8 as "refundedPaise", created_at::float8 as "createdAt", webhook,
        refund_fails as "refundFails"
      from demo.provider_payments where ${condition} order by created_at, id`;
    return [...rows];
  }

  async function refund(condition: ReturnType<Sql>): Promise<SimulatedRefund | null> {
    const [row] = await sql<SimulatedRefund[]>`
      select id, payment_id as "paymentId", amount_paise::float8 as "amountPaise", status,
        idempotency_key as "idempotencyKey", request, created_at::float8 as "createdAt"
      from demo.provider_refunds where ${condition}`;
    return row ?? null;
  }

  /** Of each order one at most. */
  async function addPayments(made: NewPayment[]): Promise<({ order: SimulatedOrder; added: boolean } | null)[]> {
    const rows = await sql<(SimulatedOrder & { added: boolean })[]>`${durably('on')},
      asked as materialized (${selectOrders(sql`o.id = any (${made.map(({ orderId }) => orderId)})`)}),
      added as (
        insert into demo.provider_payments
          (id, order_id, amount_paise, status, refunded_paise, created_at, webhook, refund_fails)
        select p.id, asked.id, asked."amountPaise", p.status, p."refundedPaise", p."createdAt", p.webhook, p."refundFails"
        from commit, asked join jsonb_to_recordset(${sql.json(made)}) as p
          (id text, "orderId" text, status text, "refundedPaise" bigint, "createdAt" bigint, webhook text,
           "refundFails" boolean) on p."orderId" = asked.id
        where not asked.paid
        returning order_id
      )
      select asked.*, exists (select from added where added.order_id = asked.id) as added from asked`;
    const byOrder = new Map(rows.map(({ added, ...asked }) => [asked.id, { order: asked, added }]));
    return made.map(({ orderId }) => byOrder.get(orderId) ?? null);
  }

  async function addPayment(made: NewPayment): Promise<{ order: SimulatedOrder; added: boolean } | null> {
    try {
      return (await addPayments([made]))[0] ?? null;
    } catch (error) {
      if (!isTaken(error)) throw error;
      const paid = await order(made.orderId);
      return paid && { order: paid, added: false };
    }
  }

  async function addOrders(made: NewOrder[]): Promise<true[]> {
    await sql`${durably('off')}
      insert into demo.provider_orders (id, receipt, amount_paise, created_at)
      select o.id, o.receipt, o."amountPaise", o."createdAt" from commit, jsonb_to_recordset(${sql.json(made)}) as o
        (id text, receipt text, "amountPaise" bigint, "createdAt" bigint)`;
    return made.map(() => true);
  }

  async function paymentsById(ids: string[]): Promise<(SimulatedPayment | null)[]> {
    const found = new Map((await payments(sql`id = any (${ids})`)).map((payment) => [payment.id, payment]));
    return ids.map((id) => found.get(id) ?? null);
  }

  const addOrder = batch(async (made: NewOrder) => (await addOrders([made]))[0], addOrders);

  return {
    async addOrder(made) {
      await addOrder(made);
    },
    order,
    ordersByReceipt: (receipt) => orders(sql`o.receipt = ${receipt}`),

    addPayment: batch(addPayment, async (made) => {
      const first = made.filter(({ orderId }, n) => made.findIndex((other) => other.orderId === orderId) === n);
      const added = await addPayments(first);
      return made.map((one) => added[first.indexOf(one)] ?? null);
    }),

    capturePayment: (id, from) =>
      unlessTaken(
        sql`${durably('on')}
          update demo.provider_payments set status = 'captured' from commit where id = ${id} and status = ${from}`,
      ),

    payment: batch(async (id) => (await paymentsById([id]))[0] ?? null, paymentsById),
    paymentsOf: (orderId) => payments(sql`order_id = ${orderId}`),

    addRefund: (made) =>
      unlessTaken(
        sql`${durably('on')}, paid_back as (
            update demo.provider_payments
            set refunded_paise = refunded_paise + ${made.status === 'failed' ? 0 : made.amountPaise}::bigint
            from commit
            where id = ${made.paymentId} and status = 'captured'
              and refunded_paise + ${made.amountPaise}::bigint <= amount_paise
            returning id
          )
          insert into demo.provider_refunds
            (id, payment_id, amount_paise, status, idempotency_key, request, created_at)
          select ${made.id}::text, paid_back.id, ${made.amountPaise}::bigint, ${made.status}::text,
            ${made.idempotencyKey}::text, ${made.request}::text, ${made.createdAt}::bigint
          from paid_back`,
      ),

    refund: (id) => refund(sql`id = ${id}`),
    refundByKey: (idempotencyKey) => refund(sql`idempotency_key = ${idempotencyKey}`),
  };
}

/** The unique indexes decide between two that come at once. */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'; // unique_violation
}

async function unlessTaken(statement: PromiseLike<{ count: number }>): Promise<boolean> {
  try {
    return (await statement).count === 1;
  } catch (error) {
    if (!isTaken(error)) throw error;
    return false;
  }
}
