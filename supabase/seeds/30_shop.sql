-- What the shop says of itself: its facts, where it delivers, and what the home page shows.

-- The licence and tax numbers have the right shape and are invented.
update public.shop_settings set
  name = 'Mithaas',
  legal_name = 'Mithaas Sweets Private Limited',
  address = 'Shop 3, Chandan Mansion, 17 Ranade Road, Dadar West, Mumbai 400028',
  state = 'Maharashtra',
  fssai_number = '10000000000001',
  gstin = '27AAAAA0000A1Z2',
  email = 'hello@mithaas.example',
  whatsapp_number = '+919000000000',
  instagram_url = 'https://instagram.example/mithaas',
  facebook_url = 'https://facebook.example/mithaas',
  grievance_officer = 'Nandini Kamat',
  grievance_email = 'grievance@mithaas.example',
  grievance_phone = '+919000000099',
  grievance_hours = 'Monday to Saturday, 10 am to 6 pm';

-- The most specific prefix decides the zone, so Mumbai (400) is not Maharashtra (40), and Hyderabad (500) is not the South
-- (50). Our own riders reach all of Mumbai on the next working day, night trains Maharashtra, Goa and Gujarat in two, and
-- flights the big cities in two to three: time enough for everything that keeps for a week. Elsewhere a courier takes
-- three to five. Left out on purpose, because sweets do not get there in time: Ladakh (194), Lakshadweep (68255), the
-- Andaman and Nicobar Islands (744) and the army's post offices (9).
insert into public.delivery_zones (id, name, pincode_prefixes, first_kg_charge, extra_kg_charge, min_days, max_days) values
  (1, 'Mumbai', '{400}', 40, 15, 1, 1),
  (2, 'Maharashtra, Goa and Gujarat', '{36,37,38,39,40,41,42,43,44}', 60, 25, 1, 2),
  -- Delhi with Gurugram, Faridabad, Noida and Ghaziabad; Chandigarh, Jaipur, Lucknow, Hyderabad, Bengaluru, Chennai, Kochi, Kolkata.
  (3, 'Big cities by air', '{110,121,122,201,160,302,226,500,560,600,6820,700}', 100, 60, 2, 3),
  (4, 'South', '{50,51,52,53,56,57,58,59,60,61,62,63,64,67,680,681,6823,68250,68251,683,684,685,686,687,688,689,69}', 90, 45, 3, 4),
  (5, 'North and Central', '{11,12,13,14,15,16,17,20,21,22,23,24,25,26,27,28,30,31,32,33,34,45,46,47,48,49}', 90, 45, 3, 4),
  (6, 'East and Kashmir', '{18,190,191,192,193,70,71,72,73,740,741,742,743,75,76,77,80,81,82,83,84,85}', 120, 60, 3, 5),
  (7, 'North-East and Sikkim', '{737,78,79}', 180, 90, 4, 5);
select setval(pg_get_serial_sequence('public.delivery_zones', 'id'), 7);

-- Closures follow the festivals: the kitchen works on them and rests afterwards.
insert into public.closures (starts_on, ends_on, reason) values
  ('2025-10-23', '2025-10-24', 'After Diwali'),
  ('2026-03-04', '2026-03-04', 'Holi'),
  ('2026-11-12', '2026-11-12', 'After Diwali'),
  ('2027-03-22', '2027-03-22', 'Holi'),
  ('2027-11-01', '2027-11-02', 'After Diwali'),
  ('2028-03-11', '2028-03-11', 'Holi'),
  ('2028-10-20', '2028-10-21', 'After Diwali');

-- Until when gifts for a festival are taken; the calendar says so, and reminders go out before it. On Holi the shop is closed.
insert into private.festival_cutoffs (name, starts_on, ends_on, order_by) values
  ('Christmas', '2026-12-22', '2026-12-25', '2026-12-18'),
  ('Holi', '2027-03-18', '2027-03-21', '2027-03-14'),
  ('Raksha Bandhan', '2027-08-12', '2027-08-17', '2027-08-08'),
  ('Diwali', '2027-10-24', '2027-10-29', '2027-10-18'),
  ('Christmas', '2027-12-22', '2027-12-25', '2027-12-18'),
  ('Holi', '2028-03-07', '2028-03-10', '2028-03-03'),
  ('Raksha Bandhan', '2028-07-31', '2028-08-05', '2028-07-27'),
  ('Diwali', '2028-10-12', '2028-10-17', '2028-10-06'),
  ('Christmas', '2028-12-22', '2028-12-25', '2028-12-18');

insert into public.caurousel (background_img, title, subtitle, buttontitle, buttonaction, position) values
  ('/images/slides/festival-boxes-1600.webp', 'A box worth sharing', 'Laddus, halwas and chocolates, packed by hand for the people you love.', 'See the gift boxes', '/shop?tab=gifts', 1),
  ('/images/slides/fresh-laddus-1600.webp', 'Rolled this morning', 'Besan, motichoor, coconut, sesame: eight laddus, made in small batches in Dadar.', 'Choose your laddu', '/shop?category=laddu', 2),
  ('/images/slides/halwa-season-1600.webp', 'Halwa weather', 'Red carrots, slow-cooked milk and a lot of stirring. Warm it for two minutes and enjoy.', 'Find a halwa', '/shop?category=halwa', 3);

