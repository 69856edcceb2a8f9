import { expect, test } from 'vitest';
import { pageBytes } from './page-bytes.ts';

const mark = '2f1c9c2e-3c0a-4a7e-9d58-0f4d3f0a5f11';
const bytesOf = (...texts: string[]) => texts.map((text) => Buffer.from(text));

test('what was rendered before goes where its number stands, also twice and also out of order', () => {
  const html = `<ul><li>${mark}-1;</li><li>${mark}-0;</li></ul>₹ ${mark}-1;`;
  expect(pageBytes(html, mark, bytesOf('लड्डू', 'halwa')).toString()).toBe('<ul><li>halwa</li><li>लड्डू</li></ul>₹ halwa');
});

test('a page without any is its text', () => {
  expect(pageBytes('<p>₹ 320</p>', mark, []).toString()).toBe('<p>₹ 320</p>');
});

test('long texts become the same bytes as short ones, with half letters replaced', () => {
  const text = `${'घी ghee ₹ 🪔 '.repeat(500)}\ud800 and \udc00`;
  expect(pageBytes(text, mark, []).equals(Buffer.from(text))).toBe(true);
});

test('a mark that belongs to nothing is an error, and no page with a hole', () => {
  expect(() => pageBytes(`<li>${mark}-3;</li>`, mark, bytesOf('halwa'))).toThrow('no part');
});
