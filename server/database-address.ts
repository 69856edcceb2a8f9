import { readFileSync } from 'node:fs';
import type { Options } from 'postgres';

type Connection = Options<Record<string, never>>;

/** Connection options for a DATABASE_URL; `?host=` may name a socket folder, `?sslmode=` and `?sslrootcert=` are libpq's. */
export function databaseAt(address: string): Connection {
  const url = new URL(address);
  const ssl = sslOf(url.searchParams.get('sslmode'), url.searchParams.get('sslrootcert'));
  return {
    host: url.searchParams.get('host') ?? decodeURIComponent(url.hostname),
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    ...(ssl ? { ssl } : {}),
  };
}

/** As libpq has it, but for a mode nobody knows: that is the strictest. */
function sslOf(mode: string | null, rootCertificate: string | null): Connection['ssl'] {
  if (mode === 'disable' || (mode === null && rootCertificate === null)) return undefined;
  if (mode === 'allow' || mode === 'prefer') return 'prefer';
  if (rootCertificate === null || rootCertificate === 'system') return mode === 'require' ? 'require' : 'verify-full';
  // With a certificate to check against, `require` does check it, though not for whom it is.
  const forAnyone = mode === 'require' || mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {};
  return { ca: certificate(rootCertificate), ...forAnyone };
}

function certificate(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`The sslrootcert of the database's address cannot be read: ${(error as Error).message}`);
  }
}

const rights =
  'Its user has to be a superuser or, from PostgreSQL 16 on, the owner of the database with CREATEROLE and BYPASSRLS ' +
  'and, where the roles anon, authenticated and service_role are there already, with these WITH ADMIN OPTION';

/** What to tell somebody at a terminal: names the setting and the place, never the password. */
export function explainAt(address: string, error: Error): Error {
  const { host, port, database } = databaseAt(address);
  const { code, cause, message } = error as Error & { code?: string };
  const isLackOfRights = [code, (cause as { code?: string } | undefined)?.code].includes('42501');
  return new Error(
    `The database at DATABASE_URL (${host}:${port}/${database}): ${message || code}${isLackOfRights ? `. ${rights}.` : ''}`,
    { cause: error },
  );
}
