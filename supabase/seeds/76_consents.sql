-- Choices about messages: Priya gets order updates on WhatsApp, tried news and stopped them by the link in an email; others chose some.
insert into private.consents (user_id, purpose, is_agreed, source, chosen_at)
select u.id, c.purpose, c.is_agreed, c.source, now() - c.ago
from auth.users u
cross join (values (1, 'news', true, 'checkout', interval '74 days'), (2, 'whatsapp', true, 'profile', interval '41 days'),
                   (3, 'news', false, 'email', interval '33 days'), (4, 'cart-reminders', true, 'profile', interval '12 days')
           ) c (n, purpose, is_agreed, source, ago)
where u.email = 'priya@example.com'
order by c.n;

insert into private.consents (user_id, purpose, is_agreed, source, chosen_at)
select p.user_id, c.purpose, true, 'checkout', now() - interval '60 days' + p.place * interval '11 hours'
from (select k.user_id, row_number() over (order by k.user_id) as place from public.user_profiles k where k.phone <> '') p
join (values (0, 'whatsapp'), (1, 'news'), (2, 'sms'), (3, 'cart-reminders')) c (n, purpose) on c.n = p.place % 5
where not exists (select from private.consents o where o.user_id = p.user_id and o.purpose = c.purpose);
