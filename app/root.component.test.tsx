import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { showPart } from '../tests/support/component-page.tsx';
import { ErrorBoundary } from './root.tsx';

test('a page that fails says so', () => {
  showPart(<ErrorBoundary error={new Error('no database')} params={{}} />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Something went wrong. Please try again.');
});
