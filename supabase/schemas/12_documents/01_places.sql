-- States of India by name, GST code and pincode: the place of supply of an invoice.
-- The rows come with the schema and never change; read when an invoice is issued.
set check_function_bodies = off;

-- The state codes of the GST law. domain/indian-states.ts has the same names, and a test compares the two.
create table private.gst_states (
  code text primary key check (code ~ '^[0-9]{2}$'),
  name text not null unique,
  -- Where the territory has no assembly, its own half of the tax is called UTGST.
  has_assembly boolean not null default true
);
alter table private.gst_states enable row level security;

insert into private.gst_states (code, name, has_assembly) values
  ('01', 'Jammu and Kashmir', true), ('02', 'Himachal Pradesh', true), ('03', 'Punjab', true),
  ('04', 'Chandigarh', false), ('05', 'Uttarakhand', true), ('06', 'Haryana', true), ('07', 'Delhi', true),
  ('08', 'Rajasthan', true), ('09', 'Uttar Pradesh', true), ('10', 'Bihar', true), ('11', 'Sikkim', true),
  ('12', 'Arunachal Pradesh', true), ('13', 'Nagaland', true), ('14', 'Manipur', true), ('15', 'Mizoram', true),
  ('16', 'Tripura', true), ('17', 'Meghalaya', true), ('18', 'Assam', true), ('19', 'West Bengal', true),
  ('20', 'Jharkhand', true), ('21', 'Odisha', true), ('22', 'Chhattisgarh', true), ('23', 'Madhya Pradesh', true),
  ('24', 'Gujarat', true), ('26', 'Dadra and Nagar Haveli and Daman and Diu', false), ('27', 'Maharashtra', true),
  ('29', 'Karnataka', true), ('30', 'Goa', true), ('31', 'Lakshadweep', false), ('32', 'Kerala', true),
  ('33', 'Tamil Nadu', true), ('34', 'Puducherry', true), ('35', 'Andaman and Nicobar Islands', false),
  ('36', 'Telangana', true), ('37', 'Andhra Pradesh', true), ('38', 'Ladakh', false);

-- Every spelling of a state, letters only, in lower case: looked up for each order.
create table private.state_words (
  letters text primary key check (letters ~ '^[a-z]+$'),
  code text not null references private.gst_states (code)
);
alter table private.state_words enable row level security;

insert into private.state_words (letters, code)
select regexp_replace(lower(s.name), '[^a-z]', '', 'g'), s.code from private.gst_states s
union all
select unnest(string_to_array(w.words, ' ')), w.code
from (values
  ('01', 'jk jandk jammukashmir jammu kashmir'), ('02', 'hp himachal'), ('03', 'pb panjab'), ('04', 'ch'),
  ('05', 'uk ua uttaranchal uttrakhand'), ('06', 'hr'), ('07', 'dl newdelhi nctofdelhi delhinct nct'), ('08', 'rj'),
  ('09', 'up'), ('10', 'br'), ('11', 'sk'), ('12', 'ar arunachal'), ('13', 'nl'), ('14', 'mn'), ('15', 'mz'),
  ('16', 'tr'), ('17', 'ml'), ('18', 'as'), ('19', 'wb bengal pashchimbanga'), ('20', 'jh'), ('21', 'od or orissa'),
  ('22', 'cg ct chattisgarh chhatisgarh'), ('23', 'mp'), ('24', 'gj gujrat'),
  ('26', 'dn dd dnhdd dadraandnagarhaveli dadranagarhaveli damananddiu damandiu daman diu'), ('27', 'mh maharastra'),
  ('29', 'ka karnatka'), ('30', 'ga'), ('31', 'ld'), ('32', 'kl'), ('33', 'tn tamilnad'),
  ('34', 'py pondicherry pondichery'), ('35', 'an andamanandnicobar andamannicobar andamannicobarislands'),
  ('36', 'ts tg telengana'), ('37', 'ap andhra'), ('38', 'la')
) as w (code, words);

-- States by pincode: the longest known prefix wins. domain/orders/state-of-pincode.ts has the same, and a test
-- compares the two.
create table private.pincode_states (
  beginning text primary key check (beginning ~ '^[1-9][0-9]{1,5}$'),
  code text not null references private.gst_states (code)
);
alter table private.pincode_states enable row level security;

insert into private.pincode_states (code, beginning)
select b.code, unnest(string_to_array(b.beginnings, ' '))
from (values
  ('07', '11'), ('06', '12 13'), ('03', '14 15 160055 160059 160062 160071'), ('04', '16'), ('02', '17'), ('01', '18 19'), ('38', '194'),
  ('09', '20 21 22 23 24 25 26 27 28'),
  ('05', '244712 244713 244715 246 247667 248 249 2625 2631 2632 2634 2635 2636'),
  ('08', '30 31 32 33 34'), ('24', '36 37 38 39'), ('26', '362520 362540 396193 396210 396220 396230 396235 396240'),
  ('27', '40 41 42 43 44'), ('30', '403'), ('23', '45 46 47 48'), ('22', '49'), ('36', '50'), ('37', '51 52 53'),
  ('29', '56 57 58 59'), ('33', '60 61 62 63 64'),
  ('34', '605001 605002 605003 605004 605005 605006 605007 605008 605009 605010 605011 605012 605013 605014'),
  ('34', '609602 673310 533464'),
  ('32', '67 68 69'), ('31', '68255'), ('19', '70 71 72 73 74'), ('11', '737'), ('35', '744'), ('21', '75 76 77'), ('18', '78'),
  ('12', '790 791 792'), ('17', '793 794'), ('14', '795'), ('15', '796'), ('13', '797 798'), ('16', '799'),
  ('10', '80 81 82 84 85'), ('20', '814 815 816 822 825 826 827 828 829 83')) as b (code, beginnings);

-- The code of the state that goods are sent to. A state as the customer wrote it is used unless the pincode
-- contradicts it: its postal circle, the first two digits, must have pincodes of that state too, as at the borders,
-- or be unknown. Otherwise the pincode decides, because the parcel goes there. null: neither is known. Without a
-- search path, so that queries inline it.
create function private.state_code(written text, pincode text) returns text
language sql stable as $$
  select case when w.code is null then p.code
              when p.code is null or p.code = w.code or exists (
                select from private.pincode_states n where n.code = w.code and left(n.beginning, 2) = left(pincode, 2)) then w.code
              else p.code end
  from (select (select s.code from private.state_words s
                where s.letters = regexp_replace(replace(lower(written), '&', 'and'), '[^a-z]', '', 'g')) as code) w,
       (select (select b.code from private.pincode_states b
                where b.beginning = any (array[pincode, left(pincode, 5), left(pincode, 4), left(pincode, 3), left(pincode, 2)])
                order by length(b.beginning) desc limit 1) as code) p;
$$;

create function private.state_named(code text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('code', s.code, 'name', s.name) from private.gst_states s where s.code = state_named.code;
$$;
