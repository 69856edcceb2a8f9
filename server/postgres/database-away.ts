// connection_exception, insufficient_resources (a full disk too), admin_shutdown and its kin
const sqlStates = /^(08|53|57P)/;
const ofTheDriver = /^(CONNECTION_|CONNECT_TIMEOUT$)/;
const ofTheSocket = new Set(['connect', 'read', 'write', 'getaddrinfo']);

/** Whether an error only says that the database could not be reached, went away while it was asked, or has no room left. */
export function isDatabaseAway(error: unknown): boolean {
  const { code = '', syscall = '' } = (error ?? {}) as { code?: unknown; syscall?: string };
  if (typeof code !== 'string') return false;
  return sqlStates.test(code) || ofTheDriver.test(code) || ofTheSocket.has(syscall);
}
