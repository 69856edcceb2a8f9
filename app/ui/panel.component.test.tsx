import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { Tabs } from './panel.tsx';

function Settings() {
  const { pathname } = useLocation();
  const tab = (to: string, title: string, count?: string) => ({ to, title, isOpen: pathname === to, count });
  return <Tabs label="Settings" items={[tab('/shop', 'Shop'), tab('/mail', 'Mail', '3')]} />;
}

const shop = () => screen.getByRole('link', { name: 'Shop' });
const mail = () => screen.getByRole('link', { name: 'Mail 3' });

beforeEach(() => {
  render(
    <MemoryRouter initialEntries={['/shop']}>
      <Settings />
    </MemoryRouter>,
  );
});

test('the open tab is the current page, and the others are links', () => {
  expect(screen.getByRole('navigation', { name: 'Settings' }).contains(mail())).toBe(true);
  expect(shop().getAttribute('aria-current')).toBe('page');
  expect(mail().getAttribute('aria-current')).toBeNull();
  fireEvent.click(mail());
  expect(mail().getAttribute('aria-current')).toBe('page');
});

test('a bar wider than the screen scrolls the open tab into its middle', () => {
  const bar = screen.getByRole('navigation');
  Object.defineProperty(bar, 'clientWidth', { value: 200 });
  Object.defineProperty(mail(), 'offsetLeft', { value: 300 });
  Object.defineProperty(mail(), 'offsetWidth', { value: 100 });
  fireEvent.click(mail());
  expect(bar.scrollLeft).toBe(250);
});
