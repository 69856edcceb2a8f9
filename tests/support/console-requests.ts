// What the console asks the database: every request that lists, finds or reads, for the bench and for tests of their plans.
import type { Sql } from 'postgres';

/** Rows that both shops have, for what is asked about one. */
export type Known = { order: string; customer: string; product: number; vendor: number; year: number };

/** A call of a request, or how one is made of rows that are there. */
export type Question = string | ((known: Known) => string);

/** Every list, search and figure, with words that every filled shop knows. */
export const questions: Record<string, Question> = {
  'dashboard, today': `admin_read_dashboard('today')`,
  'dashboard, 30 days': `admin_read_dashboard('month')`,
  'dashboard, financial year': `admin_read_dashboard('year')`,
  'to-do tiles': 'admin_read_todo()',
  'work of the day': 'admin_read_work()',
  'profit of the month': 'admin_read_month_profit()',
  'gifts of the month': 'admin_read_gift_figures()',
  'everything found by name and phone': `admin_find_anything('meena 98200')`,
  'everything found by phone': `admin_find_anything('98200')`,
  'everything found by city': `admin_find_anything('jaip')`,
  'what was opened last': ({ order }) => `admin_find_anything('', '[{"kind": "order", "id": "${order}"}]')`,
  'orders, newest first': 'admin_list_orders()',
  'orders, by total': `admin_list_orders(sort => '-total')`,
  'orders that are Delivered': `admin_list_orders('{"status": ["Delivered"]}')`,
  'orders not paid yet': `admin_list_orders('{"payment": ["unpaid"]}')`,
  'orders of a pincode': `admin_list_orders('{"pincode": "4000"}')`,
  'orders of a customer': `admin_list_orders('{"customer": "meena"}')`,
  'orders with a product': `admin_list_orders('{"product": "kesar"}')`,
  'orders found by name': `admin_list_orders('{"search": "meena"}')`,
  'orders found by phone': `admin_list_orders('{"search": "98200"}')`,
  'orders found by number': `admin_list_orders('{"search": "1500"}')`,
  'orders found by city': `admin_list_orders('{"search": "jaip"}')`,
  'orders found by e-mail': `admin_list_orders('{"search": "many-77@"}')`,
  'orders found by tracking number': `admin_list_orders('{"search": "PP1100"}')`,
  'orders found by payment': `admin_list_orders('{"search": "pay_many77"}')`,
  'orders to collect money for': `admin_list_orders('{"todo": "to-collect"}')`,
  'orders found by sweet': `admin_list_orders('{"search": "kesar"}')`,
  'refunds that are open': 'admin_list_refunds()',
  'refunds that are overdue': `admin_list_refunds(age => 'overdue', state => 'to-decide')`,
  'refunds that were sent': `admin_list_refunds('finished')`,
  'claims, by what is due first': 'admin_list_claims()',
  'decided claims': `admin_list_claims('decided')`,
  'a claim': `admin_read_claim('00000000-0000-4000-a000-000000000001')`,
  'a group order': `admin_read_group('00000000-0000-4000-a000-000000000001')`,
  'one order': ({ order }) => `admin_read_order('${order}')`,
  'documents of an order': ({ order }) => `admin_read_documents('${order}')`,
  'sweets for a phone order': `admin_find_sweets('kesar')`,
  'callers for a phone order': `admin_find_callers('98200')`,
  'customers, last order first': 'admin_list_customers()',
  'customers, by value': `admin_list_customers(sort => 'value')`,
  'customers, by name': `admin_list_customers(sort => 'name', descending => false)`,
  'customers of a city': `admin_list_customers(city => 'Mumbai', sort => 'value')`,
  'customers who ordered': `admin_list_customers(has_ordered => true, sort => 'orders')`,
  'customers found by name and phone': `admin_list_customers('meena 98200')`,
  'customers found by e-mail': `admin_list_customers('many-77@')`,
  'customers found by phone': `admin_list_customers('98200')`,
  'cities and tags of customers': 'admin_list_customer_choices()',
  'one customer': ({ customer }) => `admin_read_customer('${customer}')`,
  'orders of one customer': ({ customer }) => `admin_list_customer_orders('${customer}')`,
  'reviews, newest first': 'admin_list_reviews()',
  'change log': 'admin_read_log()',
  'security log': 'admin_read_security_log()',
  'choices of the change log': 'admin_list_log_choices()',
  // The small shop has twenty products, ten of them with saffron: pages of that size in both shops, so that both return as much.
  'products, by name': 'admin_list_products(page_size => 20)',
  'products, by margin': `admin_list_products(sort => 'margin', page_size => 20)`,
  'products found by name': `admin_list_products('{"search": "kesar"}', page_size => 8)`,
  'one product': ({ product }) => `admin_read_product(${product})`,
  'stock, what runs out first': 'admin_list_stock(page_size => 20)',
  'stock of one product': ({ product }) => `admin_read_stock(${product})`,
  'stock at the moment of counting': ({ product }) => `admin_read_count_moment(${product})`,
  'stock in few figures': 'admin_read_stock_summary()',
  'stock movements': 'admin_list_movements()',
  expenses: 'admin_list_expenses()',
  'expenses that are due': 'admin_list_due_expenses()',
  'profit and loss of the year': ({ year }) => `admin_read_profit(${year})`,
  'GST of the year': ({ year }) => `admin_read_gst(${year})`,
  vendors: 'admin_list_vendors()',
  'one vendor': ({ vendor }) => `admin_read_vendor(${vendor})`,
  'account of a vendor': ({ vendor }) => `admin_list_vendor_account(${vendor})`,
  'what is owed': 'admin_list_payables()',
  purchases: 'admin_list_purchases()',
  'items bought before': 'admin_list_bought_items()',
  'settings of the shop': 'admin_read_shop()',
  'settings of delivery': 'admin_read_delivery()',
  'search words': 'admin_list_search_words()',
  categories: 'admin_list_categories()',
  couriers: 'admin_list_couriers()',
  boxes: 'admin_read_boxes()',
  offers: 'admin_list_offers()',
  'one offer': 'admin_read_offer(1)',
};

