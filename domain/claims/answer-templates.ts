export type AnswerFacts = { ticket: string; orderNumber: number; items: string };
export type AnswerTemplate = { key: string; title: string; text(facts: AnswerFacts): string };

/** What the shop often answers: put into the field, and edited there before it is sent. */
export const answerTemplates: readonly AnswerTemplate[] = [
  {
    key: 'looking',
    title: 'We’re looking into it',
    text: ({ orderNumber }) =>
      `We’re very sorry that something was wrong with your order ${orderNumber}. We’re looking into it and will tell you our decision soon.`,
  },
  {
    key: 'photos',
    title: 'Ask for photos',
    text: ({ items }) =>
      `We’re very sorry. Could you add a photo of ${items} and one of the box as it arrived? With them we can decide at once.`,
  },
  {
    key: 'courier',
    title: 'Asking the courier',
    text: ({ orderNumber }) =>
      `We’re sorry that order ${orderNumber} hasn’t reached you. We’ve asked the courier where it is, and will write to you as soon as we know.`,
  },
];

export const decisionTemplates: Record<'refund' | 'replacement' | 'refusal', AnswerTemplate> = {
  refund: {
    key: 'refund',
    title: 'Refund',
    text: ({ items }) => `We’re very sorry about ${items}. We’re giving you your money back for it.`,
  },
  replacement: {
    key: 'replacement',
    title: 'Replacement',
    text: ({ items }) => `We’re very sorry about ${items}. We’ll make it fresh and send it again, at no charge.`,
  },
  refusal: {
    key: 'refusal',
    title: 'Refusal',
    text: () => `We’ve looked carefully at what you sent us. We can’t help with this one, because `,
  },
};
