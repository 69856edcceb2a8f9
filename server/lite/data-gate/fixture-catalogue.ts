// A small shop for the tests of the gate; supabase/tests/data-gate.test.ts has the real one.
import { buildCatalogue } from './catalogue.ts';

const column = (relation: string, name: string, type: string) => ({ relation, name, type });
const link = (constraint: string, source: string, sourceColumn: string, target: string, targetColumn: string) => ({
  constraint,
  source,
  sourceColumns: [sourceColumn],
  target,
  targetColumns: [targetColumn],
});
const arg = (name: string, type: string, required = true) => ({ name, type, required });

export const catalogue = buildCatalogue(
  [
    column('Products', 'Id', 'int8'),
    column('Products', 'Name', 'text'),
    column('Products', 'Price', 'numeric'),
    column('Products', 'isavailable', 'bool'),
    column('Products', 'tags', '_text'),
    column('Products', 'facts', 'jsonb'),
    column('Products', 'season', 'daterange'),
    column('Products', 'created_at', 'timestamptz'),
    column('comments', 'id', 'int8'),
    column('comments', 'content', 'text'),
    column('comments', 'rating', 'int2'),
    column('comments', 'product_id', 'int8'),
    column('comments', 'user_id', 'uuid'),
    column('orders', 'id', 'uuid'),
    column('orders', 'status', 'text'),
    column('orders', 'placed_on', 'date'),
    column('order_items', 'id', 'int8'),
    column('order_items', 'order_id', 'uuid'),
    column('order_items', 'product_id', 'int8'),
    column('order_items', 'quantity', 'int4'),
  ],
  [
    link('comments_product_id_fkey', 'comments', 'product_id', 'Products', 'Id'),
    link('order_items_product_id_fkey', 'order_items', 'product_id', 'Products', 'Id'),
    link('order_items_order_id_fkey', 'order_items', 'order_id', 'orders', 'id'),
  ],
  [
    {
      name: 'search_products',
      args: [arg('query', 'text'), arg('most', 'int4', false)],
      outputs: [],
      relation: null,
    },
    {
      name: 'product_reviews',
      args: [arg('product_id', 'int8')],
      outputs: [
        { name: 'id', type: 'int8' },
        { name: 'content', type: 'text' },
      ],
      relation: null,
    },
    { name: 'cheapest', args: [arg('at_most', 'numeric')], outputs: [], relation: 'Products' },
    { name: 'my_documents', args: [arg('order_ids', '_uuid')], outputs: [], relation: null },
    {
      name: 'save_facts',
      args: [arg('facts', 'jsonb'), arg('seen', 'timestamptz', false)],
      outputs: [],
      relation: null,
    },
    {
      name: 'admin_import_products',
      args: [arg('rows', 'jsonb'), arg('dry_run', 'bool', false)],
      outputs: [],
      relation: null,
    },
  ],
);

export const everybody = { catalogue, isAdministrator: async (token: string) => token === 'the.owner.token' };
