// What a box costs, weighs and contains, against an independent model.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxFacts } from '../../domain/boxes/box-facts.ts';
import { boxesWithTaxPaise, boxSums } from '../../domain/boxes/box-price.ts';
import { boxPageFrom } from '../../domain/boxes/read-box-page.ts';
import { fuzzSeed } from '../../tests/support/properties.ts';
import { boxPage } from '../contracts/boxes.ts';
import { type Box, boxShop, size, sizes, sweet, sweets } from './box-shop.ts';

const shop = boxShop();

describe('10,000 generated boxes', () => {
  /** By whole numbers alone, without the shop’s own rules: thousandths of a paisa for prices, hundredths for rates. */
  function model({ box_id, quantity, contents }: Box) {
    const chosen = sizes.find(({ id }) => id === box_id) ?? expect.fail();
    let unit = BigInt(chosen.paise);
    let grams = chosen.grams;
    let rate = 0n;
    const words = new Set<string>();
    const traces = new Set<string>();
    let shelfLife = Number.POSITIVE_INFINITY;
    let mark = 'veg';
    const taken = new Map<number, number>();
    for (const { productId, pieces } of contents) {
      const one = sweets.find(({ id }) => id === productId) ?? expect.fail();
      const thousandths = BigInt(one.pricePaise) * BigInt(one.pieceGrams) * 2n;
      const down = thousandths / 1000n;
      unit += (thousandths % 1000n >= 500n ? down + 1n : down) * BigInt(pieces);
      grams += one.pieceGrams * pieces;
      if (BigInt(one.gst) > rate) rate = BigInt(one.gst);
      if (one.mark === 'non-veg') mark = 'non-veg';
      shelfLife = Math.min(shelfLife, one.shelfLife);
      taken.set(productId, (taken.get(productId) ?? 0) + one.pieceGrams * pieces * quantity);
      for (const [part, into] of [
        [one.allergens.split(';')[0] ?? '', words],
        [one.allergens.split('may contain ')[1] ?? '', traces],
      ] as const)
        for (const word of part.match(/[a-z]+/gi) ?? []) if (word !== 'None') into.add(word.toLowerCase());
    }
    const line = unit * BigInt(quantity);
    const tax = (line * rate * 2n + 100n) / 200n;
    return { unit, line, tax, grams: grams * quantity, rate, words, traces, shelfLife, mark, taken };
  }

  const box = fc
    .record({
      at: fc.nat(2),
      quantity: fc.integer({ min: 1, max: 25 }),
      picks: fc.array(fc.nat(13), { minLength: 24, maxLength: 24 }),
      kinds: fc.integer({ min: 1, max: 14 }),
    })
    .map(({ at, quantity, picks, kinds }): Box => {
      const { id, places } = size(at);
      const contents = new Map<number, number>();
      for (const pick of picks.slice(0, places)) {
        const productId = sweet(pick % kinds).id;
        contents.set(productId, (contents.get(productId) ?? 0) + 1);
      }
      return { box_id: id, quantity, contents: [...contents].map(([productId, pieces]) => ({ productId, pieces })) };
    });

  test('cost, weigh, are taxed and take from stock what an independent model says, to the paisa and the gram', async () => {
    const boxes = fc.sample(box, { numRuns: 10_000, seed: fuzzSeed });
    const rows = boxPage.result.parse((await shop.sql`select public.box_page() as page`)[0]?.page);
    const page = boxPageFrom(rows);
    const find = (id: number) => page.sweets.find(({ productId }) => productId === id);
    for (let start = 0; start < boxes.length; start += 1000) {
      const batch = boxes.slice(start, start + 1000);
      const carts = batch.map(({ box_id, quantity, contents }) => ({
        source: 'cart',
        fulfilment: 'delivery',
        pincode: '400001',
        lines: [
          { box_id, quantity, contents: contents.map(({ productId, pieces }) => ({ product_id: productId, pieces })) },
        ],
      }));
      const priced = await shop.sql`
        select p.grams, p.rejection, (p.quote).sub_total_paise, (p.quote).tax_paise, (p.quote).product_ids, (p.quote).units,
               (p.quote).lines -> 0 as line, f.food_mark, f.allergens, f.shelf_life_days
        from private.price_orders(${shop.sql.json(carts)}, now()) p
        cross join lateral private.box_facts((p.quote).lines -> 0 -> 'contents') f order by p.place`;
      expect(priced).toHaveLength(batch.length);
      priced.forEach((row, index) => {
        const generated = batch[index] ?? expect.fail();
        const wanted = model(generated);
        const { line } = row;
        const units = new Map((row.product_ids as string[]).map((id, at) => [Number(id), Number(row.units[at])]));
        const reason = wanted.grams > 30_000 ? 'too-heavy' : undefined;
        expect([row.rejection?.reason, Number(row.sub_total_paise), Number(row.tax_paise), Number(row.grams)]).toEqual([
          reason,
          Number(wanted.line),
          Number(wanted.tax),
          wanted.grams,
        ]);
        expect(Math.round(line.unit_price * 100)).toBe(Number(wanted.unit));
        expect([line.gst_percent, line.line_paise, line.tax_paise]).toEqual([
          Number(wanted.rate),
          Number(wanted.line),
          Number(wanted.tax),
        ]);
        expect(units).toEqual(wanted.taken);
        expect([row.food_mark, Number(row.shelf_life_days)]).toEqual([wanted.mark, wanted.shelfLife]);

        // What the customer saw is what the order says.
        const shown = page.sizes.find(({ id }) => id === generated.box_id) ?? expect.fail();
        const sums = boxSums(shown, generated.contents, find) ?? expect.fail();
        expect([sums.unitPaise, sums.gstPercent, sums.grams * generated.quantity]).toEqual([
          Number(wanted.unit),
          Number(wanted.rate),
          wanted.grams,
        ]);
        expect(boxesWithTaxPaise(sums, generated.quantity)).toBe(Number(wanted.line + wanted.tax));
        const facts = boxFacts(generated.contents, find);
        expect([facts.foodMark, facts.shelfLifeDays]).toEqual([wanted.mark, wanted.shelfLife]);
        const said = (list: string[]) => new Set(list.flatMap((text) => text.toLowerCase().match(/[a-z]+/g) ?? []));
        expect(said(facts.allergens.contains)).toEqual(wanted.words);
        const traces = said(facts.allergens.mayContain);
        for (const trace of wanted.traces) expect(traces.has(trace) || wanted.words.has(trace)).toBe(true);
        for (const trace of traces) expect(wanted.traces.has(trace)).toBe(true);
      });
    }
  });
});
