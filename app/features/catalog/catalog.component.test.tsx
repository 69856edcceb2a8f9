import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shopViewFrom } from '#domain/catalog/shop-view.ts';
import { showPart } from '../../../tests/support/component-page.tsx';
import { FilterGroups } from './filter-groups.tsx';
import { ShopTabs } from './shop-tabs.tsx';

const view = shopViewFrom(new URLSearchParams());
const addressOf = (name: string) => screen.getByText(name).closest('a')?.getAttribute('href');

test('the shop has the tabs Box, Gifts and Takeaway', () => {
  showPart(<ShopTabs view={view} />, { at: '/shop' });
  const tabs = screen.getAllByRole('tab');
  expect(tabs.map((tab) => tab.textContent)).toEqual(['Box', 'Gifts', 'Takeaway']);
  expect(tabs.map((tab) => tab.getAttribute('aria-selected'))).toEqual(['true', 'false', 'false']);
});

test('the filters are Category, Sort and Price', () => {
  showPart(<FilterGroups view={view} ownCategories={[]} />, { at: '/shop' });
  for (const group of ['Category', 'Sort', 'Price']) expect(screen.getByText(group)).toBeTruthy();
});

test('each filter leads to the view it makes', () => {
  showPart(<FilterGroups view={view} ownCategories={['Namkeen']} />, { at: '/shop' });
  expect(addressOf('Halwa')).toBe('/shop?category=halwa');
  expect(addressOf('Namkeen')).toBe('/shop?category=namkeen');
  expect(addressOf('Price: low to high')).toBe('/shop?sort=l-h');
  expect(addressOf('Below ₹300')).toBe('/shop?price=below-300');
});
