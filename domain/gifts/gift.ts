import { isPrintable } from '../printable.ts';
import { isBlank } from '../products/listing-gaps.ts';

/** What is drawn on the card. */
export const giftMotifs = ['diwali', 'rakhi', 'wedding', 'holi', 'sweets'] as const;
export type GiftMotif = (typeof giftMotifs)[number];

export const motifNames: Record<GiftMotif, string> = {
  diwali: 'Diwali lamps',
  rakhi: 'Rakhi',
  wedding: 'Wedding garland',
  holi: 'Holi colours',
  sweets: 'A box of sweets',
};

export type Gift = {
  /** In any script, in several lines; may be empty: the card then has the picture and the names alone. */
  note: string;
  motif: GiftMotif;
  /** As it should stand on the card. */
  senderName: string;
  /** Gets an email when the parcel leaves; empty: no email. */
  recipientEmail: string;
};

export const longestNote = 300;
export const mostNoteLines = 10;
export const longestSender = 60;
const longestEmail = 254;

/** In code points: a letter with its marks in Devanagari is several, an emoji may be. */
export const noteLength = (note: string): number => [...note].length;

const email = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]+\.)+[A-Za-z0-9-]{2,}$/;

/** As it is stored: one kind of line break, nothing around it. */
export function tidiedGift({ note, motif, senderName, recipientEmail }: Gift): Gift {
  return {
    note: note
      .replace(/\r\n?/g, '\n')
      .replaceAll('\t', ' ')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    motif,
    senderName: senderName.replace(/\s+/g, ' ').trim(),
    recipientEmail: recipientEmail.trim(),
  };
}

export type GiftErrors = Partial<Record<keyof Gift, string>>;

/** What is wrong with a tidied gift (private.is_gift is the same rule). */
export function giftErrors({ note, motif, senderName, recipientEmail }: Gift): GiftErrors {
  const errors: GiftErrors = {};
  if (noteLength(note) > longestNote) errors.note = `Use at most ${longestNote} characters.`;
  else if (note.split('\n').length > mostNoteLines) errors.note = `Use at most ${mostNoteLines} lines.`;
  else if (!isPrintable(note.replaceAll('\n', '')))
    errors.note = 'This note has characters that can’t be printed. Please type it again.';
  if (!giftMotifs.includes(motif)) errors.motif = 'Choose a picture for the card.';
  if (isBlank(senderName)) errors.senderName = 'Enter the name to print on the card.';
  else if ([...senderName].length > longestSender) errors.senderName = `Use at most ${longestSender} characters.`;
  else if (!isPrintable(senderName))
    errors.senderName = 'This name has characters that can’t be printed. Please type it again.';
  if (recipientEmail !== '' && (recipientEmail.length > longestEmail || !email.test(recipientEmail)))
    errors.recipientEmail = 'Enter an email address, such as nani@example.com, or leave it empty.';
  return errors;
}

export type NoteSize = 'large' | 'medium' | 'small' | 'tiny';

// How many characters fit in a line of the card, and how many lines on it, at each size.
const sizes: [NoteSize, inLine: number, lines: number][] = [
  ['large', 20, 4],
  ['medium', 32, 7],
  ['small', 40, 10],
];

/** A large size for a short note, so that the card does not look empty; a long one still fits. */
export function noteSize(note: string): NoteSize {
  const widths = note.split('\n').map(widthOf);
  const fitting = sizes.find(
    ([, inLine, most]) => widths.reduce((lines, width) => lines + Math.max(1, Math.ceil(width / inLine)), 0) <= most,
  );
  return fitting?.[0] ?? 'tiny';
}

/** In characters; an emoji is as wide as two and a half. */
function widthOf(line: string): number {
  return [...line].reduce((width, letter) => width + ((letter.codePointAt(0) ?? 0) >= 0x1f000 ? 2.5 : 1), 0);
}
