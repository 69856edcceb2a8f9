import { act, fireEvent, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { showPart } from '../../../tests/support/component-page.tsx';
import { fireworksMilliseconds } from './draw-fireworks.ts';
import { launchFireworks } from './fireworks.ts';
import { OrderNow } from './order-now.tsx';
import { Steps } from './steps.tsx';
import { useRotation } from './use-rotation.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

test('the explainer has three steps', () => {
  showPart(<Steps />);
  expect(screen.getAllByRole('listitem').map((step) => step.querySelector('h3')?.textContent)).toEqual([
    'Choose',
    'Pay',
    'Open',
  ]);
});

test('Order Now leads to the shop', () => {
  showPart(<OrderNow />);
  expect(screen.getByRole('link', { name: 'Order Now' }).getAttribute('href')).toBe('/shop');
});

test('fireworks last about three seconds and leave nothing behind', () => {
  const page = document.createElement('div');
  // happy-dom draws nothing.
  const canvas = HTMLCanvasElement.prototype;
  const { getContext, animate } = canvas;
  onTestFinished(() => void Object.assign(canvas, { getContext, animate }));
  const pen = { clearRect() {}, beginPath() {}, moveTo() {}, lineTo() {}, stroke() {} };
  Object.assign(canvas, { getContext: () => pen, animate() {} });
  launchFireworks(page);
  expect(page.querySelectorAll('canvas')).toHaveLength(1);
  wait(2900);
  expect(page.querySelectorAll('canvas')).toHaveLength(1);
  wait(100);
  expect(page.querySelectorAll('canvas')).toHaveLength(0);
  expect(fireworksMilliseconds).toBe(3000);
});

describe('the carousel', () => {
  function Carousel() {
    const carousel = useRef<HTMLElement>(null);
    const [current, show] = useState(0);
    const { on, toggle } = useRotation({ carousel, current, count: 3, show });
    return (
      <section ref={carousel} aria-label="Slides">
        <p data-testid="slide">{current + 1}</p>
        <button type="button" onClick={toggle}>
          {on ? 'Pause' : 'Play'}
        </button>
      </section>
    );
  }
  const slide = () => screen.getByTestId('slide').textContent;
  const slides = () => screen.getByRole('region', { name: 'Slides' });

  test('shows the next slide every five seconds, and the first after the last', () => {
    showPart(<Carousel />);
    wait(4900);
    expect(slide()).toBe('1');
    wait(100);
    expect(slide()).toBe('2');
    wait(5000);
    expect(slide()).toBe('3');
    wait(5000);
    expect(slide()).toBe('1');
  });

  test('pauses while the pointer is on it', () => {
    showPart(<Carousel />);
    fireEvent.pointerEnter(slides());
    wait(20_000);
    expect(slide()).toBe('1');
    fireEvent.pointerLeave(slides());
    wait(5000);
    expect(slide()).toBe('2');
  });

  test('stops at the pause button and goes on at the play button', () => {
    showPart(<Carousel />);
    fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
    wait(20_000);
    expect(slide()).toBe('1');
    fireEvent.click(screen.getByRole('button', { name: 'Play' }));
    wait(5000);
    expect(slide()).toBe('2');
  });
});
