import { addressErrors } from '../addresses/address-book.ts';
import { oneLine, tidiedPerson } from '../addresses/address-fields.ts';
import { type GiftMotif, giftErrors, tidiedGift } from '../gifts/gift.ts';
import { indianStates, unionTerritories } from '../indian-states.ts';

export const maxRecipients = 500;
/** A family and an office need a few kinds, and a sheet names each by a letter. */
export const boxLetters = ['A', 'B', 'C', 'D', 'E'] as const;
export type BoxLetter = (typeof boxLetters)[number];

/** As typed or read from a sheet, all of it text. */
export type RecipientFields = {
  name: string;
  phone: string;
  buildingNo: string;
  street: string;
  city: string;
  state: string;
  pincode: string;
  /** yyyy-mm-dd; empty: as soon as possible. */
  day: string;
  /** The letter of a box; empty: the first. */
  box: string;
  /** Empty: the note for everybody. */
  note: string;
  email: string;
};
export type RecipientField = keyof RecipientFields;
export type RecipientErrors = Partial<Record<RecipientField, string>>;

export const emptyRecipient: RecipientFields = {
  name: '',
  phone: '',
  buildingNo: '',
  street: '',
  city: '',
  state: '',
  pincode: '',
  day: '',
  box: '',
  note: '',
  email: '',
};
export const fieldNames = Object.keys(emptyRecipient) as RecipientField[];

export const fieldLabels: Record<RecipientField, string> = {
  name: 'Name',
  phone: 'Phone',
  buildingNo: 'Building',
  street: 'Street',
  city: 'City',
  state: 'State',
  pincode: 'Pincode',
  day: 'Delivery day',
  box: 'Box',
  note: 'Note',
  email: 'Email',
};

const states: readonly string[] = [...indianStates, ...unionTerritories];
const otherNames: Record<string, string> = {
  orissa: 'Odisha',
  pondicherry: 'Puducherry',
  'new delhi': 'Delhi',
  'delhi ncr': 'Delhi',
  'nct of delhi': 'Delhi',
  'jammu & kashmir': 'Jammu and Kashmir',
  uttaranchal: 'Uttarakhand',
  tamilnadu: 'Tamil Nadu',
  'andaman & nicobar islands': 'Andaman and Nicobar Islands',
};

/** As it is stored and sent: the same rules as the address book, one way to write states, days and boxes. */
export function tidiedRecipient(fields: RecipientFields): RecipientFields {
  const { zip, ...person } = tidiedPerson({ ...fields, zip: fields.pincode });
  const state = person.state.toLowerCase();
  const gift = tidiedGift({ note: fields.note, motif: 'sweets', senderName: 'x', recipientEmail: fields.email });
  return {
    ...person,
    state: states.find((name) => name.toLowerCase() === state) ?? otherNames[state] ?? person.state,
    pincode: zip,
    day: readDay(fields.day) ?? oneLine(fields.day),
    box: readBox(fields.box) ?? oneLine(fields.box),
    note: gift.note,
    email: gift.recipientEmail,
  };
}

/** Spreadsheets write days in many ways; the day comes before the month, as in India. null: it is none. */
export function readDay(typed: string): string | null {
  const text = oneLine(typed);
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]0?0:00(?::00)?)?$/.exec(text);
  if (iso) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const local = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text);
  if (local) return dayOf(fullYear(Number(local[3])), Number(local[2]), Number(local[1]));
  const words = /^(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{4}|\d{2})$/i.exec(text);
  const month = words ? months.indexOf((words[2] ?? '').slice(0, 3).toLowerCase()) + 1 : 0;
  return words && month > 0 ? dayOf(fullYear(Number(words[3])), month, Number(words[1])) : null;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const fullYear = (year: number) => (year < 100 ? 2000 + year : year);

function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && year >= 2000 && year < 2100 ? date.toISOString().slice(0, 10) : null;
}

/** "B", "Box B" or "2". */
function readBox(typed: string): BoxLetter | null {
  const [, letter, number] = /^(?:box\s*)?(?:([a-e])|([1-5]))$/i.exec(typed.trim()) ?? [];
  return boxLetters.find((one, place) => one === letter?.toUpperCase() || place + 1 === Number(number)) ?? null;
}

/** What cannot be sent: expects tidied fields. Whether the pincode is served and the day possible, the shop knows. */
export function recipientErrors(fields: RecipientFields, boxes: number): RecipientErrors {
  const { zip, label: _, ...person } = addressErrors({ ...fields, zip: fields.pincode, label: 'x' });
  const errors: RecipientErrors = { ...person, ...(zip && { pincode: zip }) };
  if (fields.state !== '' && !errors.state && !states.includes(fields.state)) errors.state = 'Choose the state.';
  if (fields.day !== '' && readDay(fields.day) === null) errors.day = 'Write the day as 25-11-2026, or leave it empty.';
  const letters: readonly string[] = boxLetters.slice(0, boxes);
  if (fields.box !== '' && !letters.includes(fields.box))
    errors.box = boxes === 1 ? 'There is only box A.' : `Choose a box from A to ${boxLetters[boxes - 1]}.`;
  const gift = giftErrors({ note: fields.note, motif: 'sweets', senderName: 'x', recipientEmail: fields.email });
  if (gift.note) errors.note = gift.note;
  if (gift.recipientEmail) errors.email = gift.recipientEmail;
  for (const name of fieldNames) {
    const problem = cellProblem(fields[name]);
    if (problem) errors[name] = problem;
  }
  return errors;
}

/** What a spreadsheet puts into a cell instead of a value. */
function cellProblem(cell: string): string | null {
  if (/^=[\w"'(@+-]/.test(cell)) return 'This is a formula. Type what it should say.';
  if (/^#(REF|N\/A|VALUE|NAME|DIV\/0|NULL|NUM)[!?]?$/i.test(cell))
    return 'Your spreadsheet shows an error here. Type what it should say.';
  if (/^\d+(\.\d+)?E\+?\d+$/i.test(cell)) return 'Your spreadsheet shortened this number. Type it in full.';
  return null;
}

/** What everybody gets on the card, unless the row has a note of its own. */
export type GroupCard = { motif: GiftMotif; senderName: string; note: string };

export const noteOf = ({ note }: RecipientFields, card: GroupCard): string => note || tidiedNote(card.note);

const tidiedNote = (note: string) => tidiedGift({ note, motif: 'sweets', senderName: 'x', recipientEmail: '' }).note;
