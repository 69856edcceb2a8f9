const small = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  ...['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'],
];
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

const belowHundred = (number: number): string =>
  number < 20
    ? (small[number] as string)
    : `${tens[Math.floor(number / 10)]}${number % 10 ? `-${small[number % 10]}` : ''}`;

/** In Indian counting: 12,34,567 is twelve lakh thirty-four thousand five hundred sixty-seven. */
function numberInWords(number: number): string {
  if (number >= 1_00_00_000)
    return joined(numberInWords(Math.floor(number / 1_00_00_000)), 'crore', number % 1_00_00_000);
  if (number >= 1_00_000) return joined(belowHundred(Math.floor(number / 1_00_000)), 'lakh', number % 1_00_000);
  if (number >= 1000) return joined(belowHundred(Math.floor(number / 1000)), 'thousand', number % 1000);
  if (number >= 100) return joined(belowHundred(Math.floor(number / 100)), 'hundred', number % 100);
  return belowHundred(number);
}

const joined = (count: string, unit: string, rest: number): string =>
  rest === 0 ? `${count} ${unit}` : `${count} ${unit} ${numberInWords(rest)}`;

/** As printed on an Indian invoice, where “one hundred and fifty paise” would be 150: Rupees one hundred and paise fifty only. */
export function amountInWords(paise: number): string {
  if (!Number.isSafeInteger(paise) || paise < 0) throw new RangeError(`${paise} is not an amount of paise`);
  const [rupees, rest] = [Math.floor(paise / 100), paise % 100];
  const parts = [
    ...(rupees > 0 || rest === 0 ? [`${rupees === 1 ? 'rupee' : 'rupees'} ${numberInWords(rupees)}`] : []),
    ...(rest > 0 ? [`${rest === 1 ? 'paisa' : 'paise'} ${belowHundred(rest)}`] : []),
  ];
  const words = `${parts.join(' and ')} only`;
  return words[0]?.toUpperCase() + words.slice(1);
}
