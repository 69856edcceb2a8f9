-- The catalogue: 38 sweets with fixed ids, in the order of the categories. Stock comes later (60_stock.sql),
-- so every product is out of stock until then. Chocolate, Laddu and Halwa are sold by weight, the rest by piece.
-- Shelf lives are those that sweet makers print: dry sweets and chocolates keep for weeks, cashew sweets for two, milk sweets
-- for a week when they are vacuum-packed, and what is eaten warm for a few days. A box keeps as long as the first of its
-- sweets to go. Everything is vegetarian: no egg, no gelatine, and the silver leaf
-- is beaten without hide. Two sweets are bought in and name their maker.
-- Offers are true: "Price" is regular_price less the percentage, to the paisa. The one product without an
-- offer_percent is tagged '10% off' by the owner's rule, so its price is 90% of the regular one.

create temporary table demo_products (
  id bigint primary key generated always as identity,
  category text, slug text, name text, price numeric, offer integer, regular numeric, grams integer, days integer,
  storage text, allergens text, ingredients text, description text
);
insert into demo_products (category, slug, name, price, offer, regular, grams, days, storage, allergens, ingredients, description) values
('Chocolate', 'dark-chocolate-almond-bark', 'Dark Chocolate Almond Bark', 585, 10, 650, 500, 90,
 'Cool and dry, below 24 °C', 'Nuts (almond); may contain milk, peanut',
 'Dark chocolate 68% (cocoa mass, sugar, cocoa butter), roasted almonds, sea salt',
 'Thin, snapping sheets of 68% dark chocolate over almonds that we roast whole until they smell of toffee. A little sea salt goes on before it sets. Broken by hand, so no two pieces match.'),
('Chocolate', 'rose-pistachio-truffles', 'Rose Pistachio Truffles', 880, 0, null, 500, 21,
 'Refrigerate; bring to room temperature before eating', 'Milk, Nuts (pistachio)',
 'White chocolate, cream, pistachios, butter, rose petal preserve, dried rose petals',
 'Soft pistachio ganache stirred with our own gulkand, rolled in crushed pistachio and dried rose petals. The rose comes late, after the nut. Take them out of the fridge twenty minutes before you serve them.'),
('Chocolate', 'kaju-chocolate-katli', 'Kaju Chocolate Katli', 760, 0, null, 500, 15,
 'Cool and dry, in a closed box', 'Milk, Nuts (cashew)',
 'Cashews, sugar, cocoa solids, cocoa butter, ghee',
 'Classic cashew katli below, a thin layer of dark cocoa above, cut into diamonds. The cashew is ground fine enough to melt before you chew.'),
('Chocolate', 'filter-coffee-truffles', 'Filter Coffee Truffles', 720, 0, null, 500, 21,
 'Refrigerate; bring to room temperature before eating', 'Milk; may contain nuts',
 'Dark chocolate, cream, filter coffee decoction (coffee, chicory), butter, cocoa powder',
 'A strong first decoction of peaberry and chicory, folded into dark ganache while it is still hot. Dusted with cocoa, firm outside, and as bitter as the second tumbler of the morning.'),
('Chocolate', 'sea-salt-peanut-chikki', 'Sea Salt Chocolate Chikki', 340, 0, null, 500, 60,
 'Cool and dry, airtight', 'Peanut; may contain milk, nuts',
 'Peanuts, jaggery, dark chocolate, sea salt',
 'Peanut chikki pulled thin with Kolhapur jaggery, then dipped halfway into dark chocolate and sprinkled with salt flakes. Crisp enough to shatter, and it keeps for weeks in a closed tin.'),
('Chocolate', 'saffron-white-chocolate', 'Saffron White Chocolate', 820, 0, null, 500, 90,
 'Cool and dry, below 24 °C', 'Milk, Nuts (pistachio)',
 'White chocolate (sugar, cocoa butter, milk solids), pistachios, saffron, cardamom',
 'An ivory slab tinted with saffron that we steep in warm cocoa butter overnight, finished with slivered pistachio and a little cardamom. Sweet, milky, and closer to kesar milk than to a chocolate bar.'),