-- Six, of which the home page shows five.
insert into public.testimonials (title, author, text, stars, position) values
  ('Tastes like my nani’s kitchen', 'Pooja, Delhi', 'I had given up on finding besan laddu that is roasted long enough. These are. The whole box smelled of ghee when I opened it, and my father had three before dinner.', 5, 1),
  ('Forty boxes, no fuss', 'Harsh, Mumbai', 'We ordered Diwali boxes for the office over WhatsApp. They came two days early, every box perfect, and the GST invoice was in order.', 5, 2),
  ('Reached Kottayam in three days', 'Mathew, Kottayam', 'I wasn’t sure halwa would survive the journey. The Karachi Halwa tasted as if it had been cut that morning.', 5, 3),
  ('Honest about what keeps', 'Ananya, Kolkata', 'They told me beetroot halwa wouldn’t travel that far and suggested Karachi halwa instead. I like a shop that stops me making a mistake.', 4, 4),
  ('Our Sunday habit', 'Freny, Mumbai', 'Jalebi and samosa, picked up at eleven, eaten by a quarter past. The dhokla is good too.', 5, 5),
  ('A proper shagun box', 'Gurpreet, Amritsar', 'Bought for my sister’s roka. Neatly tied, our names on the card, and the badam halwa was finished first.', 5, 6);

-- Festival banners run from some days before to the end of the day, in Indian time. Dates of the moon are those
-- of the printed calendars; for Eid, which the moon may move, the banner stays a day longer.
insert into public.greetings (title, message, link, starts_at, ends_at, priority, has_fireworks)
select g.title, g.message, g.link,
       (g.festival - g.days_before)::timestamp at time zone 'Asia/Kolkata',
       (g.festival + 1 + case when g.title like 'Eid%' then 1 else 0 end)::timestamp at time zone 'Asia/Kolkata',
       g.priority, g.fireworks