/** Their result has every product or every open order: they grow with the shop, and still have to be quick. */
export const wholeSheets: Record<string, Question> = {
  'kitchen sheet': 'admin_read_kitchen()',
  'sheet for counting everything': 'admin_read_count_sheet()',
  'value of all stock': 'admin_read_stock_value()',
};

/** Ask about a purchase that the filled shops do not have, or about few rows of one. */
const leftOut = ['admin_read_purchase', 'admin_find_items', 'admin_read_item_prices'];

/** Requests that read for the console and are not sent here. */
export async function forgottenQuestions(sql: Sql): Promise<string[]> {
  const asked = [...Object.values(questions), ...Object.values(wholeSheets)].map(String).join(' ');
  const names = await sql<{ name: string }[]>`
    select distinct proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and proname ~ '^admin_(list|read|find)_'`;
  return names.map(({ name }) => name).filter((name) => !asked.includes(`${name}(`) && !leftOut.includes(name));
}

/** A customer with ten orders: the best customers of a large shop have more than any in a small one. */
export async function knownRows(sql: Sql): Promise<Known> {
  const [known] = await sql<Known[]>`
    with vendor as (insert into public.vendors (name) values ('Gokul Dairy Supplies') returning id)
    select (select id from public.orders where status = 'Delivered' order by number desc limit 1) as order,
           (select user_id from private.customer_figures order by abs(orders - 10), user_id limit 1) as customer,
           (select min("Id")::int from public."Products") as product, (select id::int from vendor) as vendor,
           extract(year from now() - interval '3 months')::int as year`;
  if (!known) throw new Error('the shop is empty');
  return known;
}
