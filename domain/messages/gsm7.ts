// What a text message is made of (3GPP TS 23.038): one message holds 160 characters of the GSM alphabet. One character outside of it
// and the same text costs three messages.
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each counts twice. */
const extended = '^{}\\[~]|€';
const replacements: Record<string, string> = {
  '₹': 'Rs ',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '×': 'x',
  '·': '-',
};

export const longestText = 160;

export function gsm7Length(text: string): number {
  let length = 0;
  for (const character of text) length += extended.includes(character) ? 2 : 1;
  return length;
}

export function isGsm7(text: string): boolean {
  return [...text].every((character) => basic.includes(character) || extended.includes(character));
}

/** The same text in the GSM alphabet: signs are replaced, accents are dropped, other scripts are left out. One line. */
export function toGsm7(text: string): string {
  const replaced = [...text].map((character) => replacements[character] ?? character).join('');
  const plain = [...replaced].map((character) =>
    isGsm7(character) ? character : character.normalize('NFKD').replace(/\p{M}/gu, ''),
  );
  return [...plain.join('')]
    .filter((character) => isGsm7(character) || /\s/u.test(character))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** As much of a word as fits. */
export function cutTo(text: string, most: number): string {
  let cut = '';
  for (const character of text) {
    if (gsm7Length(cut + character) > most) break;
    cut += character;
  }
  return cut.trim();
}
