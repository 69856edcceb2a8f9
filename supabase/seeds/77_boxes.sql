-- Boxes to fill: three sizes, and the sweets that keep their shape as single pieces.

insert into private.box_sizes (name, places, price, weight_grams, updated_at)
values ('Petite', 6, 40, 90, now() - interval '60 days'),
       ('Classic', 12, 70, 150, now() - interval '60 days'),
       ('Grand', 24, 120, 260, now() - interval '60 days');

insert into private.box_sweets (product_id, piece_grams, piece_image, updated_at)
select p."Id", w.grams, format('/images/pieces/%s-192.webp', w.slug), now() - interval '60 days'
from (values ('besan-laddu', 35), ('motichoor-laddu', 40), ('nariyal-laddu', 35), ('til-gud-laddu', 25), ('dry-fruit-laddu', 35),
             ('rava-laddu', 35), ('gond-laddu', 40), ('boondi-laddu', 40), ('filter-coffee-truffles', 18), ('rose-pistachio-truffles', 18),
             ('chocolate-barfi', 30), ('kaju-chocolate-katli', 20), ('karachi-halwa', 28), ('tirunelveli-halwa', 30)
     ) w (slug, grams)
join public."Products" p on p."Image" = format('/images/products/%s-960.webp', w.slug);