('Chocolate', 'orange-peel-chocolate', 'Nagpur Orange Chocolate', 540, 0, null, 500, 60,
 'Cool and dry, below 24 °C', 'May contain milk, nuts',
 'Orange peel, sugar, dark chocolate (cocoa mass, sugar, cocoa butter)',
 'Peel of Nagpur oranges, candied slowly over four days so that it stays chewy, and half dipped in dark chocolate. Bittersweet, bright, and gone faster than you planned.'),
('Chocolate', 'chocolate-barfi', 'Chocolate Barfi', 456, 5, 480, 500, 7,
 'Refrigerate', 'Milk; may contain nuts',
 'Khoya, sugar, cocoa powder, ghee, cardamom',
 'Two layers of khoya barfi, one plain with cardamom and one dark with cocoa, pressed together and cut into squares. Soft and grainy the way barfi should be. The one that children reach for first.'),

('Laddu', 'besan-laddu', 'Besan Laddu', 320, 0, null, 500, 15,
 'Cool and dry, airtight', 'Milk; may contain nuts',
 'Gram flour, ghee, sugar, cardamom, melon seeds',
 'Coarse gram flour roasted in ghee for the best part of an hour, until the whole kitchen smells of it. Rolled warm, grainy on the tongue, with cardamom and melon seeds.'),
('Laddu', 'motichoor-laddu', 'Motichoor Laddu', 360, null, 400, 500, 7,
 'Cool and dry, airtight', 'Milk, Nuts (pistachio)',
 'Gram flour, sugar, ghee, melon seeds, pistachios, cardamom, saffron',
 'Tiny pearls of gram flour batter, fried in ghee through a fine ladle, soaked in saffron syrup and pressed only just hard enough to hold. They fall apart in the mouth. Made every morning, and sent the same day.'),
('Laddu', 'nariyal-laddu', 'Nariyal Laddu', 272, 15, 320, 500, 7,
 'Vacuum-packed; refrigerate once opened', 'Milk',
 'Coconut, milk, sugar, cardamom',
 'Fresh coconut, grated and cooked down with milk until it holds together, then rolled in more coconut. White, moist, and lightly sweet.'),
('Laddu', 'til-gud-laddu', 'Til Gud Laddu', 280, 0, null, 500, 45,
 'Cool and dry, airtight', 'Milk, Peanut, Sesame',
 'Sesame seeds, jaggery, peanuts, ghee, cardamom, dry ginger',
 'Toasted sesame and crushed peanuts bound with soft jaggery and a pinch of dry ginger. Made small for Sankranti and kept all winter. Til gud ghya, god god bola.'),
('Laddu', 'dry-fruit-laddu', 'Dry Fruit Laddu', 690, 0, null, 500, 20,
 'Cool and dry, airtight', 'Milk, Nuts (almond, cashew, pistachio, walnut)',
 'Dates, almonds, cashews, pistachios, walnuts, figs, ghee, poppy seeds',
 'Dates and figs chopped with four kinds of nuts, warmed in a spoon of ghee and rolled in poppy seeds. No sugar is added: the sweetness is the fruit’s own.'),
('Laddu', 'rava-laddu', 'Rava Laddu', 240, 0, null, 500, 10,
 'Cool and dry', 'Gluten (wheat), Milk, Nuts (cashew)',
 'Semolina, sugar, ghee, milk, coconut, raisins, cashews, cardamom',
 'Fine semolina roasted pale in ghee, moistened with warm milk and rolled around raisins, each with a cashew on top. A plain, homely laddu, just like the one from an aunt’s kitchen.'),
('Laddu', 'gond-laddu', 'Gond Laddu', 460, 0, null, 500, 30,
 'Cool and dry, airtight', 'Gluten (wheat), Milk, Nuts (almond, cashew)',
 'Wheat flour, ghee, jaggery, edible gum, almonds, cashews, dry ginger, nutmeg',
 'Edible gum puffed in ghee until it crackles, crushed into roasted wheat flour with jaggery, almonds and dry ginger. Dark, crunchy and warming: one with a glass of hot milk makes a winter breakfast.'),
('Laddu', 'boondi-laddu', 'Boondi Laddu', 300, 0, null, 500, 10,
 'Cool and dry, airtight', 'Milk, Nuts (cashew)',
 'Gram flour, sugar, ghee, cashews, raisins, cardamom, cloves, edible camphor',
 'Larger pearls than motichoor, in a firmer syrup, with cashew, raisins and the odd clove. The laddu of temple counters and wedding mornings.'),

