-- Which state a delivery goes to, by the code that tax documents use. Written here and nowhere else; read when an order is
-- packed. domain/indian-states.ts and domain/orders/state-of-pincode.ts know the same names and pincodes, and a test
-- compares them.

-- The codes of the GST law, and what people write instead of the name: letters only, in small.
create table private.gst_states (
  code text primary key check (code ~ '^[0-9]{2}$'),
  name text not null unique,
  -- Where the territory has no assembly, its own half of the tax is called UTGST.
  has_assembly boolean not null default true,
  also text[] not null default '{}'
);
alter table private.gst_states enable row level security;
insert into private.gst_states (code, name, has_assembly, also) values
  ('01', 'Jammu and Kashmir', true, '{jk,jandk,jammukashmir,jammu,kashmir}'),
  ('02', 'Himachal Pradesh', true, '{hp,himachal}'),
  ('03', 'Punjab', true, '{pb,panjab}'),
  ('04', 'Chandigarh', false, '{ch}'),
  ('05', 'Uttarakhand', true, '{uk,ua,uttaranchal,uttrakhand}'),
  ('06', 'Haryana', true, '{hr}'),
  ('07', 'Delhi', true, '{dl,newdelhi,nctofdelhi,delhinct,nct}'),
  ('08', 'Rajasthan', true, '{rj}'),
  ('09', 'Uttar Pradesh', true, '{up}'),
  ('10', 'Bihar', true, '{br}'),
  ('11', 'Sikkim', true, '{sk}'),
  ('12', 'Arunachal Pradesh', true, '{ar,arunachal}'),
  ('13', 'Nagaland', true, '{nl}'),
  ('14', 'Manipur', true, '{mn}'),
  ('15', 'Mizoram', true, '{mz}'),
  ('16', 'Tripura', true, '{tr}'),
  ('17', 'Meghalaya', true, '{ml}'),
  ('18', 'Assam', true, '{as}'),
  ('19', 'West Bengal', true, '{wb,bengal,pashchimbanga}'),
  ('20', 'Jharkhand', true, '{jh}'),
  ('21', 'Odisha', true, '{od,or,orissa}'),
  ('22', 'Chhattisgarh', true, '{cg,ct,chattisgarh,chhatisgarh}'),
  ('23', 'Madhya Pradesh', true, '{mp}'),
  ('24', 'Gujarat', true, '{gj,gujrat}'),
  ('26', 'Dadra and Nagar Haveli and Daman and Diu', false, '{dn,dd,dnhdd,dadraandnagarhaveli,dadranagarhaveli,damananddiu,damandiu,daman,diu}'),
  ('27', 'Maharashtra', true, '{mh,maharastra}'),
  ('29', 'Karnataka', true, '{ka,karnatka}'),
  ('30', 'Goa', true, '{ga}'),
  ('31', 'Lakshadweep', false, '{ld}'),
  ('32', 'Kerala', true, '{kl}'),
  ('33', 'Tamil Nadu', true, '{tn,tamilnad}'),
  ('34', 'Puducherry', true, '{py,pondicherry,pondichery}'),
  ('35', 'Andaman and Nicobar Islands', false, '{an,andamanandnicobar,andamannicobar,andamannicobarislands}'),
  ('36', 'Telangana', true, '{ts,tg,telengana}'),
  ('37', 'Andhra Pradesh', true, '{ap,andhra}'),
  ('38', 'Ladakh', false, '{la}');

-- Every way to write a state: looked up for each order, so it is kept ready.
create table private.state_words (
  letters text primary key check (letters ~ '^[a-z]+$'),
  code text not null references private.gst_states (code)
);
alter table private.state_words enable row level security;
insert into private.state_words (letters, code)
select regexp_replace(lower(s.name), '[^a-z]', '', 'g'), s.code from private.gst_states s
union all
select unnest(s.also), s.code from private.gst_states s;
alter table private.gst_states drop column also;

-- By the longest known beginning.
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

-- The code of the state that goods go to. A state as somebody wrote it is believed where the pincode does not speak
-- against it: where its postal circle, the first two digits, has pincodes of that state too, as at the edges of states, or
-- nobody knows the pincode. Otherwise the pincode decides: the parcel goes there. null: neither says anything. Without a
-- search path of its own, so that it becomes part of the query that calls it.
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
revoke execute on function private.state_code(text, text) from public;
