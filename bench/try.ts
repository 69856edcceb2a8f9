import { newDataDir, removeDataDir, startShop } from '../tests/support/shop.ts';
import { ordersPerSecond } from './orders.ts';

const dataDir = process.env.BD ?? (await newDataDir());
const shop = await startShop({ dataDir });
try {
  console.log(await ordersPerSecond(shop, Number(process.argv[2] ?? 6000)));
} finally {
  await shop.stop();
  if (!process.env.BD) await removeDataDir(dataDir);
}