('Halwa', 'gajar-halwa', 'Gajar Halwa', 360, 20, 450, 500, 7,
 'Vacuum-packed; refrigerate, and warm before serving', 'Milk, Nuts (almond, cashew)',
 'Carrots, milk, khoya, sugar, ghee, almonds, cashews, cardamom',
 'Red winter carrots grated by hand and cooked for three hours in full-cream milk, then finished with khoya and almond slivers. Best eaten warm: two minutes in a pan and it tastes freshly made.'),
('Halwa', 'moong-dal-halwa', 'Moong Dal Halwa', 480, 0, null, 500, 10,
 'Refrigerate; warm before serving', 'Milk, Nuts (almond, pistachio)',
 'Split moong dal, ghee, sugar, milk, khoya, almonds, pistachios, cardamom, saffron',
 'Soaked moong dal, ground coarse and stirred in ghee until an arm gives up, and then a little longer. Grainy, golden, and so rich that a small bowl is plenty. A Rajasthani wedding in a spoon.'),
('Halwa', 'karachi-halwa', 'Karachi Halwa', 380, 0, null, 500, 30,
 'Cool and dry', 'Milk, Nuts (cashew, pistachio)',
 'Sugar, cornflour, ghee, cashews, pistachios, melon seeds, lemon juice, cardamom, colours (E110, E124)',
 'The chewy, see-through one, in orange, green and red, studded with cashew and melon seeds. It bounces, it glows against the light, and it travels well: a month in its box does it no harm.'),
('Halwa', 'badam-halwa', 'Badam Halwa', 780, 0, null, 500, 10,
 'Refrigerate; warm before serving', 'Milk, Nuts (almond)',
 'Almonds, sugar, ghee, milk, saffron',
 'Almonds soaked overnight, peeled, ground with milk and cooked with ghee and saffron until the spoon stands up. Made by one person in one pan, so there is never much of it.'),
('Halwa', 'tirunelveli-halwa', 'Tirunelveli Wheat Halwa', 350, 0, null, 500, 15,
 'Cool and dry', 'Gluten (wheat), Milk, Nuts (cashew)',
 'Whole wheat milk, sugar, ghee, cashews',
 'Milk pressed from soaked wheat, cooked with caramelised sugar and ghee into a dark, glossy, slippery halwa. It should leave ghee on the fingers, and it does.'),
('Halwa', 'beetroot-halwa', 'Beetroot Halwa', 330, 0, null, 500, 4,
 'Refrigerate', 'Milk, Nuts (cashew)',
 'Beetroot, milk, sugar, ghee, cashews, cardamom',
 'Grated beetroot simmered in milk until the earthiness turns to caramel. Deep magenta, soft, with fried cashews. People who dislike beetroot tend to ask what it is only after the second spoon.'),
('Halwa', 'sohan-halwa', 'Sohan Halwa', 560, 0, null, 500, 45,
 'Cool and dry, airtight', 'Gluten (wheat), Milk, Nuts (almond, pistachio)',
 'Sugar, ghee, sprouted wheat flour, milk, almonds, pistachios, cardamom, saffron',
 'Brittle discs of sprouted wheat, ghee and sugar, set hard with almonds and pistachios pressed into the top. Break it with the heel of your hand, and let a piece melt rather than chew it.'),
('Halwa', 'sooji-halwa', 'Sooji Halwa', 180, 10, 200, 500, 2,
 'Refrigerate; warm before serving', 'Gluten (wheat), Milk, Nuts (almond)',
 'Semolina, ghee, sugar, raisins, almonds, cardamom',
 'Semolina roasted in ghee with raisins and cardamom, the way it is handed out after a puja. Pale, soft and plain. We make it in the morning, and it is best the same day.'),

('Takeaway', 'samosa', 'Punjabi Samosa (2 pcs)', 50, 0, null, 200, 1,
 'Eat hot, the same day', 'Gluten (wheat)',
 'Potatoes, wheat flour, peas, oil, coriander seeds, green chilli, ginger, dried mango powder',
 'Two big samosas with a thick, blistered crust, filled with crushed potato, peas and coriander seed. With tamarind and mint chutney.'),
('Takeaway', 'jalebi', 'Hot Jalebi', 90, 0, null, 250, 1,
 'Eat hot, the same day', 'Gluten (wheat), Milk',
 'Wheat flour, curd, sugar, ghee, saffron',
 'A quarter kilo of spirals from a batter left to sour overnight, fried in ghee and dropped straight into saffron syrup. Crisp for about half an hour: eat them on the way home.'),
