import { describe, expect, test } from 'vitest';
import { matchingPolicies, policiesOf, type TermsShop } from './policies.ts';

const shop: TermsShop = {
  name: 'Mithaas',
  legalName: 'Mithaas Sweets Private Limited',
  address: '17 Ranade Road, Mumbai',
  fssaiNumber: '10000000000001',
  email: 'hello@mithaas.example',
  grievanceOfficer: 'Nandini Kamat, grievance@mithaas.example',
};
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
  test.each([
    '1 to 7 business days',
    'within 7 business days',
    'within 24 hours of delivery',
    'no returns',
    'perishable items',
  ])('the shipping and refund policy says: %s', (fact) => expect(textOf('shipping')).toContain(fact));

  test('everything is governed by Indian law', () => {
    expect(textOf('governing law')).toContain('governed by Indian law');
  });

  test('the privacy policy names what is stored', () => {
    for (const fact of ['Account:', 'Address:', 'Orders:', 'kept for 7 days'])
      expect(textOf('privacy')).toContain(fact);
  });

  test('the shop’s own facts stand in them, and nothing odd where a fact is missing', () => {
    expect(JSON.stringify(all)).toContain('Nandini Kamat');
    const bare = policiesOf({ name: 'Mithaas', legalName: '', address: '', fssaiNumber: '', email: '' });
    const text = JSON.stringify(bare);
    expect(text).toContain('run by Mithaas.');
    expect(text).not.toMatch(/undefined|FSSAI licence|write to with| {2}/);
  });
});
