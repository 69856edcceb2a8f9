// Profit and loss a second time, from the rows of the books and without the shop's own SQL: what the console says is held
// against this.
import type { Sql } from 'postgres';

export type Statement = {
  orders: number;
  goods: number;
  discount: number;
  canceled: number;
  refunded: number;
  cost: number;
  unknownCostLines: number;
  unknownCostGoods: number;
  fee: number;
  feeTax: number;
  unknownFees: number;
  shipping: number;
  shippingTax: number;
  courier: number;
  wastage: number;
  unknownWastage: number;
  expenses: Record<string, number>;
  profit: number;
};

const toPaise = (rupees: unknown) => Math.round(Number(rupees) * 100);
const monthInIndia = (at: Date) => new Date(at.getTime() + 330 * 60_000).toISOString().slice(0, 7);

/** By month, as YYYY-MM. Amounts in paise. */
export async function statementsFromBooks(sql: Sql): Promise<Map<string, Statement>> {
  const months = new Map<string, Statement>();
  const at = (moment: Date | string) => {
    const month = typeof moment === 'string' ? moment.slice(0, 7) : monthInIndia(moment);
    const found = months.get(month) ?? emptyStatement();
    months.set(month, found);
    return found;
  };

  const orders = await sql`select id, created_at, sub_total, discount, tax, shipping_charge from public.orders`;
  const sold = groupBy(await sql`select * from public.order_items order by id`, 'order_id');
  const items = groupBy(await sql`select * from private.placed_items`, 'order_id');
  const endings = new Map(
    (
      await sql`select order_id, to_status, created_at from public.order_events where to_status in ('canceled', 'Refunded')`
    ).map((event) => [event.order_id, event]),
  );
  const refunds = groupBy(
    await sql`select order_id, amount_paise, created_at from private.refunds
      where status <> 'failed' and order_id is not null order by created_at, id`,
    'order_id',
  );

  for (const order of orders) {
    const [listed, discount] = [toPaise(order.sub_total), toPaise(order.discount)];
    const [goods, tax, shipping] = [listed - discount, toPaise(order.tax), toPaise(order.shipping_charge)];
    const shippingTax = taxInShipping(shipping, sold.get(order.id) ?? []);
    const placed = at(order.created_at);
    placed.orders += 1;
    placed.goods += listed;
    placed.discount += discount;
    placed.shipping += shipping - shippingTax;
    placed.shippingTax += shippingTax;
    const ending = endings.get(order.id);
    for (const item of items.get(order.id) ?? []) {
      const halves = (item.size / 500) * item.quantity;
      if (item.unit_cost === null) {
        placed.unknownCostLines += 1;
        placed.unknownCostGoods += toPaise(item.unit_price) * halves - toPaise(item.discount);
        continue;
      }
      placed.cost += toPaise(item.unit_cost) * halves;
      if (ending?.to_status === 'canceled') at(ending.created_at).cost -= toPaise(item.unit_cost) * halves;
    }
    let given = 0;
    const giveBack = (upto: number, statement: Statement, line: 'canceled' | 'refunded') => {
      const goodsOf = (amount: number) => Math.round((Math.min(amount, goods + tax) * goods) / (goods + tax));
      const shippingOf = (amount: number) => Math.max(0, amount - goods - tax);
      statement[line] += goodsOf(upto) - goodsOf(given);
      const taxOf = (amount: number) => (shipping > 0 ? Math.round((shippingOf(amount) * shippingTax) / shipping) : 0);
      const taxBack = taxOf(upto) - taxOf(given);
      statement.shippingTax -= taxBack;
      statement.shipping -= shippingOf(upto) - shippingOf(given) - taxBack;
      given = upto;
    };
    for (const refund of refunds.get(order.id) ?? []) {
      if (ending && refund.created_at >= ending.created_at) break;
      giveBack(given + Number(refund.amount_paise), at(refund.created_at), 'refunded');
    }
    if (ending)
      giveBack(
        goods + tax + shipping,
        at(ending.created_at),
        ending.to_status === 'canceled' ? 'canceled' : 'refunded',
      );
  }

  for (const payment of await sql`select captured_at, fee_paise from private.payments where captured_at is not null`) {
    if (payment.fee_paise === null) at(payment.captured_at).unknownFees += 1;
    else {
      const fee = Number(payment.fee_paise);
      const tax = Math.round((fee * 18) / 118);
      at(payment.captured_at).fee += fee - tax;
      at(payment.captured_at).feeTax += tax;
    }
  }

  const costs = groupBy(await sql`select * from private.product_costs order by valid_from`, 'product_id');
  const wasted = await sql`select m.product_id, m.quantity, m.created_at, p."hasSize" as sized,
      coalesce((select u.created_at from public.stock_movements u where u.id = m.undoes), m.created_at) as thrown_at
    from public.stock_movements m join public."Products" p on p."Id" = m.product_id where m.reason in ('wastage', 'replacement')`;
  for (const move of wasted) {
    const known = (costs.get(move.product_id) ?? []).findLast((cost) => cost.valid_from <= move.thrown_at);
    if (known)
      at(move.created_at).wastage += Math.round((toPaise(known.unit_cost) * -move.quantity) / (move.sized ? 500 : 1));
    else at(move.created_at).unknownWastage -= Math.sign(move.quantity);
  }

  for (const expense of await sql`select spent_on::text, category, amount, gst_amount from public.expenses`) {
    const month = at(expense.spent_on as string);
    const spent = toPaise(expense.amount) - toPaise(expense.gst_amount);
    if (expense.category === 'Delivery') month.courier += spent;
    else month.expenses[expense.category] = (month.expenses[expense.category] ?? 0) + spent;
  }

  for (const one of months.values()) {
    const spent = Object.values(one.expenses).reduce((sum, amount) => sum + amount, 0);
    one.profit =
      one.goods -
      one.discount -
      one.canceled -
      one.refunded -
      one.cost -
      one.fee +
      one.shipping -
      one.courier -
      one.wastage -
      spent;
  }
  return months;
}