('Takeaway', 'gulab-jamun', 'Gulab Jamun (4 pcs)', 120, 0, null, 300, 4,
 'Refrigerate; warm before serving', 'Gluten (wheat), Milk, Nuts (pistachio)',
 'Khoya, chhena, wheat flour, sugar, ghee, cardamom, rose water, pistachios',
 'Four khoya dumplings, fried slowly to an even brown and rested in cardamom and rose syrup until they are soft to the middle.'),
('Takeaway', 'rasmalai', 'Rasmalai (2 pcs)', 140, 0, null, 250, 2,
 'Refrigerate', 'Milk, Nuts (almond, pistachio)',
 'Milk, chhena, sugar, almonds, pistachios, saffron, cardamom',
 'Two flat discs of fresh chhena in milk that has been reduced by half and coloured with saffron. Served cold. Please carry it level.'),
('Takeaway', 'kesar-kulfi', 'Kesar Pista Kulfi', 70, 0, null, 90, 1,
 'Frozen, −18 °C; eat it before it melts', 'Milk, Nuts (pistachio)',
 'Milk, sugar, pistachios, saffron, cardamom',
 'Milk boiled down until it is thick and faintly brown, with saffron and pistachio, frozen in a cone on a stick. Dense and slow to melt.'),
('Takeaway', 'dhokla', 'Khaman Dhokla', 87.50, 0, null, 250, 1,
 'Eat the same day', 'Mustard, Sesame',
 'Gram flour, sugar, lemon juice, oil, mustard seeds, sesame seeds, green chilli, curry leaves, coconut, coriander',
 'A quarter kilo of steamed gram flour squares, spongy and a little sour, under a crackle of mustard seed, curry leaf and fresh coconut.'),

('Gift', 'halwa-combo', 'Halwa Combo Pack', 540, 0, null, 750, 7,
 'Vacuum-packed; refrigerate once opened', 'Milk, Nuts (almond, cashew, pistachio)',
 'Gajar Halwa, Moong Dal Halwa, Karachi Halwa, 250 g each',
 'Three very different halwas: soft Gajar, grainy Moong Dal and chewy Karachi, 250 g of each, in one lidded box.'),
('Gift', 'chocolate-combo', 'Chocolate Combo Pack', 1190, 0, null, 600, 15,
 'Cool and dry, below 24 °C', 'Milk, Nuts (almond, cashew, pistachio); may contain peanut',
 'Dark Chocolate Almond Bark, Rose Pistachio Truffles, Kaju Chocolate Katli, Nagpur Orange Chocolate, 150 g each',
 'Four of our chocolates in one flat box with a sleeve: almond bark, rose pistachio truffles, kaju katli and orange peel, 150 g of each. A card inside tells you which is which.'),
('Gift', 'laddu-combo', 'Laddu Combo Pack', 390, 0, null, 600, 7,
 'Vacuum-packed; refrigerate once opened', 'Gluten (wheat), Milk, Nuts (cashew, pistachio)',
 'Besan Laddu, Motichoor Laddu, Nariyal Laddu, Rava Laddu, four of each',
 'Sixteen laddus, four each of Besan, Motichoor, Nariyal and Rava, packed so they don’t roll. For families who can’t agree.'),
('Gift', 'family-combo', 'Family Combo Pack', 1360, 15, 1600, 1500, 7,
 'Vacuum-packed; refrigerate once opened', 'Milk, Nuts (almond, cashew, pistachio)',
 'Besan Laddu, Motichoor Laddu, Gajar Halwa, Karachi Halwa, Chocolate Barfi, Kaju Chocolate Katli, 250 g each',
 'A kilo and a half in six compartments: two laddus, two halwas and two chocolate sweets. Enough for eight, with some left for breakfast.'),
('Gift', 'diwali-hamper', 'Diwali Lamp Hamper', 2400, 0, null, 1800, 15,
 'Cool and dry', 'Gluten (wheat), Milk, Nuts (almond, cashew, pistachio, walnut)',
 'Dry Fruit Laddu 400 g, Besan Laddu 400 g, Sohan Halwa 300 g, Kaju Chocolate Katli 300 g; four clay lamps (not edible)',
 'Four hand-thrown clay diyas with wicks, and sweets that keep well: Dry Fruit and Besan Laddu, Sohan Halwa and Kaju Chocolate Katli. In a marigold-print box that stores the diyas afterwards.'),
