import { createClient } from '@supabase/supabase-js';
import { fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '#database-types';
import { customer, showPart } from '../../../tests/support/component-page.tsx';
import { EditForm } from './edit-form.tsx';
import { ReviewForm } from './review-form.tsx';
import { useReviews } from './use-reviews.ts';

afterEach(() => vi.unstubAllGlobals());

const field = () => screen.getByLabelText('Your review');
const write = (text: string) => fireEvent.change(field(), { target: { value: text } });
const rate = (stars: string) => fireEvent.click(screen.getByRole('radio', { name: stars }));
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

describe('writing a review', () => {
  test('needs a rating and a comment', () => {
    const onSubmit = vi.fn();
    showPart(<ReviewForm onSubmit={onSubmit} />);
    write('Fresh and not too sweet.');
    press('Submit review');
    expect(screen.getByRole('alert').textContent).toContain('Please provide a rating and a comment.');
    write('   ');
    rate('4 stars');
    press('Submit review');
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test('sends stars and text once, and begins again with an empty form', async () => {
    const onSubmit = vi.fn(async () => true);
    showPart(<ReviewForm onSubmit={onSubmit} />);
    rate('4 stars');
    write(' Fresh and not too sweet. ');
    press('Submit review');
    press('Sending…');
    await vi.waitFor(() => expect(field()).toHaveProperty('value', ''));
    expect(onSubmit.mock.calls).toEqual([[4, 'Fresh and not too sweet.']]);
  });

  test('keeps what was written when it could not be sent', async () => {
    showPart(<ReviewForm onSubmit={async () => false} />);
    rate('1 star');
    write('Too sweet.');
    press('Submit review');
    expect(await screen.findByRole('button', { name: 'Submit review' })).toBeTruthy();
    expect(field()).toHaveProperty('value', 'Too sweet.');
  });

  test('is at most 2,000 characters long', () => {
    const onSubmit = vi.fn();
    showPart(<ReviewForm onSubmit={onSubmit} />);
    rate('5 stars');
    write('x'.repeat(2001));
    press('Submit review');
    expect(screen.getByText('Please keep it within 2,000 characters.')).toBeTruthy();
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

test('an edited review cannot be empty', () => {
  const onSave = vi.fn();
  showPart(<EditForm text="Fresh." onSave={onSave} onDone={vi.fn()} />);
  write('  ');
  press('Save');
  expect(screen.getByRole('alert').textContent).toContain('Comment cannot be empty.');
  expect(onSave).not.toHaveBeenCalled();
});

describe('what became of a review is said', () => {
  const review = { id: 1, rating: 5, content: 'Fresh.' };

  function Actions() {
    const { submit, update, remove } = useReviews(9, undefined, undefined);
    return (
      <>
        <button type="button" onClick={() => submit(5, 'Fresh.')}>
          Submit
        </button>
        <button type="button" onClick={() => update(review, 'Very fresh.')}>
          Update
        </button>
        <button type="button" onClick={() => remove(review)}>
          Delete
        </button>
      </>
    );
  }

  /** The Data API: it has no reviews yet, and takes changes or refuses them. */
  function show(changes: { status: number }, reads = { status: 200 }): void {
    vi.stubGlobal('fetch', async (_url: unknown, { method = 'GET' }: RequestInit = {}) => {
      if (method === 'GET') return Response.json(reads.status === 200 ? [] : {}, reads);
      if (changes.status >= 400) return Response.json({ code: '42501', message: 'refused' }, changes);
      return Response.json(method === 'POST' ? review : [review], changes);
    });
    const client = createClient<Database>('http://shop.example', 'publishable', { auth: { persistSession: false } });
    showPart(<Actions />, { session: { ...customer, client: async () => client } });
  }

  test.each([
    ['Submit', 'Your review has been submitted!'],
    ['Update', 'Your comment has been updated.'],
    ['Delete', 'Your comment has been deleted.'],
  ])('when it worked: %s', async (action, message) => {
    show({ status: 200 });
    press(action);
    expect(await screen.findByText(message)).toBeTruthy();
  });

  test.each([
    ['Submit', 'Failed to submit your review.'],
    ['Update', 'Failed to update comment.'],
    ['Delete', 'Failed to delete comment.'],
  ])('when it failed: %s', async (action, message) => {
    show({ status: 403 });
    press(action);
    expect(await screen.findByText(message)).toBeTruthy();
  });

  test('when reviews could not be loaded', async () => {
    show({ status: 200 }, { status: 500 });
    expect(await screen.findByText('Could not load comments.')).toBeTruthy();
  });
});
