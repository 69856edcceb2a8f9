import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { BlankPanel, LoadingShape, LoadingTable } from './loading-shapes.tsx';

const columns = [
  { key: 'name', title: 'Name' },
  { key: 'total', title: 'Total', align: 'end' as const },
];

test('a table that loads has its own headings and is read out as one word', () => {
  const table = renderToStaticMarkup(createElement(LoadingTable, { columns, rows: 3 }));
  expect(table.match(/Loading…/g)).toHaveLength(1);
  expect(table).toContain('aria-busy="true"');
  // Screen readers skip tables without rows, and no test finds them by their role.
  expect(table.indexOf('aria-hidden="true"')).toBeLessThan(table.indexOf('<table'));
  expect(table.match(/<th[ >]/g)).toHaveLength(2);
  expect(table.match(/data-label="Total"/g)).toHaveLength(3);
});

test('a panel that loads says its heading where that is known', () => {
  const panel = (title?: string) =>
    renderToStaticMarkup(createElement(LoadingShape, null, createElement(BlankPanel, { title, lines: 2, fields: 1 })));
  expect(panel('Payment')).toContain('<h2>Payment</h2>');
  expect(panel()).not.toContain('<h2>');
});
