import { readFileSync } from 'node:fs';
import type { Options } from 'postgres';

type Connection = Options<Record<string, never>>;

/**
 * Connection options for a DATABASE_URL; `?host=` may name a socket folder, `?sslmode=`, `?sslrootcert=`, `?sslcert=` and `?sslkey=` are libpq's. But
 * where libpq would try without TLS if nothing is said, another machine has to prove with a certificate who it is.
 */
export function databaseAt(address: string): Connection {
  const url = new URL(address);
  const host = hostOf(url);
  const mode = url.searchParams.get('sslmode') ?? (isThisMachine(host) ? null : 'verify-full');
  const ssl = withOwnCertificate(sslOf(mode, url.searchParams.get('sslrootcert')), url.searchParams);
  return {
    host,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    ...(ssl ? { ssl } : {}),
  };
}

function hostOf(url: URL): string {
  return url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
}

/** Or a socket folder on it. */
function isThisMachine(host: string): boolean {
  return host.startsWith('/') || /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);
}

/** A warning for the owner if the address allows an unencrypted connection to another machine. */
export function weakTlsAt(address: string): string | null {
  const url = new URL(address);
  const mode = url.searchParams.get('sslmode');
  if (isThisMachine(hostOf(url)) || !['disable', 'allow', 'prefer', 'require'].includes(mode ?? '')) return null;
  if (mode === 'require' && url.searchParams.has('sslrootcert')) return null; // which checks the certificate against it
  return `DATABASE_URL has sslmode=${mode}: the connection is not verified. On a network that others use, write sslmode=verify-full.`;
}

/** As in libpq, except that an unknown mode is the strictest. */
function sslOf(mode: string | null, rootCertificate: string | null): Connection['ssl'] {
  if (mode === 'disable' || (mode === null && rootCertificate === null)) return undefined;
  if (mode === 'allow' || mode === 'prefer') return 'prefer';
  if (rootCertificate === null || rootCertificate === 'system') return mode === 'require' ? 'require' : 'verify-full';
  // With a certificate to check against, `require` does check it, though not for whom it is.
  const forAnyone = mode === 'require' || mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {};
  return { ca: contentOf('sslrootcert', rootCertificate), ...forAnyone };
}

/** The shop proves who it is with a certificate, which expires, instead of a password, which does not. */
function withOwnCertificate(ssl: Connection['ssl'], query: URLSearchParams): Connection['ssl'] {
  const [cert, key] = [query.get('sslcert'), query.get('sslkey')];
  if (cert === null || key === null) return ssl;
  if (ssl === undefined || ssl === 'prefer' || ssl === 'require')
    throw new Error("The sslcert of the database's address needs sslmode=verify-full");
  const own = { cert: contentOf('sslcert', cert), key: contentOf('sslkey', key) };
  return typeof ssl === 'object' ? { ...ssl, ...own } : own;
}

function contentOf(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`The ${setting} of the database's address cannot be read: ${(error as Error).message}`);
  }
}

const rights =
  'Its user has to be a superuser or, from PostgreSQL 16 on, the owner of the database with CREATEROLE and BYPASSRLS ' +
  'and, where the roles anon, authenticated and service_role are there already, with these WITH ADMIN OPTION';

const tls =
  'Connections to another machine are encrypted and its certificate is checked. Name the certificate to trust with ' +
  '?sslmode=verify-full&sslrootcert=/path/to/ca.pem, or write ?sslmode=disable on a network that nobody else uses';

/** The driver's own code, or Node's: PostgreSQL's have five characters, and a refused connection names a system call. */
function isTlsFailure(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined && /^(ECONNRESET|EPROTO|ERR_(SSL|TLS)_|.*CERT|.*SIGNATURE)/.test(code ?? '');
}

/** An error message for the terminal: names the setting and the address, never the password. */
export function explainAt(address: string, error: Error): Error {
  const { host, port, database } = databaseAt(address);
  const { code, cause, message } = error as Error & { code?: string };
  const isLackOfRights = [code, (cause as { code?: string } | undefined)?.code].includes('42501');
  const advice = isLackOfRights ? `. ${rights}.` : isTlsFailure(error) ? `. ${tls}.` : '';
  return new Error(`The database at DATABASE_URL (${host}:${port}/${database}): ${message || code}${advice}`, {
    cause: error,
  });
}
