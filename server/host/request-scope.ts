import { AsyncLocalStorage } from 'node:async_hooks';

/** What everything that works for one request may know of it. */
export type RequestScope = {
  /** Aborted when the client has left or the request's time is up: whatever still waits in a queue is dropped from it. */
  signal: AbortSignal;
  /** The response is known: the request gives up its place (server/host/admission). */
  responded(): void;
  /** What to do when the time is up, instead of a bare refusal. */
  onDeadline(callback: () => void): void;
};

const scopes = new AsyncLocalStorage<RequestScope | undefined>();

const begun = new WeakSet<RequestScope>();

export const currentRequest = (): RequestScope | undefined => scopes.getStore();

/** For queues: aborted when the client of a request that has not started disconnects. Started requests are finished. */
export function waitingSignal(): AbortSignal | undefined {
  const scope = scopes.getStore();
  return scope && !begun.has(scope) ? scope.signal : undefined;
}

/** Something is being done for the request. */
export function beginWork(): void {
  const scope = scopes.getStore();
  if (scope) begun.add(scope);
}

export function withinRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work);
}

/** For work that several requests wait for: it goes on when the first of them leaves. */
export function onBehalfOfMany<T>(work: () => T): T {
  return scopes.run(undefined, work);
}
