import type { Email } from './email.ts';
import type { ShopFacts } from './facts.ts';
import { blockHtml } from './layout-blocks.ts';
import { contactLines, shopLink } from './links.ts';
import { colours, fonts } from './mail-theme.ts';
import { type Markup, markup } from './markup.ts';
import { oneLine } from './plain-text.ts';

// Inline styles carry the look; this only adds what inline styles cannot: dark mode and narrow screens.
const extraCss = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (max-width: 480px) { .card { padding: 28px 20px 4px !important; } .frame { padding: 24px 12px !important; } }
  @media (prefers-color-scheme: dark) {
    .paper { background-color: ${colours.dark.paper} !important; }
    .card { background-color: ${colours.dark.card} !important; border-color: ${colours.dark.line} !important; }
    .ink { color: ${colours.dark.ink} !important; }
    .soft { color: ${colours.dark.soft} !important; }
    .line { border-color: ${colours.dark.line} !important; }
  }`;

/** The one frame of every mail: paper, the shop's name, a card with the content, and the sender. */
export function layoutHtml(email: Email, shop: ShopFacts): string {
  const name = oneLine(email.to ?? '');
  const { html } = markup`<!doctype html>
<html lang="en-IN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no">
<title>${oneLine(email.subject)}</title>
<style>${{ html: extraCss }}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background-color:${colours.paper}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${oneLine(email.preheader)}</div>
<table class="paper" role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${colours.paper}">
<tr><td class="frame" align="center" style="padding:40px 16px;overflow-wrap:anywhere">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
<tr><td align="center" style="padding-bottom:24px">${masthead(shop)}</td></tr>
<tr><td class="card" style="padding:40px 40px 16px;background-color:${colours.card};border:1px solid ${colours.line};border-radius:18px">
<h1 class="ink" style="margin:0 0 20px;font:400 28px/1.25 ${fonts.display};color:${colours.ink}">${oneLine(email.heading)}</h1>
<p class="ink" style="margin:0 0 16px;font:16px/1.6 ${fonts.text};color:${colours.ink}">${name ? markup`Namaste <bdi>${name}</bdi>,` : 'Namaste,'}</p>
${email.blocks.map(blockHtml)}
</td></tr>
<tr><td align="center" style="padding:28px 16px 0">${imprint(shop)}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
  return html;
}

function masthead(shop: ShopFacts): Markup {
  const ornament = [colours.marigold, colours.saffron, colours.rani, colours.saffron, colours.marigold];
  return markup`<a class="ink" href="${shopLink(shop, '/')}" style="font:400 34px/1.2 ${fonts.display};color:${colours.ink};text-decoration:none">${oneLine(shop.name)}</a>
<div aria-hidden="true" style="padding-top:6px;font:11px/1 ${fonts.text}">${ornament.map((colour) => markup`<span style="color:${colour}">&#9670;</span> `)}</div>`;
}

function imprint(shop: ShopFacts): Markup {
  const lines = contactLines(shop).map(({ text, href }) =>
    href
      ? markup`<br><a class="soft" href="${href}" style="color:${colours.soft}">${oneLine(text)}</a>`
      : markup`<br>${oneLine(text)}`,
  );
  return markup`<p class="soft" style="margin:0;font:13px/1.7 ${fonts.text};color:${colours.soft}"><strong>${oneLine(shop.name)}</strong>${lines}</p>`;
}
