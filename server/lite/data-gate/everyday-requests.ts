// What supabase-js builds: the requests of our own code and the everyday examples of its documentation.
import { createClient, type SupabaseClient } from '@supabase/supabase-js';

// biome-ignore lint/suspicious/noExplicitAny: the client of a fixture has no generated types
type Client = SupabaseClient<any>;
type Build = (client: Client) => PromiseLike<unknown>;

/** The request that supabase-js sends. */
export async function sentBy(build: Build): Promise<Request> {
  let sent: Request | null = null;
  const client: Client = createClient('http://localhost', 'sb_publishable_fixture', {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: async (input, init) => {
        sent = new Request(input as string, init);
        return Response.json([]);
      },
    },
  });
  await build(client);
  if (!sent) throw new Error('supabase-js sent nothing');
  return sent;
}

const id = '0b9f4a3c-6f0e-4f1e-9a53-0c9e1b2d3f40';

export const everyday: Record<string, Build> = {
  'select everything': (db) => db.from('Products').select(),
  'select columns': (db) => db.from('Products').select('Id, Name'),
  'an embedded table': (db) => db.from('Products').select('Id, comments(id, content)'),
  'two levels': (db) => db.from('orders').select('id, order_items(quantity, Products(Name))'),
  'an alias and a cast': (db) => db.from('Products').select('title:Name, price:Price::text'),
  'an aliased, inner, hinted embed': (db) =>
    db.from('comments').select('id, product:Products!comments_product_id_fkey!inner(Name)').eq('product.Name', 'Laddu'),
  'a hint by column': (db) => db.from('comments').select('id, Products!product_id(Name)'),
  'an embed by its foreign key': (db) => db.from('comments').select('id, product:product_id(Name)'),
  'a left join': (db) => db.from('Products').select('Id, comments!left(id)').is('comments', null),
  'many to many': (db) => db.from('orders').select('id, Products(Name)'),
  'a spread': (db) => db.from('order_items').select('quantity, ...Products(Name)'),
  'a count of what is embedded': (db) => db.from('Products').select('Id, comments(count)'),
  'a path in JSON': (db) => db.from('Products').select('Id, facts->box->>size').eq('facts->box->>size', 'large'),
  'a path with an alias': (db) => db.from('Products').select('size:facts->>size'),
  eq: (db) => db.from('Products').select().eq('Name', 'Kaju Katli'),
  neq: (db) => db.from('Products').select().neq('Name', 'Kaju (500 g), gift'),
  'gt and lte of one column': (db) => db.from('Products').select().gt('Price', 100).lte('Price', 499.5),
  'gte twice': (db) => db.from('Products').select().gte('Price', 100).gte('Price', 200),
  'not twice': (db) => db.from('Products').select().not('Price', 'eq', 100).not('Price', 'lt', 50),
  lt: (db) => db.from('Products').select().lt('created_at', '2026-11-18T01:02:03.456789+05:30'),
  like: (db) => db.from('Products').select().like('Name', '%addu%'),
  likeAllOf: (db) => db.from('Products').select().likeAllOf('Name', ['%K%', '%i']),
  likeAnyOf: (db) => db.from('Products').select().likeAnyOf('Name', ['%K%', '%i']),
  ilike: (db) => db.from('Products').select().ilike('Name', '*kaju, (x)*'),
  ilikeAnyOf: (db) => db.from('Products').select().ilikeAnyOf('Name', ['%k%']),
  regexMatch: (db) => db.from('Products').select().regexMatch('Name', '^K.*(i|a)$'),
  regexIMatch: (db) => db.from('Products').select().regexIMatch('Name', '^k'),
  'is null': (db) => db.from('Products').select().is('facts', null),
  'is true': (db) => db.from('Products').select().is('isavailable', true),
  isDistinct: (db) => db.from('Products').select().isDistinct('Name', 'Laddu'),
  in: (db) => db.from('Products').select().in('Id', [1, 2, 3]),
  'in with commas': (db) => db.from('Products').select().in('Name', ['Kaju, large', 'Laddu', '(gift)']),
  notIn: (db) => db.from('Products').select().notIn('Id', [1, 2]),
  'not in': (db) => db.from('Products').select().not('Name', 'in', '("Kaju, large","Laddu")'),
  'contains a list': (db) => db.from('Products').select().contains('tags', ['sweet', 'nuts']),
  'contains JSON': (db) =>
    db
      .from('Products')
      .select()
      .contains('facts', { box: { size: 'large' } }),
  containedBy: (db) => db.from('Products').select().containedBy('tags', ['sweet', 'nuts', 'gift']),
  overlaps: (db) => db.from('Products').select().overlaps('tags', ['sweet']),
  rangeGt: (db) => db.from('Products').select().rangeGt('season', '[2026-01-01,2026-02-01)'),
  rangeGte: (db) => db.from('Products').select().rangeGte('season', '[2026-01-01,2026-02-01)'),
  rangeLt: (db) => db.from('Products').select().rangeLt('season', '[2026-01-01,2026-02-01)'),
  rangeLte: (db) => db.from('Products').select().rangeLte('season', '[2026-01-01,2026-02-01)'),
  rangeAdjacent: (db) => db.from('Products').select().rangeAdjacent('season', '[2026-01-01,2026-02-01)'),
  'contains a range': (db) => db.from('Products').select().contains('season', '[2026-01-01,2026-02-01)'),
  textSearch: (db) =>
    db.from('Products').select().textSearch('Name', "'kaju' & 'katli'", { type: 'websearch', config: 'english' }),
  match: (db) => db.from('Products').select().match({ Id: 1, Name: 'Laddu' }),
  or: (db) => db.from('Products').select().or('Id.eq.2,Name.eq.Laddu'),
  'or with and': (db) =>
    db.from('Products').select().or('Id.gt.3,and(Price.lt.100,Name.not.is.null,or(Id.eq.1,Id.eq.2))'),
  'or twice': (db) => db.from('Products').select().or('Id.eq.2,Id.eq.3').or('Price.eq.1,Price.eq.2'),
  'or with quotes and a list': (db) =>
    db.from('Products').select().or('Name.eq."Kaju, large",Id.in.(1,2),tags.cs.{a,b}'),
  'or on an embedded table': (db) =>
    db
      .from('Products')
      .select('Id, comments!inner(id)')
      .or('rating.eq.5,content.ilike.*good*', { referencedTable: 'comments' }),
  filter: (db) => db.from('Products').select().filter('Name', 'in', '("Laddu","Peda")'),
  order: (db) => db.from('Products').select().order('Price', { ascending: false, nullsFirst: false }).order('Id'),
  'order of an embedded table': (db) =>
    db.from('Products').select('Id, comments(id)').order('id', { referencedTable: 'comments', ascending: false }),
  'order by an embedded table': (db) => db.from('comments').select('id, Products(Name)').order('Products(Name)'),
  limit: (db) => db.from('Products').select().limit(5),
  'limit of an embedded table': (db) =>
    db.from('Products').select('Id, comments(id)').limit(2, { referencedTable: 'comments' }),
  range: (db) => db.from('Products').select().range(10, 19),
  single: (db) => db.from('Products').select().eq('Id', 1).single(),
  maybeSingle: (db) => db.from('Products').select('Id').eq('Id', 1).maybeSingle(),
  csv: (db) => db.from('Products').select('Id, Name').csv(),
  stripNulls: (db) => db.from('Products').select('Id, Name').stripNulls(),
  count: (db) => db.from('Products').select('*', { count: 'exact' }),
  'count only': (db) => db.from('Products').select('Id', { count: 'planned', head: true }).eq('isavailable', true),
  'a schema': (db) => db.schema('public').from('Products').select('Id'),
  insert: (db) => db.from('comments').insert({ content: 'Good', rating: 5, product_id: 1, user_id: id }),
  'insert and select': (db) =>
    db.from('comments').insert({ content: 'अच्छा', rating: 5, product_id: 1, user_id: id }).select('id').single(),
  'insert many': (db) =>
    db.from('comments').insert([
      { content: 'a', rating: 5 },
      { content: 'b', rating: 4 },
    ]),
  'insert many with defaults': (db) =>
    db.from('comments').insert([{ content: 'a' }, { rating: 4 }], { defaultToNull: false, count: 'exact' }),
  upsert: (db) => db.from('comments').upsert({ id: 1, content: 'c' }),
  'upsert on a conflict': (db) =>
    db
      .from('comments')
      .upsert([{ id: 1, content: 'c' }], { onConflict: 'id', ignoreDuplicates: true })
      .select(),
  update: (db) =>
    db
      .from('Products')
      .update({ Name: 'New', tags: ['a', 'b'], facts: { a: [1, null] } })
      .eq('Id', 1),
  'update what was seen': (db) =>
    db.from('Products').update({ Price: 10 }).eq('Id', 1).eq('created_at', '2026-11-18 01:02:03.456+00').select(),
  'update at most one': (db) => db.from('Products').update({ Price: 10 }).eq('Id', 1).maxAffected(1) as never,
  delete: (db) => db.from('comments').delete().eq('id', 1),
  'delete some': (db) => db.from('comments').delete({ count: 'exact' }).in('id', [1, 2]).select('id'),
  rpc: (db) => db.rpc('search_products', { query: 'eq.5', most: 3 }),
  'rpc with a list': (db) => db.rpc('my_documents', { order_ids: [id] }),
  'rpc with JSON': (db) => db.rpc('save_facts', { facts: { toString: 'x', list: [{ a: 1 }] }, seen: null }),
  'rpc with GET': (db) => db.rpc('search_products', { query: '1.50', most: 3 }, { get: true }),
  'rpc with a list and GET': (db) => db.rpc('my_documents', { order_ids: [id, id] }, { get: true }),
  'rpc with HEAD': (db) => db.rpc('product_reviews', { product_id: 1 }, { head: true, count: 'exact' }),
  'rpc whose rows are filtered': (db) =>
    db.rpc('product_reviews', { product_id: 1 }).select('id').gt('id', 5).order('id').limit(1),
  'rpc that gives rows of a table': (db) =>
    db.rpc('cheapest', { at_most: 100 }).select('Id, comments(id)').eq('isavailable', true).maybeSingle(),
};
