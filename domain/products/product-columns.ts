import { type Category, fixedCategories } from '../catalog/category.ts';
import { foodMarkLabels } from '../catalog/food-mark.ts';

/** What a cell of an import file becomes: a value of the draft, nothing ("leave it as it is"), or why it cannot be one. */
export type CellReading =
  | { ok: true; value: string | number | boolean | null | undefined }
  | { ok: false; message: string };

export type ProductColumn = {
  /** The field of the draft, as SQL knows it. */
  field: string;
  heading: string;
  /** What the template says about it. */
  hint: string;
  /** `categories`: the shop's, as they are written. */
  read(cell: string, categories: readonly Category[]): CellReading;
};

export const comboPacks = ['halwa', 'chocolate', 'laddu', 'family'] as const;

const value = (read: string | number | boolean | null | undefined): CellReading => ({ ok: true, value: read });
const wrong = (message: string): CellReading => ({ ok: false, message });
const text = (cell: string) => value(cell);

function rupees(cell: string, empty: CellReading): CellReading {
  const typed = cell.replace(/^(₹|rs\.?|inr)\s*/i, '').replaceAll(/[,\s]/g, '');
  if (typed === '') return empty;
  const match = /^(\d{1,9})(?:\.(\d{1,2})0*)?$/.exec(typed);
  if (!match) return wrong(`“${cell.trim()}” is not an amount in rupees.`);
  return value(Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')));
}

function whole(cell: string, unit: RegExp, empty: CellReading): CellReading {
  const typed = cell.trim().replace(unit, '').replaceAll(',', '').trim();
  if (typed === '') return empty;
  // Spreadsheets turn 500 into 500.00 on a whim.
  return /^\d{1,9}(\.0+)?$/.test(typed) ? value(Number(typed)) : wrong(`“${cell.trim()}” is not a whole number.`);
}

function percent(cell: string): CellReading {
  const typed = cell.trim().replace(/%$/, '').trim();
  if (typed === '') return wrong('This cell is empty.');
  return /^\d{1,3}(\.\d{1,4})?$/.test(typed) ? value(Number(typed)) : wrong(`“${cell.trim()}” is not a percentage.`);
}

function yesOrNo(cell: string): CellReading {
  const typed = cell.trim().toLowerCase();
  if (['yes', 'y', 'true', '1'].includes(typed)) return value(true);
  if (['no', 'n', 'false', '0'].includes(typed)) return value(false);
  return wrong(typed === '' ? 'This cell is empty. Enter yes or no.' : `“${cell.trim()}” is not yes or no.`);
}

function oneOf(cell: string, choices: readonly string[], empty: CellReading): CellReading {
  const typed = cell.trim().toLowerCase();
  if (typed === '') return empty;
  const found = choices.find((choice) => choice.toLowerCase() === typed);
  return found ? value(found) : wrong(`“${cell.trim()}” is not one of ${choices.join(', ')}.`);
}

/** In any case. One that is not known here may have been added since: SQL has the last word. */
function category(cell: string, categories: readonly Category[]): CellReading {
  const reading = oneOf(cell, categories, emptyCell);
  return reading.ok || cell.trim() === '' ? reading : value(cell.trim());
}

function soldBy(cell: string): CellReading {
  const reading = oneOf(cell, ['weight', 'piece'], wrong('This cell is empty. Enter weight or piece.'));
  return reading.ok ? value(reading.value === 'weight') : reading;
}

const bare = (words: string) => words.toLowerCase().replaceAll(/[\s_-]/g, '');

/** A choice by what is stored or by its label, as people write them: veg, Non Veg, non-vegetarian. */
function labelled(cell: string, labels: Readonly<Record<string, string>>): CellReading {
  const typed = bare(cell);
  if (typed === '') return value(null);
  const found = Object.entries(labels).find((words) => words.some((word) => bare(word) === typed));
  return found ? value(found[0]) : wrong(`“${cell.trim()}” is not one of ${Object.values(labels).join(', ')}.`);
}

const emptyCell = wrong('This cell is empty.');

/** The columns of an exported or imported file. export_products() writes them in this order; files may have fewer. */
export const productColumns: readonly ProductColumn[] = [
  {
    field: 'id',
    heading: 'Id',
    hint: 'Leave blank for new products.',
    read: (cell) => whole(cell, /^#/, value(null)),
  },
  { field: 'name', heading: 'Name', hint: 'Without an Id, the product with this name is updated.', read: text },
  {
    field: 'category',
    heading: 'Category',
    hint: `${fixedCategories.join(', ')}, or one of your own.`,
    read: category,
  },
  {
    field: 'price_paise',
    heading: 'Price',
    hint: 'Rupees per 500 g, or per piece.',
    read: (cell) => rupees(cell, emptyCell),
  },
  {
    field: 'regular_price_paise',
    heading: 'Regular price',
    hint: 'Optional. Shown struck through.',
    read: (cell) => rupees(cell, value(null)),
  },
  {
    field: 'offer_percent',
    heading: 'Offer %',
    hint: 'Leave blank. It is calculated from the two prices.',
    read: (cell) => whole(cell, /%$/, value(undefined)),
  },
  { field: 'has_size', heading: 'Sold by', hint: 'weight or piece', read: soldBy },
  {
    field: 'weight_grams',
    heading: 'Weight (g)',
    hint: 'Of a piece or pack; 500 for items sold by weight.',
    read: (cell) => whole(cell, /\s*g$/i, value(undefined)),
  },
  { field: 'gst_percent', heading: 'GST %', hint: '0 to 40', read: percent },
  {
    field: 'hsn',
    heading: 'HSN',
    hint: '4 to 8 digits',
    read: (cell) => (cell.trim() === '' ? emptyCell : value(cell.trim())),
  },
  {
    field: 'food_mark',
    heading: 'Veg or non-veg',
    hint: 'Required for listing. Egg counts as non-veg.',
    read: (cell) => labelled(cell, foodMarkLabels),
  },
  {
    field: 'shelf_life_days',
    heading: 'Shelf life (days)',
    hint: 'Required for listing.',
    read: (cell) => whole(cell, /\s*days?$/i, value(null)),
  },
  { field: 'ingredients', heading: 'Ingredients', hint: 'Required for listing.', read: text },
  { field: 'allergens', heading: 'Allergens', hint: 'Required for listing; None if there are none.', read: text },
  { field: 'storage', heading: 'Storage', hint: 'Required for listing.', read: text },
  { field: 'maker', heading: 'Maker', hint: 'Name and address. Leave blank for your own shop.', read: text },
  { field: 'description', heading: 'Description', hint: 'Optional.', read: text },
  {
    field: 'combo',
    heading: 'Combo pack',
    hint: `${comboPacks.join(', ')}, or empty`,
    read: (cell) => oneOf(cell, comboPacks, value(null)),
  },
  { field: 'image', heading: 'Picture', hint: 'Optional. Link to a picture.', read: text },
  { field: 'is_listed', heading: 'Listed', hint: 'yes or no', read: yesOrNo },
  { field: 'is_archived', heading: 'Archived', hint: 'yes or no', read: yesOrNo },
  {
    field: 'unit_cost_paise',
    heading: 'Unit cost',
    hint: 'Rupees per 500 g, or per piece. Blank: unchanged.',
    read: (cell) => rupees(cell, value(undefined)),
  },
  { field: 'taste', heading: 'Taste', hint: 'Optional. What it tastes like.', read: text },
  { field: 'travel', heading: 'How it travels', hint: 'Optional. How it is packed and sent.', read: text },
  {
    field: 'more_pictures',
    heading: 'More pictures',
    hint: 'Link, space, description; separate pictures with |. At most 7.',
    read: text,
  },
];

export const productHeadings: readonly string[] = productColumns.map(({ heading }) => heading);

/** The label of a field, or its own name. */
export function fieldLabel(field: string): string {
  return productColumns.find((column) => column.field === field)?.heading ?? field;
}
