-- Address books of some customers, and orders of theirs that were gifts: to the same city, with the invoice to the buyer. Priya, whom
-- one signs in as, has both. Some agreed to be reminded before festivals.

insert into public.customer_addresses (user_id, label, recipient_name, phone, building_no, street, city, state, zip)
select u.id, e.label, e.recipient_name, e.phone, e.building_no, e.street, e.city, e.state, e.zip
from auth.users u
cross join (values
  ('Ma & Papa', 'Sushma Sharma', '9845000101', '14, Nandanvan', '5th Cross, Jayanagar', 'Bengaluru', 'Karnataka', '560041'),
  ('Rohit bhaiya', 'Rohit Sharma', '9845000102', '302, Maple Heights', 'Outer Ring Road, Marathahalli', 'Bengaluru', 'Karnataka', '560037'),
  ('Dadi', 'Savitri Sharma', '9829000103', '7, Chandpole House', 'Kishanpole Bazar', 'Jaipur', 'Rajasthan', '302001'),
  ('Office', 'Priya Sharma, 3rd floor', '9845000104', 'Prestige Tower', 'Residency Road', 'Bengaluru', 'Karnataka', '560025')
) e (label, recipient_name, phone, building_no, street, city, state, zip)
where u.email = 'priya@example.com';

with people as (
  select p.user_id, p.city, p.state, p.zip, row_number() over (order by p.user_id) as place
  from public.user_profiles p
  where p.zip <> '' and p.city <> '' and p.state <> '' and p.user_id > '00000000-0000-4000-a000-000000000003'
)
insert into public.customer_addresses (user_id, label, recipient_name, phone, building_no, street, city, state, zip)
select p.user_id, e.label, e.recipient_name, '98' || lpad(((p.place * 7919 + e.n * 104729) % 100000000)::text, 8, '0'), e.building_no, e.street,
       p.city, p.state, p.zip
from people p
join (values (0, 'Nani', 'Kamala Devi', '12, Shanti Sadan', 'Temple Road'), (1, 'Office', 'Front desk, 4th floor', 'Sunrise Tower', 'Station Road'),
             (2, 'Bhaiya', 'Arjun Mehta', 'B-7, Ashok Nagar', 'Garden Lane'), (3, 'Maasi', 'Sunanda Kulkarni', '31, Gulmohar', 'Lake View Road')
     ) e (n, label, recipient_name, building_no, street) on e.n in (p.place % 4, p.place / 4 % 4)
where p.place % 3 = 1;

insert into private.consents (user_id, purpose, is_agreed, source, chosen_at)
select b.user_id, 'festival-reminders', true, case when b.place % 2 = 0 then 'profile' else 'order' end, now() - interval '90 days' + b.place * interval '17 hours'
from (select a.user_id, row_number() over (order by a.user_id) as place
      from (select distinct k.user_id from public.customer_addresses k) a) b
where b.place % 3 = 0;

-- Orders of Priya's that were delivered: to her mother and her brother.
with gifts as (
  select o.id, o.number, row_number() over (order by o.number desc) as place
  from public.orders o join auth.users u on u.id = o.user_id and u.email = 'priya@example.com'
  where o.status = 'Delivered' and o.source in ('cart', 'direct') and o.fulfilment = 'delivery'
  order by o.number desc limit 2
), sent as (
  insert into private.order_gifts (order_id, note, motif, sender_name, recipient_email)
  select g.id, case g.place when 1 then E'शुभ दीपावली, माँ!\nमिठाई सबके साथ बाँटना।' else 'Happy Rakhi, bhaiya! Save one for me.' end,
         case g.place when 1 then 'diwali' else 'rakhi' end, 'Priya', null
  from gifts g
)
update public.orders o
set delivery_name = a.recipient_name, delivery_phone = a.phone, delivery_building_no = a.building_no, delivery_street = a.street,
    delivery_zip = a.zip
from gifts g
join public.customer_addresses a on a.label = case g.place when 1 then 'Ma & Papa' else 'Rohit bhaiya' end and a.phone like '98450001%'
where o.id = g.id;

with gifts as (
  select o.id, a.*, o.number,
         -- Of the season in which it was sent.
         case extract(month from o.created_at at time zone 'Asia/Kolkata')
           when 10 then 'diwali' when 11 then 'diwali' when 8 then 'rakhi' when 3 then 'holi' when 12 then 'wedding' when 2 then 'wedding'
           else 'sweets' end as motif
  from public.orders o
  join lateral (
    select k.recipient_name, k.phone, k.building_no, k.street, k.city, k.state, k.zip from public.customer_addresses k
    where k.user_id = o.user_id and k.zip = o.delivery_zip and k.label <> 'Office' order by k.id offset o.number % 2 limit 1) a on true
  where o.source in ('cart', 'direct') and o.fulfilment = 'delivery' and o.payment_status = 'paid'
    and not exists (select from private.order_gifts g where g.order_id = o.id)
    and o.number % 4 <> 1
), sent as (
  insert into private.order_gifts (order_id, note, motif, sender_name, recipient_email)
  select g.id,
         case g.motif
           when 'diwali' then (array['शुभ दीपावली! आपके घर में हमेशा उजाला रहे।', 'Happy Diwali! Thinking of all of you.', ''])[1 + g.number % 3]
           when 'rakhi' then E'Happy Rakhi, Bhaiya!\nThe laddus are from me, the crumbs are for you.'
           when 'wedding' then 'Wishing you both a life as sweet as this box.'
           when 'holi' then 'Happy Holi! Save one gujiya for us.'
           else (array['Thinking of you. See you at Diwali.', 'Get well soon, and share if you must.', ''])[1 + g.number % 3] end,
         g.motif,
         split_part(private.person_name(o.user_id), ' ', 1), null
  from gifts g join public.orders o on o.id = g.id
)
update public.orders o
set delivery_name = g.recipient_name, delivery_phone = g.phone, delivery_building_no = g.building_no, delivery_street = g.street
from gifts g where o.id = g.id;
