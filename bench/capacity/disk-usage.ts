import { newDatabase, startTestServer } from '../../tests/support/database.ts';
import { fillOrders, type ManyRows } from '../../tests/support/many-rows.ts';

export type DiskUsage = { bytesPerOrder: number; bytesPerCustomer: number };

/** Disk usage of orders and customers, with indexes and derived rows. */
export async function measureDiskUsage(count: number): Promise<DiskUsage> {
  const server = await startTestServer();
  const sizeWith = async (rows: ManyRows) => {
    const { sql, drop } = await newDatabase(server.path);
    try {
      await fillOrders(sql, rows);
      while ((await sql`select public.refresh_figures() as more`)[0]?.more);
      const [row] = await sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`;
      return row?.bytes ?? Number.NaN;
    } finally {
      await drop();
    }
  };
  try {
    const few = { products: 100, customers: 100, orders: 100 };
    const base = await sizeWith(few);
    return {
      bytesPerOrder: ((await sizeWith({ ...few, orders: count + few.orders })) - base) / count,
      bytesPerCustomer: ((await sizeWith({ ...few, customers: count + few.customers })) - base) / count,
    };
  } finally {
    await server.stop();
  }
}
