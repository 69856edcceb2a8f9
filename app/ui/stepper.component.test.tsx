import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { Stepper } from './stepper.tsx';

function Quantity({ start, min = 1, max = 25 }: { start: number; min?: number; max?: number }) {
  const [value, setValue] = useState(start);
  return <Stepper value={value} min={min} max={max} label="Quantity of Besan Laddu" onChange={setValue} />;
}

const shown = () => screen.getByRole('status').textContent;
const decrease = () => screen.getByRole('button', { name: 'Decrease quantity' });
const increase = () => screen.getByRole('button', { name: 'Increase quantity' });

test('the stepper names what it counts', () => {
  render(<Quantity start={1} />);
  expect(screen.getByRole('group', { name: 'Quantity of Besan Laddu' })).toBeTruthy();
});

test('plus adds one and minus takes one away', async () => {
  const user = userEvent.setup();
  render(<Quantity start={2} />);
  await user.click(increase());
  expect(shown()).toBe('3');
  await user.click(decrease());
  await user.click(decrease());
  expect(shown()).toBe('1');
});

test('it stops at the smallest and the largest quantity', async () => {
  const user = userEvent.setup();
  render(<Quantity start={24} />);
  await user.click(increase());
  expect(shown()).toBe('25');
  expect(increase()).toHaveProperty('disabled', true);
  expect(decrease()).toHaveProperty('disabled', false);
});
