import { describe, expect, test } from 'vitest';
import { matchingPolicies, policiesOf, type TermsFacts } from './policies.ts';

const shop: TermsFacts = {
  name: 'Mithaas',
  legalName: 'Mithaas Sweets Private Limited',
  address: '17 Ranade Road, Mumbai',
  fssaiNumber: '10000000000001',
  email: 'hello@mithaas.example',
  whatsappNumber: '+919000000000',
  gstin: '27AAAAA0000A1Z2',
  instagramUrl: '',
  facebookUrl: '',
  grievanceOfficer: 'Nandini Kamat',
  grievanceEmail: 'grievance@mithaas.example',
  grievancePhone: '+919000000099',
  grievanceHours: 'Monday to Saturday, 10:00 to 18:00',
  weeklyOff: [0],
};
const nothing = Object.fromEntries(Object.keys(shop).map((name) => [name, ''])) as unknown as TermsFacts;
const all = policiesOf(shop);
const headings = (text: string) => matchingPolicies(all, text).map(({ subheading }) => subheading);
const textOf = (text: string) => JSON.stringify(matchingPolicies(all, text));

describe('which policies are shown', () => {
  test('all of them when nothing is asked for', () => {
    expect(headings('')).toHaveLength(all.length);
    expect(headings('   ')).toHaveLength(all.length);
  });

  test('by a subheading that contains the text, whatever its case', () => {
    expect(headings('shipping')).toEqual(['Shipping and refund policy']);
    expect(headings('SHIPPING ')).toEqual(['Shipping and refund policy']);
    expect(headings('privacy')).toEqual(['Privacy policy']);
    expect(headings('policy')).toEqual(['Shipping and refund policy', 'Privacy policy']);
  });

  test('none for text that no subheading contains', () => {
    for (const text of ['nonsense', '🪔', 'x'.repeat(10_000), '.*', '<script>']) expect(headings(text)).toEqual([]);
  });
});

describe('the facts', () => {
  test('the shipping and refund policy has the terms of delivery and refunds', () => {
    for (const term of [
      'in 1 to 7 business days',
      'Refunds are made within 7 business days',
      'ask for a refund within 24 hours of delivery',
      'Sweets are perishable items. For everyone’s safety there are no returns',
    ])
      expect(textOf('shipping')).toContain(term);
  });

  test.each([
    [[0], 'Sundays and public holidays are not business days.'],
    [[2], 'Tuesdays and public holidays are not business days.'],
    [[0, 6], 'Sundays, Saturdays and public holidays are not business days.'],
    [[], 'Every day except public holidays and our closures is a business day.'],
  ])('where nothing moves on the days %j of the week: %s', (weeklyOff, sentence) => {
    expect(JSON.stringify(policiesOf({ ...shop, weeklyOff }))).toContain(`where you are. ${sentence} Festivals`);
  });

  test('everything is governed by Indian law', () => {
    expect(textOf('governing law')).toContain('are governed by Indian law');
  });

  test('the privacy policy names what is stored', () => {
    for (const fact of ['Account:', 'Address:', 'Orders:', 'kept for 7 days'])
      expect(textOf('privacy')).toContain(fact);
  });

  test('the shop’s own facts stand in them, and nothing odd where a fact is missing', () => {
    expect(textOf('terms of sale')).toContain(
      'run by Mithaas Sweets Private Limited, 17 Ranade Road, Mumbai. FSSAI licence 10000000000001. GSTIN 27AAAAA0000A1Z2.',
    );
    expect(textOf('terms of sale')).toContain(
      'You can reach us at hello@mithaas.example or by phone or WhatsApp at +91 90000 00000.',
    );
    expect(textOf('complaints')).toContain(
      'Grievance officer: Nandini Kamat, grievance@mithaas.example, +91 90000 00099, Monday to Saturday, 10:00 to 18:00.',
    );
    expect(textOf('complaints')).toContain('acknowledged within 48 hours with a ticket number');
    const bare = policiesOf({ ...nothing, weeklyOff: [], name: 'Mithaas' });
    const text = JSON.stringify(bare);
    expect(text).toContain('run by Mithaas.');
    expect(text).not.toMatch(/undefined|FSSAI licence|GSTIN|You reach us|write to with| {2}/);
  });
});
