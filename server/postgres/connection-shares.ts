/** How many connections each part of a node may have. */
export type ConnectionShares = {
  own: number;
  visitors: number;
  dataApi: number;
  signIn: number;
  functions: number;
  realtime: number;
};

export const FEWEST_CONNECTIONS = 12;
export const USUAL_CONNECTIONS = 34;

const spareUsually = USUAL_CONNECTIONS - FEWEST_CONNECTIONS;

/**
 * Shares out what a node may use of its database, so that nodes times connections is known before the last one is added.
 * Two go to listeners. Sign-in and checkout (functions) have their own, so that a busy Data API does not hold them up. Our
 * own pool and that of realtime keep as many again for transactions (pool.ts).
 */
export function shareConnections(most: number): ConnectionShares {
  const spare = most - FEWEST_CONNECTIONS;
  const share = (least: number, usual: number) => least + Math.floor((spare * (usual - least)) / spareUsually);
  return {
    own: share(2, 4),
    visitors: share(1, 4),
    dataApi: share(1, 6),
    signIn: share(1, 2),
    functions: share(1, 8),
    realtime: share(1, 2),
  };
}

/** What the shares come to when everything is busy. */
export function connectionsOf({ own, visitors, dataApi, signIn, functions, realtime }: ConnectionShares): number {
  return 2 + 2 * own + visitors + dataApi + signIn + functions + 2 * realtime;
}
