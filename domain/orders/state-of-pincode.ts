// Which state a pincode lies in, by its longest known beginning.
const beginnings: readonly [state: string, pincodes: string][] = [
  ['Delhi', '11'],
  ['Haryana', '12 13'],
  ['Punjab', '14 15 160055 160059 160062 160071'],
  ['Chandigarh', '16'],
  ['Himachal Pradesh', '17'],
  ['Jammu and Kashmir', '18 19'],
  ['Ladakh', '194'],
  ['Uttar Pradesh', '20 21 22 23 24 25 26 27 28'],
  ['Uttarakhand', '244712 244713 244715 246 247667 248 249 2625 2631 2632 2634 2635 2636'],
  ['Rajasthan', '30 31 32 33 34'],
  ['Gujarat', '36 37 38 39'],
  ['Dadra and Nagar Haveli and Daman and Diu', '362520 362540 396193 396210 396220 396230 396235 396240'],
  ['Maharashtra', '40 41 42 43 44'],
  ['Goa', '403'],
  ['Madhya Pradesh', '45 46 47 48'],
  ['Chhattisgarh', '49'],
  ['Telangana', '50'],
  ['Andhra Pradesh', '51 52 53'],
  ['Karnataka', '56 57 58 59'],
  ['Tamil Nadu', '60 61 62 63 64'],
  ['Puducherry', '605001 605002 605003 605004 605005 605006 605007 605008 605009 605010 605011 605012 605013 605014'],
  ['Puducherry', '609602 673310 533464'],
  ['Kerala', '67 68 69'],
  ['Lakshadweep', '68255'],
  ['West Bengal', '70 71 72 73 74'],
  ['Sikkim', '737'],
  ['Andaman and Nicobar Islands', '744'],
  ['Odisha', '75 76 77'],
  ['Assam', '78'],
  ['Arunachal Pradesh', '790 791 792'],
  ['Meghalaya', '793 794'],
  ['Manipur', '795'],
  ['Mizoram', '796'],
  ['Nagaland', '797 798'],
  ['Tripura', '799'],
  ['Bihar', '80 81 82 84 85'],
  ['Jharkhand', '814 815 816 822 825 826 827 828 829 83'],
];

const states = new Map(beginnings.flatMap(([state, pincodes]) => pincodes.split(' ').map((start) => [start, state])));

/** null for anything that is not a pincode, and for those of the army's own post. */
export function stateOfPincode(pincode: string): string | null {
  if (!/^[1-9][0-9]{5}$/.test(pincode)) return null;
  for (let length = 6; length >= 2; length -= 1) {
    const state = states.get(pincode.slice(0, length));
    if (state) return state;
  }
  return null;
}

// Parts of a circle that went to a neighbour with their old pincodes.
const also: readonly [circle: string, state: string][] = [['50', 'Andhra Pradesh']];

/**
 * The state that a pincode lies in where it speaks against the one that is given; null where both may be right. The
 * circle, its first two digits, often has pincodes of a neighbour: only what lies outside all of them is surely wrong.
 */
export function conflictingStateOfPincode(pincode: string, given: string): string | null {
  const state = stateOfPincode(pincode);
  const known = beginnings.filter(([name]) => name === given);
  if (!state || state === given || known.length === 0) return null;
  const circle = pincode.slice(0, 2);
  const isNeighbour =
    known.some(([, pincodes]) => pincodes.split(' ').some((start) => start.startsWith(circle))) ||
    also.some(([shared, name]) => shared === circle && name === given);
  return isNeighbour ? null : state;
}
