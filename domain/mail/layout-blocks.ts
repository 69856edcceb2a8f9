import type { Block, DetailRow, ReceiptLine, ReceiptSum } from './email.ts';
import { colours, fonts } from './mail-theme.ts';
import { type Markup, markup } from './markup.ts';
import { oneLine } from './plain-text.ts';

export function blockHtml(block: Block): Markup {
  switch (block.kind) {
    case 'paragraph':
      return markup`<p class="ink" style="margin:0 0 16px;font:16px/1.6 ${fonts.text};color:${colours.ink}">${oneLine(block.text)}</p>\n`;
    case 'note':
      return markup`<p class="soft" style="margin:0 0 24px;font:13px/1.6 ${fonts.text};color:${colours.soft}">${oneLine(block.text)}</p>\n`;
    case 'button':
      return button(block.label, block.href);
    case 'picture':
      return markup`<img src="${block.src}" alt="${oneLine(block.alt)}" width="518" style="display:block;width:100%;max-width:518px;height:auto;margin:0 0 24px;border-radius:12px;font:italic 16px/1.6 ${fonts.text};color:${colours.soft}">\n`;
    case 'details':
      return markup`<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px">\n${block.rows.map(detailRow)}</table>\n`;
    case 'receipt':
      return markup`<h2 class="ink" style="margin:28px 0 8px;font:400 19px/1.3 ${fonts.display};color:${colours.ink}">${oneLine(block.title)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 12px">
${block.lines.map(receiptLine)}${block.sums.map(receiptSum)}</table>\n`;
  }
}

/** A table cell, because Outlook gives links no padding. */
function button(label: string, href: string): Markup {
  return markup`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td align="center" bgcolor="${colours.saffron}" style="background-color:${colours.saffron};border-radius:999px"><a href="${href}" style="display:inline-block;padding:13px 28px;font:600 16px/1.4 ${fonts.text};color:${colours.ink};text-decoration:none;border-radius:999px">${oneLine(label)}</a></td></tr></table>\n`;
}

function detailRow({ label, lines, href }: DetailRow): Markup {
  const texts = lines.map((line, index) => markup`${index > 0 ? markup`<br>` : ''}<bdi>${oneLine(line)}</bdi>`);
  const value = href ? markup`<a class="ink" href="${href}" style="color:${colours.ink}">${texts}</a>` : texts;
  return markup`<tr><th scope="row" class="soft" align="left" valign="top" width="100" style="padding:6px 12px 6px 0;font:400 14px/1.6 ${fonts.text};color:${colours.soft}">${oneLine(label)}</th><td class="ink" valign="top" style="padding:6px 0;font:15px/1.6 ${fonts.text};color:${colours.ink}">${value}</td></tr>\n`;
}

const border = `border-top:1px solid ${colours.line}`;

function receiptLine({ name, amount, price }: ReceiptLine): Markup {
  return markup`<tr><td class="ink line" valign="top" style="padding:10px 0;${border};font:16px/1.5 ${fonts.text};color:${colours.ink}"><bdi>${oneLine(name)}</bdi><br><span class="soft" style="font-size:14px;color:${colours.soft}">${oneLine(amount)}</span></td><td class="ink line" align="right" valign="top" style="padding:10px 0 10px 12px;${border};white-space:nowrap;font:16px/1.5 ${fonts.text};color:${colours.ink}">${price}</td></tr>\n`;
}

function receiptSum({ label, price, isTotal }: ReceiptSum, index: number): Markup {
  const font = isTotal ? `600 18px/1.5 ${fonts.text}` : `15px/1.5 ${fonts.text}`;
  const [tone, colour] = isTotal ? ['ink', colours.ink] : ['soft', colours.soft];
  const space = index === 0 ? `padding:12px 0 3px;${border}` : isTotal ? 'padding:8px 0 10px' : 'padding:3px 0';
  const cell = `${space};font:${font};color:${colour}`;
  return markup`<tr><th scope="row" class="${tone} line" align="left" style="${cell}">${label}</th><td class="${tone} line" align="right" style="${cell};white-space:nowrap">${price}</td></tr>\n`;
}
