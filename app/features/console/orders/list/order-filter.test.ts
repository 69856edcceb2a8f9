import { expect, test } from 'vitest';
import { chipsOf, FilterForm, filterOf, ListState, noFields, questionOf } from './order-filter.ts';

const stateFrom = (address: string) => ListState.parse(Object.fromEntries(new URLSearchParams(address)));
const given = (address: string) =>
  Object.fromEntries(Object.entries(filterOf(stateFrom(address))).filter(([, value]) => value !== undefined));

test('an address says everything that the list shows', () => {
  expect(
    given(
      'q=laddu&todo=pack-today&status=Pending,Confirmed&payment=paid&from=2026-11-01&to=2026-11-16&customer=Asha Rao' +
        '&phone=98200&pincode=400&product=besan&number=1234&min=100&max=1,299.50&waiting=24&source=group&fulfilment=pickup',
    ),
  ).toEqual({
    search: 'laddu',
    todo: 'pack-today',
    status: ['Pending', 'Confirmed'],
    payment: ['paid'],
    placed_from: '2026-11-01',
    placed_to: '2026-11-16',
    customer: 'Asha Rao',
    phone: '98200',
    pincode: '400',
    product: 'besan',
    number: 1234,
    total_min_paise: 10000,
    total_max_paise: 129950,
    waiting_hours: 24,
    source: 'group',
    fulfilment: 'pickup',
  });
});

test.each([
  '',
  'todo=dance',
  'status=Eaten',
  'status=',
  'from=2026-02-30&to=yesterday',
  'pincode=0400',
  'number=-5&waiting=ages',
  'min=1.005&max=-1',
  'source=space&fulfilment=drone',
  'user=everybody',
  `q=${'x'.repeat(101)}&customer=${'x'.repeat(101)}`,
])('what is wrong in an address (%s) is as if it were not there', (address) => {
  expect(given(address)).toEqual({});
  expect(chipsOf(stateFrom(address))).toEqual([]);
});

test('of several statuses the unknown ones fall away', () => {
  expect(given('status=Pending,Eaten,Packed')).toEqual({ status: ['Pending', 'Packed'] });
  expect(chipsOf(stateFrom('status=Pending,Eaten,Packed'))).toEqual([{ name: 'status', label: 'Pending or Packed' }]);
});

test('sort and page are in the address too, and fall back to the newest first', () => {
  const cursor = { key: '1500', id: 'a' };
  expect(questionOf(stateFrom(`sort=number&after=${JSON.stringify(cursor)}`))).toMatchObject({
    sort: 'number',
    after: cursor,
  });
  expect(questionOf(stateFrom('sort=colour&after=[]'))).toMatchObject({ sort: '-placed', after: null });
});

test('each thing the list is narrowed by is said in words', () => {
  const words = (address: string) => chipsOf(stateFrom(address)).map(({ label }) => label);
  expect(words('q=laddu&todo=unconfirmed&sort=-total')).toEqual([]);
  expect(words('status=Pending,canceled&payment=refund_failed&from=2026-11-16&pincode=40&min=500&waiting=2')).toEqual([
    'Pending or Cancelled',
    'Refund failed',
    'From 16 Nov 2026',
    'Pincode 40…',
    'At least ₹500',
    'Waiting more than 2 h',
  ]);
});

test('what is typed wrongly is told at its field', () => {
  const checked = FilterForm.safeParse({
    ...noFields,
    pincode: '04',
    min: 'much',
    waiting: 'long',
    from: '2026-13-01',
  });
  expect(checked.error?.issues.map(({ path }) => path[0]).sort()).toEqual(['from', 'min', 'pincode', 'waiting']);
});
