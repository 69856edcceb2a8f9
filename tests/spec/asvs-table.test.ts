import { describe, expect, test } from 'vitest';
import { missingFiles, missingTests, named, readPage, rowsOf, sectionOf } from './named-in-docs.ts';

/** The requirements of levels 1 and 2 of OWASP ASVS 5.0.0: how many, from 1 on, in each section, but for those of level 3. */
const sections: Record<string, string> = {
  '1.1': '1-2',
  '1.2': '1-9',
  '1.3': '1-11',
  '1.4': '1-3',
  '1.5': '1-2',
  '2.1': '1-3',
  '2.2': '1-3',
  '2.3': '1-4',
  '2.4': '1',
  '3.2': '1-2',
  '3.3': '1-4',
  '3.4': '1-6',
  '3.5': '1-5',
  '3.7': '1-2',
  '4.1': '1-3',
  '4.2': '1',
  '4.3': '1-2',
  '4.4': '1-4',
  '5.1': '1',
  '5.2': '1-3',
  '5.3': '1-2',
  '5.4': '1-3',
  '6.1': '1-3',
  '6.2': '1-12',
  '6.3': '1-4',
  '6.4': '1-4',
  '6.5': '1-5',
  '6.6': '1-3',
  '6.8': '1-4',
  '7.1': '1-3',
  '7.2': '1-4',
  '7.3': '1-2',
  '7.4': '1-5',
  '7.5': '1-2',
  '7.6': '1-2',
  '8.1': '1-2',
  '8.2': '1-3',
  '8.3': '1',
  '8.4': '1',
  '9.1': '1-3',
  '9.2': '1-4',
  '10.1': '1-2',
  '10.2': '1-2',
  '10.3': '1-4',
  '10.4': '1-11',
  '10.5': '1-5',
  '10.6': '1-2',
  '10.7': '1-3',
  '11.1': '1-2',
  '11.2': '1-3',
  '11.3': '1-3',
  '11.4': '1-4',
  '11.5': '1',
  '11.6': '1',
  '12.1': '1-3',
  '12.2': '1-2',
  '12.3': '1-4',
  '13.1': '1',
  '13.2': '1-5',
  '13.3': '1-2',
  '13.4': '1-5',
  '14.1': '1-2',
  '14.2': '1-4',
  '14.3': '1-3',
  '15.1': '1-3',
  '15.2': '1-3',
  '15.3': '1-7',
  '16.1': '1',
  '16.2': '1-5',
  '16.3': '1-4',
  '16.4': '1-3',
  '16.5': '1-3',
  '17.1': '1',
  '17.2': '1-4',
  '17.3': '1-2',
};
const requirements = Object.entries(sections).flatMap(([section, range]) => {
  const last = Number(range.split('-').at(-1));
  return Array.from({ length: last }, (_, index) => `${section}.${index + 1}`);
});

const section = sectionOf(readPage('docs/security.md'), 'OWASP ASVS 5, level 2');
const [applying = '', others = ''] = section.split('### What does not apply');
const rows = rowsOf(applying).map(([, number = '', requirement, state = '', place, kept]) => ({
  number,
  requirement,
  state: named(state)[0] ?? '',
  reason: state.replace(/^`[^`]*`:?/, '').trim(),
  places: named(place),
  tests: named(kept),
}));
const notApplying = rowsOf(others).map(([, , why = '', numbers = '']) => ({ why, numbers: numbers.split(', ') }));

describe('the ASVS table', () => {
  test('names every requirement of levels 1 and 2 once', () => {
    expect(requirements).toHaveLength(253);
    const listed = [...rows.map(({ number }) => number), ...notApplying.flatMap(({ numbers }) => numbers)];
    expect(listed.sort()).toEqual([...requirements].sort());
  });

  test('says how each stands, and why where it is not met or another party’s', () => {
    for (const { number, requirement, state, reason } of rows) {
      expect(requirement, number).not.toBe('');
      expect(['met', 'not met', 'by the platform or proxy', 'second factor'], number).toContain(state);
      if (state !== 'met') expect(reason, number).not.toBe('');
    }
    for (const { why, numbers } of notApplying) expect(why, numbers.join()).not.toBe('');
  });

  test('counts them', () => {
    const count = (wanted: string) => rows.filter(({ state }) => state === wanted).length;
    const said = section.replaceAll('\n', ' ');
    expect(said).toContain(
      `${count('met')} are met, ${count('by the platform or proxy')} are by the platform or proxy`,
    );
    expect(said).toContain(`${count('second factor')} need a second factor`);
    expect(said).toContain(`${count('not met')} are not met`);
    expect(said).toContain(`${notApplying.flatMap(({ numbers }) => numbers).length} do not apply`);
  });

  test('has a place for each, and a test for what is met; all of them are there', () => {
    for (const { number, state, places, tests } of rows) {
      expect(places.length, number).toBeGreaterThan(0);
      if (state === 'met') expect(tests.length, number).toBeGreaterThan(0);
    }
    expect(missingFiles(rows.flatMap(({ places }) => places))).toEqual([]);
    expect(missingTests(rows.flatMap(({ tests }) => tests))).toEqual([]);
  });
});

test('the policies that the standard wants written down are there', () => {
  const policies = readPage('docs/security-policies.md');
  const wanted = ['Data classes', 'Sessions', 'Keys and cryptography', 'Outbound connections', 'Logs', 'Limits'];
  const more = ['Input rules', 'Fields', 'Resource-demanding functions', 'Uploads', 'Updates of dependencies'];
  for (const heading of [...wanted, ...more])
    expect(rowsOf(sectionOf(policies, heading)).length || sectionOf(policies, heading).length, heading).toBeGreaterThan(
      0,
    );
});
