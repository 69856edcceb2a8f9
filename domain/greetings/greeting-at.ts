/** When a greeting is shown, in milliseconds since 1970. */
export type TimedGreeting = { id: number; startsAt: number; endsAt: number; priority: number; isPublished: boolean };

/** Precedence: higher priority, then later start, then lower id. The same as page_frame() in SQL. */
function byPrecedence(one: TimedGreeting, other: TimedGreeting): number {
  return other.priority - one.priority || other.startsAt - one.startsAt || one.id - other.id;
}

/** The greeting shown at a moment, or null. */
export function greetingAt<T extends TimedGreeting>(greetings: readonly T[], at: number): T | null {
  const running = greetings.filter(({ isPublished, startsAt, endsAt }) => isPublished && startsAt <= at && at < endsAt);
  return running.sort(byPrecedence)[0] ?? null;
}

export type Span = { from: number; to: number };
export type ShownPeriod<T> = Span & { greeting: T | null };

/** Which greeting is shown when, without gaps. */
export function shownPeriods<T extends TimedGreeting>(greetings: readonly T[], { from, to }: Span): ShownPeriod<T>[] {
  const inside = greetings
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .filter((edge) => edge > from && edge < to);
  const edges = [from, ...new Set(inside.sort((one, other) => one - other)), to];
  const parts: ShownPeriod<T>[] = [];
  for (let place = 0; place + 1 < edges.length; place += 1) {
    const [begin = from, end = to] = edges.slice(place);
    const greeting = greetingAt(greetings, begin);
    const before = parts.at(-1);
    if (before && before.greeting?.id === greeting?.id) before.to = end;
    else parts.push({ from: begin, to: end, greeting });
  }
  return parts;
}

/** The periods in which this greeting is shown. */
export function shownSpans(greeting: TimedGreeting, greetings: readonly TimedGreeting[]): Span[] {
  return shownPeriods(greetings, { from: greeting.startsAt, to: greeting.endsAt })
    .filter((part) => part.greeting?.id === greeting.id)
    .map(({ from, to }) => ({ from, to }));
}

/** Greetings that are shown instead of this one at some time. */
export function coveredBy<T extends TimedGreeting>(greeting: TimedGreeting, greetings: readonly T[]): T[] {
  const others = shownPeriods(greetings, { from: greeting.startsAt, to: greeting.endsAt }).flatMap((part) =>
    part.greeting && part.greeting.id !== greeting.id ? part.greeting : [],
  );
  return others.filter((other, place) => others.findIndex(({ id }) => id === other.id) === place);
}

/** Greetings that would be shown without this one, and when. */
export function displacedBy<T extends TimedGreeting>(
  greeting: TimedGreeting,
  greetings: readonly T[],
): (Span & { greeting: T })[] {
  const others = greetings.filter(({ id }) => id !== greeting.id);
  return shownSpans(greeting, [...others, greeting])
    .flatMap((span) => shownPeriods(others, span))
    .flatMap(({ greeting: other, from, to }) => (other ? { greeting: other, from, to } : []));
}

export type GreetingStatus = 'draft' | 'over' | 'now' | 'covered' | 'coming' | 'never';

/** `covered`: running, but another one has precedence. `never`: covered for all of its time. */
export function greetingStatus(
  greeting: TimedGreeting,
  greetings: readonly TimedGreeting[],
  now: number,
): GreetingStatus {
  if (!greeting.isPublished) return 'draft';
  if (greeting.endsAt <= now) return 'over';
  if (shownSpans(greeting, greetings).every(({ to }) => to <= now)) return 'never';
  if (greeting.startsAt > now) return 'coming';
  return greetingAt(greetings, now)?.id === greeting.id ? 'now' : 'covered';
}
