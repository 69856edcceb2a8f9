import postgres, { type Options } from 'postgres';
import { prepareRoles } from './prepare-database.ts';

type Connection = Options<Record<string, never>>;

/** Who the shop is in its own database: it owns its tables and may act as its visitors, and is no superuser. */
export const SHOP_ROLE = 'shop';

// Commands beside a running shop come here at the same time: one after the other, and written only where it differs.
const ROLE = `
  do $$
  begin
    perform pg_advisory_xact_lock(7640113);
    if not exists (select from pg_roles where rolname = '${SHOP_ROLE}') then create role ${SHOP_ROLE} login; end if;
    if exists (select from pg_roles where rolname = '${SHOP_ROLE}'
               and (rolsuper or rolbypassrls or rolcreatedb or rolcreaterole or rolreplication)) then
      alter role ${SHOP_ROLE} nosuperuser nobypassrls nocreatedb nocreaterole noreplication;
    end if;
    if not (pg_has_role('${SHOP_ROLE}', 'anon', 'member') and pg_has_role('${SHOP_ROLE}', 'authenticated', 'member')
            and pg_has_role('${SHOP_ROLE}', 'service_role', 'member')) then
      grant anon, authenticated, service_role to ${SHOP_ROLE};
    end if;
    if (select datdba::regrole::text from pg_database where datname = current_database()) <> '${SHOP_ROLE}' then
      execute format('alter database %I owner to ${SHOP_ROLE}', current_database());
    end if;
  end $$`;

// What extensions brought stays theirs, and sequences of columns follow their table.
const OWNED = `
  do $$
  declare
    step text;
  begin
    for step in
      with mine as (select oid from pg_roles where rolname = '${SHOP_ROLE}'),
      places as (
        select oid, nspname, nspowner from pg_namespace
        where nspname not like 'pg\\_%' and nspname not in ('information_schema', 'extensions')
      )
      select format('alter schema %I owner to ${SHOP_ROLE}', p.nspname) from places p, mine where p.nspowner <> mine.oid
      union all
      select format('alter %s %s owner to ${SHOP_ROLE}',
        case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
        c.oid::regclass)
      from pg_class c join places p on p.oid = c.relnamespace, mine
      where c.relowner <> mine.oid and c.relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and (d.deptype = 'e' or (c.relkind = 'S' and d.deptype in ('a', 'i'))))
      union all
      select format('alter routine %s owner to ${SHOP_ROLE}', r.oid::regprocedure)
      from pg_proc r join places p on p.oid = r.pronamespace, mine
      where r.proowner <> mine.oid
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = r.oid and d.deptype = 'e')
      union all
      select format('alter type %s owner to ${SHOP_ROLE}', t.oid::regtype)
      from pg_type t join places p on p.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid, mine
      where t.typowner <> mine.oid and (t.typtype in ('d', 'e') or c.relkind = 'c')
        and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
      union all
      select format('alter publication %I owner to ${SHOP_ROLE}', b.pubname) from pg_publication b, mine where b.pubowner <> mine.oid
    loop
      execute step;
    end loop;
  end $$`;

/**
 * The connection for everything after the start: under a role that has what the shop needs. `connection` is the
 * superuser's of our own cluster. What a superuser made before (earlier shops, restores, updates) changes hands.
 */
export async function asShopRole<T extends Connection>(connection: T): Promise<T> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => {} });
  try {
    await sql.begin(async (transaction) => {
      await prepareRoles(transaction);
      await transaction.unsafe(ROLE);
      await transaction.unsafe(OWNED);
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
  return { ...connection, user: SHOP_ROLE };
}