('Gift', 'kaju-katli-silver-box', 'Kaju Katli Silver Box', 950, 0, null, 500, 15,
 'Cool and dry', 'Milk, Nuts (cashew)',
 'Cashews, sugar, ghee, edible silver leaf',
 'Half a kilo of thin cashew diamonds under real silver leaf, in a box lined with paper. Nothing but cashew, sugar and a little ghee.'),
('Gift', 'shagun-wedding-box', 'Shagun Wedding Box', 1850, 0, null, 2000, 7,
 'Cool and dry', 'Milk, Nuts (almond, cashew, pistachio, walnut)',
 'Motichoor Laddu, Kaju Katli, Badam Halwa, Dry Fruit Laddu, 450 g each; edible silver leaf',
 'For the day the families meet: Motichoor Laddu, Kaju Katli, Badam Halwa and Dry Fruit Laddu under a lid tied with a wide ribbon. We can write the couple’s names on the card: just message us.'),
('Gift', 'rakhi-sweet-thali', 'Rakhi Sweet Thali', 799.50, 0, null, 900, 7,
 'Cool and dry', 'Milk, Nuts (cashew, pistachio)',
 'Nariyal Laddu, Motichoor Laddu, Kaju Katli, 200 g each; rakhi thread, roli and rice; brass-finish plate (not edible)',
 'A brass-finish plate with three sweets, a cotton rakhi, roli and rice: everything the ceremony needs. Made in the weeks before Raksha Bandhan.');

-- A box lists what is in each of its sweets.
do $$
declare
  sweet record;
begin
  for sweet in
    select p.name, p.ingredients from demo_products p where p.category <> 'Gift'
    union all
    select 'Kaju Katli', p.ingredients from demo_products p where p.slug = 'kaju-katli-silver-box'
  loop
    update demo_products p
    set ingredients = replace(p.ingredients, sweet.name, format('%s (%s)', sweet.name, lower(left(sweet.ingredients, 1)) || substr(sweet.ingredients, 2)))
    where p.category = 'Gift';
  end loop;
end $$;

insert into public."Products" (
  "Id", "Name", "Description", "Price", "Image", "Category", "hasSize", offer_percent, regular_price, gst_percent, hsn,
  weight_grams, food_mark, ingredients, allergens, shelf_life_days, storage, maker, combo, is_listed, created_at, updated_at)
select p.id, p.name, p.description, p.price, format('/images/products/%s-960.webp', p.slug), p.category,
       p.category in ('Chocolate', 'Laddu', 'Halwa'), p.offer, p.regular, 5,
       case when p.category = 'Chocolate' or p.slug = 'chocolate-combo' then '1806' else '2106' end,
       p.grams, 'veg', p.ingredients, p.allergens, p.days, p.storage, coalesce(m.maker, ''),
       substring(p.slug from '^(.+)-combo$'), true, now() - interval '18 months', now() - interval '18 months'
from demo_products p
left join (values
  ('orange-peel-chocolate', 'Satpura Cacao Works, Plot 6, Hingna Road, Nagpur 440016 (FSSAI 10000000000018)'),
  ('kesar-kulfi', 'Himkan Kulfi House, 8 Bhau Daji Road, Matunga, Mumbai 400019 (FSSAI 10000000000025)')
) m (slug, maker) using (slug);
select setval(pg_get_serial_sequence('public."Products"', 'Id'), (select max("Id") from public."Products"));

-- What 500 g or a piece costs us to make: between 35 and 60 % of the price, and a little more since ghee
-- rose. Two are not worked out yet, so that the console has unknown costs to show.
insert into private.product_costs (product_id, valid_from, unit_cost)
select p.id, c.valid_from, round(p.price * (0.36 + (p.id * 7 % 20) / 100.0) * c.factor, 2)
from demo_products p
cross join (values (now() - interval '18 months', 1.00), (now() - interval '7 months', 1.04)) c (valid_from, factor)
where p.slug not in ('beetroot-halwa', 'rakhi-sweet-thali')
  and (c.factor = 1.00 or p.allergens like '%Milk%');

drop table demo_products;
