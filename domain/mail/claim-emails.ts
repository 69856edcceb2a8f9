import { complainTo, problemLabels } from '../claims/claim.ts';
import { formatPaise } from '../money.ts';
import { formatMoment, instantFrom } from '../time.ts';
import { type Block, type DetailRow, type Email, paragraph } from './email.ts';
import type { ClaimFacts, ClaimMailFacts } from './facts.ts';
import { shopLink } from './links.ts';
import { dayFrom, details, tracking } from './order-blocks.ts';

type Part = Pick<Email, 'subject' | 'preheader' | 'heading'> & { blocks: Block[]; closing?: Block[] };

/** About a problem that a customer reported: received, answered, decided, and its replacement sent. */
export function claimEmail({ template, shop, name, claim }: ClaimMailFacts): Email {
  const { blocks, ...words } = parts[template](claim);
  return {
    ...words,
    to: name,
    blocks: [...blocks, { kind: 'button', label: 'See your ticket', href: shopLink(shop, claim.followUrl) }],
  };
}

const parts: Record<ClaimMailFacts['template'], (claim: ClaimFacts) => Part> = {
  'claim-received': (claim) => {
    const by = instantFrom(claim.acknowledgeBy);
    const answer = by ? `We’ll answer by ${formatMoment(by)}.` : 'We’ll answer within 48 hours.';
    return {
      subject: `We’ve received your report: ticket ${claim.ticket}`,
      preheader: answer,
      heading: 'We’ve received your report',
      blocks: [
        paragraph(`We’re sorry that something was wrong with your order ${claim.orderNumber}. ${answer}`),
        paragraph('If you can, keep the sweets and the box until then, and add photos to your ticket.'),
        ...details(ticket(claim), reported(claim)),
      ],
    };
  },
  'claim-answered': (claim) => ({
    subject: `An answer to your ticket ${claim.ticket}`,
    preheader: `About your order ${claim.orderNumber}.`,
    heading: 'We’ve answered you',
    blocks: [
      ...quoted(claim),
      paragraph('To reply, open your ticket. Please don’t reply to this email.'),
      ...details(ticket(claim)),
    ],
  }),
  'claim-decided': (claim) => {
    const { blocks, closing = [], ...words } = decided(claim);
    return { ...words, blocks: [...blocks, ...quoted(claim), ...closing, ...details(ticket(claim), reported(claim))] };
  },
  'claim-sent': (claim) => ({
    subject: `Your replacement for order ${claim.orderNumber} is on its way`,
    preheader: `Ticket ${claim.ticket}, at no charge.`,
    heading: 'Your replacement is on its way',
    blocks: [
      paragraph(`We’ve sent the replacement for your order ${claim.orderNumber}. There is nothing to pay.`),
      ...details(tracking(claim), ticket(claim)),
    ],
  }),
};

function decided(claim: ClaimFacts): Part {
  const by = dayFrom(claim.settleBy);
  if (claim.decision === 'refund') {
    const amount = formatPaise(claim.refundPaise);
    const when = by ? ` by ${by}` : ' within 7 business days';
    return {
      subject: `We’re refunding ${amount}: ticket ${claim.ticket}`,
      preheader: `You’ll get it back${when}.`,
      heading: `We’re refunding ${amount}`,
      blocks: [
        paragraph(
          claim.isOffline
            ? `You paid for order ${claim.orderNumber} offline, so we’ll pay ${amount} back to you directly${when}.`
            : `We’ll send ${amount} to your original payment method${when}. Your bank may take a few more days to show it.`,
        ),
      ],
    };
  }
  if (claim.decision === 'replacement')
    return {
      subject: `We’re sending a replacement: ticket ${claim.ticket}`,
      preheader: 'There is nothing to pay.',
      heading: 'We’re sending a replacement',
      blocks: [
        paragraph(
          `We’ll make it fresh and send it${by ? ` by ${by}` : ' soon'}, at no charge. We’ll email you when it’s on its way.`,
        ),
      ],
    };
  return {
    subject: `Our decision on your ticket ${claim.ticket}`,
    preheader: `About your order ${claim.orderNumber}.`,
    heading: 'Our decision',
    blocks: [
      paragraph(
        `We’ve looked at what you reported about your order ${claim.orderNumber}, and we can’t refund or replace it.`,
      ),
    ],
    closing: [paragraph(complainTo(claim.contact))],
  };
}

const quoted = ({ words }: ClaimFacts): Block[] => (words?.trim() ? [paragraph(words.trim())] : []);

const ticket = ({ ticket: number, orderNumber }: ClaimFacts): DetailRow[] => [
  { label: 'Ticket', lines: [number] },
  { label: 'Order', lines: [String(orderNumber)] },
];

const reported = ({ items }: ClaimFacts): DetailRow[] => [
  {
    label: 'You reported',
    lines: items.map(({ name, quantity, problem }) => `${quantity} × ${name}: ${problemLabels[problem].toLowerCase()}`),
  },
];
