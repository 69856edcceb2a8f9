import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText, holds } from '../../tests/support/properties.ts';
import { decodeSheet, maxSheetBytes, tooLarge } from './decode-sheet.ts';
import { readSheet, sheetOf, sheetTemplate } from './read-sheet.ts';
import { emptyRecipient, type RecipientFields, readDay, recipientErrors, tidiedRecipient } from './recipient.ts';

const nani: RecipientFields = {
  ...emptyRecipient,
  name: 'Kamala Devi',
  phone: '9876543210',
  buildingNo: '12 Shanti Sadan',
  street: 'MG Road',
  city: 'Mumbai',
  state: 'Maharashtra',
  pincode: '400001',
};
const headings = 'Name,Phone,Building,Street,City,State,Pincode';
const line = 'Kamala Devi,98765 43210,12 Shanti Sadan,MG Road,Mumbai,Maharashtra,400 001';
function recipientsOf(text: string): RecipientFields[] {
  const sheet = readSheet(text);
  if (!sheet.ok) throw new Error(sheet.message);
  return sheet.recipients;
}
const messageOf = (text: string) => {
  const sheet = readSheet(text);
  return sheet.ok ? null : sheet.message;
};

describe('a sheet', () => {
  test.each([
    ['commas', `${headings}\n${line}\n`],
    ['semicolons', `${headings}\n${line}\n`.replaceAll(',', ';')],
    ['tabs, as cells are pasted', `${headings}\n${line}\n`.replaceAll(',', '\t')],
    ['CRLF and a byte order mark', `\uFEFF${headings}\r\n${line}\r\n`],
    [
      'headings in other words and another order',
      `PIN Code,State,City,Area,Flat No.,Mobile No.,Employee Name\n${line.split(',').reverse().join(',')}`,
    ],
    ['Hindi headings', `नाम,मोबाइल,Building,Street,शहर,राज्य,पिनकोड\n${line}`],
    [
      'one cell for the address',
      'Name,Phone,Address,City,State,Pincode\nKamala Devi,9876543210,"12 Shanti Sadan, MG Road",Mumbai,maharashtra,400001',
    ],
    ['no headings, in the order of the template', line],
    [
      'apostrophes in front of numbers',
      `${headings}\nKamala Devi,'98765 43210,12 Shanti Sadan,MG Road,Mumbai,Maharashtra,'400001`,
    ],
  ])('with %s is read', (_name, text) => {
    expect(recipientsOf(text)).toEqual([nani]);
  });

  test('keeps notes of several lines, commas, emoji and Devanagari', () => {
    const note = 'शुभ दीपावली, नानी! 🪔\nमिर्ची की ओर से';
    expect(recipientsOf(`${headings},Note\n${line},"${note}"\n`)[0]?.note).toBe(note);
  });

  test('names what it does not use', () => {
    expect(readSheet(`${headings},Department\n${line},Sales`)).toMatchObject({ ignoredHeadings: ['Department'] });
  });

  test('survives its own template and its own copy', () => {
    const [example] = recipientsOf(sheetTemplate());
    expect(example).toMatchObject({ name: 'Kamala Devi', box: 'A', note: 'शुभ दीपावली!' });
    const rows = [
      { ...nani, note: '=1+1', day: '2026-11-25', box: 'B' },
      { ...nani, name: 'O’Brien; "Bob"' },
    ];
    expect(recipientsOf(sheetOf(rows))).toEqual(rows);
  });

  test.each([
    ['', 'empty'],
    ['\n\n', 'empty'],
    [headings, 'no recipients'],
    ['Kamala\nRam\n', 'headings'],
    [`Name,Phone,Name\na,b,c`, 'Two columns are headed “Name”'],
    [`${headings}\n"Kamala`, 'Line 2'],
    [`${headings}\n${`${line}\n`.repeat(501)}`, '501 recipients'],
    [`${headings}\n${'a,b\n'.repeat(100_000)}`, '1,00,000 recipients'],
  ])('that cannot be used says why: %#', (text, words) => {
    expect(messageOf(text)).toContain(words);
  });

  test('of five hundred is read at once', () => {
    const before = performance.now();
    expect(recipientsOf(`${headings}\n${`${line}\n`.repeat(500)}`)).toHaveLength(500);
    expect(performance.now() - before).toBeLessThan(1000);
  });

  test('of any text is a list or a sentence', () => {
    const pieces = fc.array(
      fc.constantFrom('Name', 'Phone', ',', ';', '\t', '\n', '\r\n', '"', '=1+1', '५', '🪔', "'"),
    );
    holds(
      fc.property(
        fc.oneof(
          anyText(),
          pieces.map((some) => some.join('')),
          pieces.map((some) => `${headings}\n${some.join('')}`),
        ),
        (text) => {
          const sheet = readSheet(text);
          if (!sheet.ok) expect(sheet.message).not.toBe('');
          else for (const fields of sheet.recipients) recipientErrors(fields, 1);
        },
      ),
    );
  });
});

