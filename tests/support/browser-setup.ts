import type { Sql } from 'postgres';
import { copyShop, filledShop } from './make-filled-shop.ts';
import { turnOffFsync } from './no-fsync.ts';
import { connectToShop } from './rows.ts';
import { newDataDir, removeDataDir, startShop } from './shop.ts';

/** One demo shop for all browser tests of a run; its address reaches them as SHOP_URL, its data as SHOP_DATA_DIR. */
export default async function setup() {
  const dataDir = await newDataDir();
  const filled = await filledShop();
  await copyShop(filled.dataDir, dataDir);
  await filled.remove();
  const shop = await startShop({ dataDir, env: { CLIENT_LIMIT: '20' } }); // all browsers come from one address
  const sql = await connectToShop(dataDir);
  await turnOffFsync(sql);
  await fillShelves(sql);
  await sql.end();
  process.env.SHOP_URL = shop.url;
  process.env.SHOP_DATA_DIR = dataDir;
  return async () => {
    await shop.stop();
    await removeDataDir(dataDir);
  };
}

/** Hundreds of tests buy the same sweets: what is there must not run out, what has run out stays so. */
async function fillShelves(sql: Sql): Promise<void> {
  await sql`insert into public.stock_movements (product_id, quantity, reason)
    select product_id, 1000000, 'production' from public.stock_levels where on_hand > 0 order by product_id`;
}
