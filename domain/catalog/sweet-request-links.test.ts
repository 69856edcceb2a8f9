import { expect, test } from 'vitest';
import { sweetRequestLinks } from './sweet-request-links.ts';

const shop = { shopName: 'Mithaas', whatsappNumber: '+919820012345', email: 'namaste@mithaas.example' };

test('the message is prepared, whatever the query contains', () => {
  const wish = 'soan papdi & "ghevar"?';
  const { whatsapp, mail } = sweetRequestLinks({ ...shop, wish });
  const text = `Hello Mithaas, I looked for “${wish}” and couldn’t find it. Could you make it for me?`;
  expect(whatsapp?.startsWith('https://wa.me/919820012345?text=')).toBe(true);
  expect(new URL(whatsapp ?? '').searchParams.get('text')).toBe(text);
  expect(new URL(mail ?? '').pathname).toBe('namaste@mithaas.example');
  expect(new URL(mail ?? '').searchParams.get('body')).toBe(text);
  expect(new URL(mail ?? '').searchParams.get('subject')).toBe(`Do you have ${wish}?`);
});

test('a channel that the shop does not have is not offered', () => {
  expect(sweetRequestLinks({ ...shop, whatsappNumber: '', email: '', wish: 'peda' })).toEqual({
    whatsapp: null,
    mail: null,
  });
});