describe('a file', () => {
  const utf8 = (text: string) => new TextEncoder().encode(text);
  const utf16 = (text: string, isLittle = true) => {
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let place = 0; place < text.length; place += 1) view.setUint16(place * 2, text.charCodeAt(place), isLittle);
    return bytes;
  };
  const note = 'Note\nशुभ दीपावली 🪔';
  test.each([
    ['UTF-8', utf8(note)],
    ['UTF-8 with a mark', utf8(`\uFEFF${note}`)],
    ['UTF-16 with a mark', utf16(`\uFEFF${note}`)],
    ['UTF-16, the other way round', utf16(`\uFEFF${note}`, false)],
  ])('in %s is read', (_name, bytes) => {
    expect(decodeSheet(bytes)).toEqual({ ok: true, text: note, notice: null });
  });

  test('in UTF-16 without a mark is read', () => {
    expect(decodeSheet(utf16('Name\tPhone\nJosé'))).toEqual({ ok: true, text: 'Name\tPhone\nJosé', notice: null });
  });

  test('in Windows-1252 is read, and the customer is asked to look', () => {
    const bytes = new Uint8Array([...utf8('Name\nJos'), 0xe9, 0x20, 0x80]);
    expect(decodeSheet(bytes)).toEqual({
      ok: true,
      text: 'Name\nJosé €',
      notice: expect.stringContaining('check names'),
    });
  });

  test.each([
    ['a workbook', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'workbook'],
    ['an old workbook', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0]), 'workbook'],
    ['a PDF', utf8('%PDF-1.7'), 'CSV'],
    ['something binary', new Uint8Array([65, 0, 0, 0, 66, 1, 0]), 'CSV'],
  ])('that is %s says what to do', (_name, bytes, words) => {
    expect(decodeSheet(bytes)).toEqual({ ok: false, message: expect.stringContaining(words) });
  });

  test('of 20 MB is not read at all', () => {
    expect(tooLarge(20 * 1024 * 1024)).toContain('20 MB');
    expect(tooLarge(maxSheetBytes)).toBeNull();
    expect(decodeSheet(new Uint8Array(maxSheetBytes + 1))).toMatchObject({ ok: false });
  });
});

describe('a recipient', () => {
  test.each([
    [{}, {}],
    [{ state: 'Orissa' }, {}],
    [{ name: '' }, { name: 'Enter' }],
    [{ phone: '12345' }, { phone: 'mobile' }],
    [{ phone: '9.87654E+09' }, { phone: 'shortened' }],
    [{ pincode: '4000' }, { pincode: 'pincode' }],
    [{ state: 'Bombay' }, { state: 'Choose' }],
    [{ day: '31-02-2026' }, { day: '25-11-2026' }],
    [{ day: 'tomorrow' }, { day: '25-11-2026' }],
    [{ box: 'C' }, { box: 'A to B' }],
    [{ box: 'big' }, { box: 'A to B' }],
    [{ note: 'x'.repeat(301) }, { note: '300' }],
    [{ email: 'nobody' }, { email: 'email' }],
    [{ name: '=A1&B1' }, { name: 'formula' }],
    [{ street: '#REF!' }, { street: 'error' }],
    [{ note: '=HYPERLINK("http://x")' }, { note: 'formula' }],
  ] as [Partial<RecipientFields>, Partial<RecipientFields>][])('with %o: %o', (change, wrong) => {
    const errors = recipientErrors(tidiedRecipient({ ...nani, ...change }), 2);
    expect(Object.keys(errors)).toEqual(Object.keys(wrong));
    for (const [field, words] of Object.entries(wrong)) expect(errors[field as keyof RecipientFields]).toContain(words);
  });

  test.each([
    ['2026-11-25', '2026-11-25'],
    ['2026-11-25 00:00:00', '2026-11-25'],
    ['25/11/2026', '2026-11-25'],
    ['5.1.27', '2027-01-05'],
    ['25 Nov 2026', '2026-11-25'],
    ['Wed, 25th November 2026', '2026-11-25'],
    ['25-Nov-26', '2026-11-25'],
    ['11/25/2026', null],
    ['46351', null],
  ])('reads %s as the day %s', (typed, day) => {
    expect(readDay(typed)).toBe(day);
  });
});
