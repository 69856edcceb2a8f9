import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { readablePhone } from '../../domain/shop/shop-facts.ts';
import { formatMoment } from '../../domain/time.ts';
import { mailPagesCss } from './mail-pages-css.ts';

export const DEMO_MAIL_PATH = '/demo-mail';

export type CaughtMail = {
  id: string;
  key: string;
  to_address: string;
  to_name: string | null;
  subject: string;
  html: string;
  text: string;
  caught_at: Date;
};

export type CaughtMessage = {
  id: string;
  channel: 'whatsapp' | 'sms';
  to_number: string;
  text: string;
  caught_at: Date;
};

type Html = ReturnType<typeof html>;
const styleHash = createHash('sha256').update(mailPagesCss).digest('base64');

export function listPage(mails: CaughtMail[], messages: CaughtMessage[] = []): Response {
  return page(
    200,
    'Demo mail',
    html`<h1>Demo mail</h1>
    ${notice}
    ${messages.length > 0 ? messageList(messages) : ''}
    ${
      mails.length === 0
        ? html`<p class="empty">No emails yet. Place an order to see its confirmation here.</p>`
        : html`<ol class="mails">${mails.map(
            (mail) => html`
      <li><a href="${DEMO_MAIL_PATH}/${mail.id}"><strong><bdi>${mail.subject}</bdi></strong>
        <span><bdi>${recipientOf(mail)}</bdi></span> ${timeOf(mail)}</a></li>`,
          )}</ol>`
    }`,
  );
}

const channelNames = { whatsapp: 'WhatsApp', sms: 'SMS' };

const messageList = (messages: CaughtMessage[]) =>
  html`<section aria-labelledby="messages">
      <h2 id="messages">WhatsApp and SMS</h2>
      <ol class="messages">${messages.map(
        (message) => html`
      <li><p><bdi>${message.text}</bdi></p>
        <span>${channelNames[message.channel]} to ${readablePhone(message.to_number)}</span> ${timeOf(message)}</li>`,
      )}</ol>
    </section>
    <h2>Emails</h2>`;

export function mailPage(mail: CaughtMail): Response {
  const htmlPart = `${DEMO_MAIL_PATH}/${mail.id}/html`;
  return page(
    200,
    `${mail.subject} · Demo mail`,
    html`<p class="back"><a href="${DEMO_MAIL_PATH}">← All demo mail</a></p>
    <h1><bdi>${mail.subject}</bdi></h1>
    ${notice}
    <dl>
      <dt>To</dt><dd><bdi>${recipientOf(mail)}</bdi></dd>
      <dt>Received</dt><dd>${timeOf(mail)}</dd>
      <dt>Key</dt><dd><code>${mail.key}</code></dd>
    </dl>
    <div class="parts">
      <section aria-labelledby="html-part">
        <h2 id="html-part">As HTML <a href="${htmlPart}">Open in full</a></h2>
        <iframe src="${htmlPart}" title="The email as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>
      </section>
      <section aria-labelledby="text-part">
        <h2 id="text-part">As text</h2>
        <pre tabindex="0">${mail.text}</pre>
      </section>
    </div>`,
  );
}

export function missingPage(): Response {
  return page(
    404,
    'Email not found',
    html`<h1>Email not found</h1>
    <p class="empty">This email may have been removed. <a href="${DEMO_MAIL_PATH}">All demo mail</a></p>`,
  );
}

/**
 * The HTML part as it would be sent. Its own policy lets only our page frame it, and lets it do nothing: no scripts, no
 * forms, pictures of this shop only. Links open beside it, because the shop's pages refuse to be framed.
 */
export function htmlPartPage(mail: CaughtMail): Response {
  return new Response(mail.html.replace('<head>', '<head><base target="_blank">'), {
    headers: headers(
      "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    ),
  });
}

function page(status: number, title: string, body: Html | Promise<Html>): Response {
  const text = html`<!doctype html>
<html lang="en-IN">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="robots" content="noindex">
  <title>${title}</title>
  <link rel="icon" href="/favicon.svg" type="image/svg+xml">
  <style>${raw(mailPagesCss)}</style>
</head>
<body>
  <main>
    ${body}
  </main>
</body>
</html>`;
  return new Response(String(text), {
    status,
    headers: headers(
      `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    ),
  });
}

const notice = html`<p class="notice"><strong>Nothing was sent.</strong> This is a demo shop: its latest emails and messages are shown here instead of being sent.</p>`;

const recipientOf = ({ to_name, to_address }: CaughtMail): string =>
  to_name ? `${to_name} <${to_address}>` : to_address;

const timeOf = ({ caught_at }: Pick<CaughtMail, 'caught_at'>) =>
  html`<time datetime="${caught_at.toISOString()}">${formatMoment(caught_at)} IST</time>`;

function headers(policy: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy,
  };
}
