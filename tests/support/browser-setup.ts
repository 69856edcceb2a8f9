import { newDataDir, removeDataDir, startShop } from './shop.ts';

/** One demo shop for all browser tests of a run; its address reaches them as SHOP_URL, its data as SHOP_DATA_DIR. */
export default async function setup() {
  const dataDir = await newDataDir();
  const shop = await startShop({ dataDir });
  process.env.SHOP_URL = shop.url;
  process.env.SHOP_DATA_DIR = dataDir;
  return async () => {
    await shop.stop();
    await removeDataDir(dataDir);
  };
}
