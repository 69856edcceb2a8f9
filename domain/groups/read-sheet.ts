import { readCsv, type Separator } from '../csv/read-csv.ts';
import { csvLine, isRisky } from '../csv/write-csv.ts';
import { formatCount } from '../money.ts';
import {
  emptyRecipient,
  fieldLabels,
  fieldNames,
  maxRecipients,
  type RecipientField,
  type RecipientFields,
  tidiedRecipient,
} from './recipient.ts';

export type Sheet =
  | { ok: true; recipients: RecipientFields[]; ignoredHeadings: string[] }
  | { ok: false; message: string };

// Rows are counted to the end, so that the message can say how many there are.
const mostRows = 200_000;

/** A sheet of recipients, with headings in any order, or without and then in the order of the template. */
export function readSheet(text: string): Sheet {
  const file = readCsv(text, { maxRows: mostRows, separator: separatorOf(text) });
  if (!file.ok) return { ok: false, message: `Line ${file.line}: ${file.message}` };
  const [first, ...rest] = file.rows;
  if (!first) return { ok: false, message: 'This sheet is empty.' };
  const named = first.cells.map(fieldNamed);
  const hasHeadings = named.filter(Boolean).length >= 2;
  if (!hasHeadings && first.cells.length < 4)
    return {
      ok: false,
      message:
        'We can’t tell which column is which. Put headings in the first row (Name, Phone, Building, Street, City, State, Pincode), or start from the template.',
    };
  const columns = hasHeadings ? named : fieldNames;
  const twice = columns.find((field, place) => field && columns.indexOf(field) !== place);
  if (hasHeadings && twice && twice !== 'address')
    return { ok: false, message: `Two columns are headed “${fieldLabels[twice]}”. Remove one of them.` };
  const rows = hasHeadings ? rest : file.rows;
  if (rows.length === 0) return { ok: false, message: 'This sheet has headings, but no recipients.' };
  if (rows.length > maxRecipients)
    return {
      ok: false,
      message: `This sheet has ${formatCount(rows.length)} recipients. One order can have ${maxRecipients}: please split it.`,
    };
  return {
    ok: true,
    recipients: rows.map(({ cells }) => recipientFrom(cells, columns)),
    ignoredHeadings: hasHeadings ? first.cells.filter((heading, place) => !named[place] && heading.trim() !== '') : [],
  };
}

type Column = RecipientField | 'address' | undefined;

function recipientFrom(cells: readonly string[], columns: readonly Column[]): RecipientFields {
  const fields = { ...emptyRecipient };
  columns.forEach((column, place) => {
    const cell = withoutApostrophe(cells[place] ?? '');
    if (!column || cell.trim() === '') return;
    if (column !== 'address') fields[column] = cell;
    else {
      // One cell for building and street: the first comma parts them.
      const [building = '', ...street] = cell.split(/[,\n]/);
      fields.buildingNo ||= building.trim();
      fields.street ||= street
        .map((part) => part.trim())
        .filter(Boolean)
        .join(', ');
    }
  });
  return tidiedRecipient(fields);
}

/** In the first line, outside quotes, what is there most. */
function separatorOf(text: string): Separator {
  const line = (/^(?:[^"\r\n]|"(?:[^"]|"")*")*/.exec(text)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '');
  const count = (separator: Separator) => line.split(separator).length;
  const found: Separator[] = ['\t', ';', ','];
  return found.reduce((best, separator) => (count(separator) > count(best) ? separator : best), ',');
}

/** Exports put one in front of what a spreadsheet would run, and people in front of numbers that keep their zero. */
function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && (isRisky(cell.slice(1)) || /^'[+\d]/.test(cell)) ? cell.slice(1) : cell;
}

const names: Record<Exclude<Column, undefined>, string[]> = {
  name: [
    'name',
    'fullname',
    'recipient',
    'recipientname',
    'employeename',
    'employee',
    'to',
    'contact',
    'contactname',
    'नाम',
  ],
  phone: [
    'phone',
    'mobile',
    'phonenumber',
    'mobilenumber',
    'mobileno',
    'phoneno',
    'contactnumber',
    'contactno',
    'फोन',
    'मोबाइल',
  ],
  buildingNo: [
    'building',
    'buildingno',
    'flat',
    'apartment',
    'house',
    'houseno',
    'flatno',
    'address1',
    'addressline1',
    'buildingorapartment',
  ],
  street: ['street', 'road', 'area', 'locality', 'address2', 'addressline2'],
  city: ['city', 'town', 'शहर'],
  state: ['state', 'राज्य'],
  pincode: ['pincode', 'pin', 'zip', 'zipcode', 'postalcode', 'पिन', 'पिनकोड'],
  day: ['deliveryday', 'day', 'date', 'deliverydate', 'deliveron', 'दिन'],
  box: ['box', 'gift', 'hamper', 'boxletter'],
  note: ['note', 'message', 'cardmessage', 'giftnote', 'संदेश'],
  email: ['email', 'emailaddress', 'emailid', 'mail', 'ईमेल'],
  address: ['address', 'fulladdress', 'पता'],
};

function fieldNamed(heading: string): Column {
  const plain = heading.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
  return (Object.keys(names) as Exclude<Column, undefined>[]).find((field) => names[field].includes(plain));
}

/** The headings and one recipient to write over. Spreadsheets know UTF-8 by its mark. */
export function sheetTemplate(): string {
  const example: RecipientFields = {
    name: 'Kamala Devi',
    phone: '98765 43210',
    buildingNo: '12 Shanti Sadan',
    street: 'MG Road',
    city: 'Mumbai',
    state: 'Maharashtra',
    pincode: '400001',
    day: '',
    box: 'A',
    note: 'शुभ दीपावली!',
    email: '',
  };
  return `\uFEFF${csvLine(fieldNames.map((name) => fieldLabels[name]))}${csvLine(fieldNames.map((name) => example[name]))}`;
}

/** The recipients as they are now, to keep or to mend in a spreadsheet. */
export function sheetOf(recipients: readonly RecipientFields[]): string {
  return `\uFEFF${csvLine(fieldNames.map((name) => fieldLabels[name]))}${recipients
    .map((fields) => csvLine(fieldNames.map((name) => fields[name])))
    .join('')}`;
}