from (values
  ('Shubh Navratri', 'Nine nights, and something sweet after each.', '/shop', date '2026-10-20', 9, 20, false),
  ('Happy Dussehra', 'It’s a jalebi day. Fresh from the kadhai from 7 am.', '/shop?tab=takeaway', date '2026-10-20', 1, 30, true),
  ('Karwa Chauth', 'For when the moon is up: something soft and sweet.', '/shop?category=halwa', date '2026-10-29', 3, 20, false),
  ('Shubh Dhanteras', 'Begin the festival with a full box.', '/shop?tab=gifts', date '2026-11-06', 1, 60, false),
  ('Shubh Deepavali', 'Lamps on the sill, laddus on the table. Gift boxes are packed by hand every day until the festival.', '/shop?tab=gifts', date '2026-11-08', 21, 50, true),
  ('Bhai Dooj', 'For brothers near and far: we’ll write your note on the card.', '/shop?tab=gifts', date '2026-11-11', 2, 40, false),
  ('Gurpurab', 'Greetings on Guru Nanak Jayanti. Karah prasad at home, sweets for everyone else.', '/shop?category=halwa', date '2026-11-24', 4, 30, false),
  ('Merry Christmas', 'Truffles, orange chocolate, and a box to put under the tree.', '/shop?category=chocolate', date '2026-12-25', 10, 30, false),
  ('Happy New Year', 'Start as you mean to go on.', '/shop', date '2027-01-01', 5, 40, true),
  ('Happy Lohri', 'Til, gud and peanuts, ready for the fire.', '/shop?category=laddu', date '2027-01-14', 4, 30, false),
  ('Makar Sankranti and Pongal', 'Til gud ghya, god god bola. Pongalo Pongal!', '/shop?category=laddu', date '2027-01-15', 4, 35, false),
  ('Vasant Panchami', 'A yellow day: besan, boondi, saffron.', '/shop?category=laddu', date '2027-02-11', 3, 20, false),
  ('Eid Mubarak', 'Sweets for the table and for the neighbours.', '/shop?tab=gifts', date '2027-03-10', 6, 40, false),
  ('Happy Holi', 'Colour on your hands? We wrap each piece separately.', '/shop', date '2027-03-22', 10, 45, true),
  ('Ugadi and Gudi Padwa', 'A sweet beginning to the new year.', '/shop', date '2027-04-07', 5, 35, false),
  ('Ram Navami', 'Boondi laddu, as at the temple.', '/shop?category=laddu', date '2027-04-15', 3, 20, false),
  ('Akshaya Tritiya', 'A good day to begin, and to share something.', '/shop?tab=gifts', date '2027-05-09', 3, 20, false),
  ('Raksha Bandhan', 'The thali, the thread and the sweets, in one parcel.', '/shop?tab=gifts', date '2027-08-17', 21, 45, false),
  ('Happy Independence Day', 'Saffron, white and green: carrot, coconut, pistachio.', '/shop', date '2027-08-15', 1, 50, true),
  ('Happy Janmashtami', 'Coconut, milk and makhan-soft sweets for the little thief.', '/shop?category=laddu', date '2027-08-25', 4, 35, false),
  ('Ganpati Bappa Morya', 'Twenty-one laddus fit in one box. We checked.', '/shop?category=laddu', date '2027-09-04', 10, 45, true),
  ('Onam Ashamsakal', 'Something sweet to follow the sadya.', '/shop?category=halwa', date '2027-09-12', 5, 35, false),
  ('Shubh Navratri', 'Nine nights, and something sweet after each.', '/shop', date '2027-10-09', 9, 20, false),
  ('Happy Dussehra', 'It’s a jalebi day. Fresh from the kadhai from 7 am.', '/shop?tab=takeaway', date '2027-10-09', 1, 30, true),
  ('Karwa Chauth', 'For when the moon is up: something soft and sweet.', '/shop?category=halwa', date '2027-10-18', 3, 60, false),
  ('Shubh Deepavali', 'Lamps on the sill, laddus on the table. Gift boxes are packed by hand every day until the festival.', '/shop?tab=gifts', date '2027-10-29', 19, 50, true),
  ('Bhai Dooj', 'For brothers near and far: we’ll write your note on the card.', '/shop?tab=gifts', date '2027-10-31', 1, 40, false),
  ('Gurpurab', 'Greetings on Guru Nanak Jayanti. Karah prasad at home, sweets for everyone else.', '/shop?category=halwa', date '2027-11-14', 4, 30, false),
  ('Merry Christmas', 'Truffles, orange chocolate, and a box to put under the tree.', '/shop?category=chocolate', date '2027-12-25', 10, 30, false),
  ('Happy New Year', 'Start as you mean to go on.', '/shop', date '2028-01-01', 5, 40, true),
  ('Makar Sankranti and Pongal', 'Til gud ghya, god god bola. Pongalo Pongal!', '/shop?category=laddu', date '2028-01-15', 5, 35, false),
  ('Eid Mubarak', 'Sweets for the table and for the neighbours.', '/shop?tab=gifts', date '2028-02-27', 6, 40, false),
  ('Happy Holi', 'Colour on your hands? We wrap each piece separately.', '/shop', date '2028-03-11', 10, 45, true),
  ('Ugadi and Gudi Padwa', 'A sweet beginning to the new year.', '/shop', date '2028-03-27', 5, 35, false),
  ('Raksha Bandhan', 'The thali, the thread and the sweets, in one parcel.', '/shop?tab=gifts', date '2028-08-05', 21, 45, false),
  ('Happy Independence Day', 'Saffron, white and green: carrot, coconut, pistachio.', '/shop', date '2028-08-15', 1, 50, true),
  ('Happy Janmashtami', 'Coconut, milk and makhan-soft sweets for the little thief.', '/shop?category=laddu', date '2028-08-13', 4, 35, false),
  ('Ganpati Bappa Morya', 'Twenty-one laddus fit in one box. We checked.', '/shop?category=laddu', date '2028-08-23', 9, 45, true),
  ('Onam Ashamsakal', 'Something sweet to follow the sadya.', '/shop?category=halwa', date '2028-09-01', 5, 35, false),
  ('Shubh Navratri', 'Nine nights, and something sweet after each.', '/shop', date '2028-09-27', 8, 20, false),
  ('Happy Dussehra', 'It’s a jalebi day. Fresh from the kadhai from 7 am.', '/shop?tab=takeaway', date '2028-09-27', 1, 30, true),
  ('Karwa Chauth', 'For when the moon is up: something soft and sweet.', '/shop?category=halwa', date '2028-10-07', 2, 60, false),
  ('Shubh Deepavali', 'Lamps on the sill, laddus on the table. Gift boxes are packed by hand every day until the festival.', '/shop?tab=gifts', date '2028-10-17', 18, 50, true),
  ('Bhai Dooj', 'For brothers near and far: we’ll write your note on the card.', '/shop?tab=gifts', date '2028-10-19', 1, 40, false),
  ('Gurpurab', 'Greetings on Guru Nanak Jayanti. Karah prasad at home, sweets for everyone else.', '/shop?category=halwa', date '2028-11-02', 4, 30, false),
  ('Merry Christmas', 'Truffles, orange chocolate, and a box to put under the tree.', '/shop?category=chocolate', date '2028-12-25', 10, 30, false),
  ('Happy New Year', 'Start as you mean to go on.', '/shop', date '2029-01-01', 5, 40, true)
) g (title, message, link, festival, days_before, priority, fireworks);

-- Behind all of them, so that there is always a banner.
insert into public.greetings (title, message, link, starts_at, ends_at, priority, has_fireworks) values
  ('Something sweet for today', 'No festival needed. Made fresh every morning in Dadar, Mumbai.', '/shop',
   '2020-01-01 00:00+05:30', '2100-01-01 00:00+05:30', -100, true);