/** Shared out by value over HSN codes and rates, whose rate it takes; rounded along running sums. */
function taxInShipping(shipping: number, items: readonly AnyRow[]): number {
  const goods = new Map<string, { percent: number; paise: number }>();
  for (const { hsn, gst_percent, unit_price, size, quantity, discount } of items) {
    const group = goods.get(`${hsn} ${gst_percent}`) ?? { percent: Number(gst_percent), paise: 0 };
    group.paise += (toPaise(unit_price) * size * quantity) / 500 - toPaise(discount);
    goods.set(`${hsn} ${gst_percent}`, group);
  }
  const whole = [...goods.values()].reduce((sum, { paise }) => sum + paise, 0);
  let soFar = 0;
  let tax = 0;
  for (const { percent, paise } of goods.values()) {
    const upto = Math.round((shipping * (soFar + paise)) / whole);
    const share = upto - Math.round((shipping * soFar) / whole);
    tax += share - Math.round((share * 100) / (100 + percent));
    soFar += paise;
  }
  return tax;
}

function emptyStatement(): Statement {
  return {
    orders: 0,
    goods: 0,
    discount: 0,
    canceled: 0,
    refunded: 0,
    cost: 0,
    unknownCostLines: 0,
    unknownCostGoods: 0,
    fee: 0,
    feeTax: 0,
    unknownFees: 0,
    shipping: 0,
    shippingTax: 0,
    courier: 0,
    wastage: 0,
    unknownWastage: 0,
    expenses: {},
    profit: 0,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: rows as the driver hands them over
type AnyRow = Record<string, any>;

function groupBy(rows: readonly AnyRow[], key: string): Map<string, AnyRow[]> {
  const groups = new Map<string, AnyRow[]>();
  for (const row of rows) groups.set(row[key], [...(groups.get(row[key]) ?? []), row]);
  return groups;
}
