import type { Metric, Sample } from './exposition.ts';

/** What a request was for. Few and fixed: a path of its own for every product would drown whoever counts them. */
export type RouteKind = 'page' | 'file' | 'data' | 'sign-in' | 'upload' | 'function' | 'demo' | 'health' | 'other';

const kinds: [RegExp, RouteKind][] = [
  [/^\/(assets|images)\//, 'file'],
  [/^\/rest\/v1(\/|$)/, 'data'],
  [/^\/auth\/v1(\/|$)/, 'sign-in'],
  [/^\/storage\/v1(\/|$)/, 'upload'],
  [/^\/functions\/v1(\/|$)/, 'function'],
  [/^\/(demo-identity|demo-mail|test-payments)(\/|$)/, 'demo'],
  [/^\/(healthz|metrics|env\.json)$/, 'health'],
  [/^\/realtime\//, 'other'],
  [/^\/[^.]*$/, 'page'],
  [/\.data$/, 'page'],
  [/\.[a-z0-9]+$/i, 'file'],
];

export function routeKind(pathname: string): RouteKind {
  return kinds.find(([pattern]) => pattern.test(pathname))?.[1] ?? 'other';
}

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
type Counted = { byBound: number[]; sum: number; count: number };

/** Requests by kind and class of status, and how long they took until the answer was ready to be sent. */
export function countRequests() {
  const requests = new Map<string, { kind: RouteKind; status: string; count: number }>();
  const durations = new Map<RouteKind, Counted>();

  return {
    observe(kind: RouteKind, status: number, seconds: number): void {
      const key = kind + Math.floor(status / 100);
      const counted = requests.get(key);
      if (counted) counted.count += 1;
      else requests.set(key, { kind, status: `${Math.floor(status / 100)}xx`, count: 1 });
      let duration = durations.get(kind);
      if (!duration) {
        duration = { byBound: bounds.map(() => 0), sum: 0, count: 0 };
        durations.set(kind, duration);
      }
      const bound = bounds.findIndex((most) => seconds <= most);
      if (bound >= 0) duration.byBound[bound] = (duration.byBound[bound] ?? 0) + 1;
      duration.sum += seconds;
      duration.count += 1;
    },
    metrics(): Metric[] {
      return [
        {
          name: 'mithaas_http_requests_total',
          help: 'Requests by what they were for and the class of their status.',
          type: 'counter',
          samples: [...requests.values()].map(({ kind, status, count }) => ({
            labels: { kind, status },
            value: count,
          })),
        },
        {
          name: 'mithaas_http_request_duration_seconds',
          help: 'Time until the answer was ready to be sent.',
          type: 'histogram',
          samples: [...durations].flatMap(([kind, counted]) => histogram(kind, counted)),
        },
      ];
    },
  };
}

export type RequestMetrics = ReturnType<typeof countRequests>;

function histogram(kind: RouteKind, { byBound, sum, count }: Counted): Sample[] {
  let below = 0;
  const buckets = bounds.map((bound, index) => {
    below += byBound[index] ?? 0;
    return { suffix: '_bucket', labels: { kind, le: String(bound) }, value: below };
  });
  return [
    ...buckets,
    { suffix: '_bucket', labels: { kind, le: '+Inf' }, value: count },
    { suffix: '_sum', labels: { kind }, value: sum },
    { suffix: '_count', labels: { kind }, value: count },
  ];
}
