import type { Options } from 'postgres';

/** Connection options for a DATABASE_URL; `?host=` may name a socket folder, as libpq has it. */
export function databaseAt(address: string): Options<Record<string, never>> {
  const url = new URL(address);
  const ssl = url.searchParams.get('sslmode');
  return {
    host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname),
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    ...(ssl && ssl !== 'disable' ? { ssl: ssl === 'require' ? 'require' : 'verify-full' } : {}),
  };
}
