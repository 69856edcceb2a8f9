-- The people of the demo shop. All of them are invented: addresses of mail are under example.*, phone numbers
-- are a plain sequence from 9000000001, and they sign in through the demo's own identity provider.

create function pg_temp.demo_user(seq integer) returns uuid
language sql immutable as $$
  select ('00000000-0000-4000-a000-' || lpad(seq::text, 12, '0'))::uuid;
$$;

create temporary table demo_people (
  seq integer primary key generated always as identity,
  name text not null,
  building_no text,
  street text,
  city text,
  state text,
  zip text
);
-- The first three are the accounts one signs in with: a customer, a customer who has not filled in a
-- profile yet (so that the address check can be tried), and the administrator.
insert into demo_people (name, building_no, street, city, state, zip) values
  ('Priya Sharma', 'Flat 12B, Lakeview Residency', '80 Feet Road, Koramangala', 'Bengaluru', 'Karnataka', '560034'),
  ('Rahul Verma', null, null, null, null, null),
  ('Asha Rao', '4 Tulsi Niwas', 'Ranade Road, Dadar West', 'Mumbai', 'Maharashtra', '400028'),
  ('Aarav Mehta', 'Flat 302, Sagar Kunj', 'Linking Road, Bandra West', 'Mumbai', 'Maharashtra', '400050'),
  ('Lakshmi Narayanan', 'No. 14', '3rd Main Road, Gandhi Nagar, Adyar', 'Chennai', 'Tamil Nadu', '600020'),
  ('Farhan Shaikh', '2nd floor, Noor Manzil', 'Clare Road, Byculla', 'Mumbai', 'Maharashtra', '400027'),
  ('Ananya Chatterjee', '27/1', 'Hindustan Park, Ballygunge', 'Kolkata', 'West Bengal', '700019'),
  ('Gurpreet Kaur Sandhu', 'House 118', 'Lawrence Road', 'Amritsar', 'Punjab', '143001'),
  ('Rohan Deshpande', 'B-6, Mayur Colony', 'Karve Road, Kothrud', 'Pune', 'Maharashtra', '411038'),
  ('Meera Nair', 'Villa 9', '4th Cross Road, Panampilly Nagar', 'Kochi', 'Kerala', '682036'),
  ('Vikram Singh Rathore', 'Plot 41', 'Sardar Patel Marg, C-Scheme', 'Jaipur', 'Rajasthan', '302001'),
  ('Sneha Kulkarni', 'A-203, Gulmohar Park', 'ITI Road, Aundh', 'Pune', 'Maharashtra', '411007'),
  ('Joseph D''Souza', '7 Rosary Cottage', 'Chapel Road, Bandra West', 'Mumbai', 'Maharashtra', '400050'),
  ('Divya Reddy', '8-2-120', 'Road No. 2, Banjara Hills', 'Hyderabad', 'Telangana', '500034'),
  ('Imran Qureshi', '16 Nawab Gali', 'Lalbagh, Hazratganj', 'Lucknow', 'Uttar Pradesh', '226001'),
  ('Nisha Patel', '5 Amul Society', 'University Road, Navrangpura', 'Ahmedabad', 'Gujarat', '380009'),
  ('Karthik Subramanian', '62A', 'D.B. Road, R.S. Puram', 'Coimbatore', 'Tamil Nadu', '641002'),
  ('Pooja Agarwal', 'KD-77', 'Rani Bagh Road, Pitampura', 'Delhi', 'Delhi', '110034'),
  ('Debashish Mohanty', 'Plot 215', 'Janpath, Saheed Nagar', 'Bhubaneswar', 'Odisha', '751007'),
  ('Ayesha Khan', 'E-3/88', 'Bittan Market Road, Arera Colony', 'Bhopal', 'Madhya Pradesh', '462016'),
  ('Harsh Vora', '1104, Shanti Heights', 'M.G. Road, Ghatkopar East', 'Mumbai', 'Maharashtra', '400077'),
  ('Ritu Bansal', 'House 642', 'Sector 14', 'Gurugram', 'Haryana', '122001'),
  ('Mathew Varghese', 'Puthenpurackal House', 'K.K. Road', 'Kottayam', 'Kerala', '686001'),
  ('Bhavna Joshi', '3 Panchvati Society', 'Dr Yagnik Road', 'Rajkot', 'Gujarat', '360001'),
  ('Sourav Banerjee', '11 Deshbandhu Para', 'Sevoke Road', 'Siliguri', 'West Bengal', '734001'),
  ('Freny Batliwala', '805 Firdaus Building', 'Jam-e-Jamshed Road, Dadar Parsi Colony', 'Mumbai', 'Maharashtra', '400014'),
  ('Manoj Kumar Yadav', 'Flat 4C, Ganga Apartment', 'Boring Road', 'Patna', 'Bihar', '800001'),
  ('Kavita Hegde', '5-7-712', 'Hampankatta', 'Mangaluru', 'Karnataka', '575001'),
  ('Tenzin Dolma', 'Upper Sichey', 'Indira Bypass', 'Gangtok', 'Sikkim', '737101'),
  ('Rajesh Pillai', 'TC 14/1203', 'Vazhuthacaud Road', 'Thiruvananthapuram', 'Kerala', '695001'),
  ('Swati Jain', '19 Snehlataganj', 'Jail Road', 'Indore', 'Madhya Pradesh', '452001'),
  ('Nilesh Gaikwad', 'Row House 3', 'College Road', 'Nashik', 'Maharashtra', '422001'),
  ('Harleen Bedi', 'House 1188', 'Sector 35-B', 'Chandigarh', 'Chandigarh', '160022'),
  ('Arjun Menon', '203, Palm Court', '100 Feet Road, Indiranagar', 'Bengaluru', 'Karnataka', '560038'),
  ('Shalini Iyer', '9 Sri Krupa', 'Bhandarkar Road, Matunga', 'Mumbai', 'Maharashtra', '400019'),
  ('Mohammed Ashraf', 'Beach View House', 'Mananchira', 'Kozhikode', 'Kerala', '673001'),
  ('Bhumika Shah', 'C-404, Silver Arc', 'Ghod Dod Road', 'Surat', 'Gujarat', '395007'),
  ('Anjali Saxena', 'B-92', 'Sector 50', 'Noida', 'Uttar Pradesh', '201301'),
  ('Ranjit Borah', 'House 6', 'G.S. Road, Dispur', 'Guwahati', 'Assam', '781005'),
  ('Sunita Rathod', '45 Shivaji Nagar', 'West High Court Road', 'Nagpur', 'Maharashtra', '440010'),
  ('Prakash Shetty', '12 Udaygiri', 'Old Nagardas Road, Andheri East', 'Mumbai', 'Maharashtra', '400069'),
  ('Geeta Rawat', '8/2', 'Rajpur Road', 'Dehradun', 'Uttarakhand', '248001'),
  ('Venkatesh Rao', '10-50-19', 'Waltair Main Road', 'Visakhapatnam', 'Andhra Pradesh', '530003'),
  ('Simran Ahluwalia', 'M-27', 'M Block, Greater Kailash 1', 'Delhi', 'Delhi', '110048'),
  ('Kiran Pawar', '1241 C Ward', 'Laxmipuri', 'Kolhapur', 'Maharashtra', '416001'),
  ('Lalrinpuii Hmar', 'H. No. C-31', 'Zarkawt Main Street', 'Aizawl', 'Mizoram', '796001'),
  ('Deepak Choudhary', '22 Sardarpura', '3rd C Road', 'Jodhpur', 'Rajasthan', '342001'),
  ('Ishita Ghosh', 'CF-150', 'Sector 1, Salt Lake', 'Kolkata', 'West Bengal', '700064'),
  ('Maria Fernandes', 'House 18', 'Rua de Ourem, Fontainhas', 'Panaji', 'Goa', '403001'),
  ('Suresh Babu', '40-1-52', 'M.G. Road, Labbipet', 'Vijayawada', 'Andhra Pradesh', '520010'),
  ('Hetal Desai', '14 Vishwas Colony', 'R.C. Dutt Road, Alkapuri', 'Vadodara', 'Gujarat', '390007'),
  ('Abdul Rahman Siddiqui', 'Room 5, Madina Chawl', 'L.B.S. Road, Kurla West', 'Mumbai', 'Maharashtra', '400070'),
  ('Neelam Thakur', 'Deodar Cottage', 'Lakkar Bazaar', 'Shimla', 'Himachal Pradesh', '171001'),
  ('Yash Malhotra', '1702, Lakeside Towers', 'Central Avenue, Hiranandani Gardens, Powai', 'Mumbai', 'Maharashtra', '400076'),
  ('Padma Krishnan', '31', 'West Masi Street', 'Madurai', 'Tamil Nadu', '625001'),
  ('Rakesh Tiwari', 'B 27/88', 'Durgakund Road', 'Varanasi', 'Uttar Pradesh', '221005'),
  ('Amrita Dutta', '6 Circular Court', 'Circular Road, Lalpur', 'Ranchi', 'Jharkhand', '834001'),
  ('Jignesh Parmar', '503, Om Jyoti', 'L.T. Road, Borivali West', 'Mumbai', 'Maharashtra', '400092'),
  ('Chaitra Gowda', '1087', 'Devaraj Urs Road', 'Mysuru', 'Karnataka', '570001'),
  ('Omkar Sawant', 'B-12, Vasant Vihar', 'Pokhran Road No. 2', 'Thane', 'Maharashtra', '400601'),
  ('Rukhsana Bano', 'House 54', 'Residency Road, Rajbagh', 'Srinagar', 'Jammu and Kashmir', '190001'),
  ('Vivek Mishra', 'HIG 11', 'Shankar Nagar Main Road', 'Raipur', 'Chhattisgarh', '492001'),
  ('Tanvi Bhosale', '2 Shree Sadan', 'Gokhale Road, Dadar West', 'Mumbai', 'Maharashtra', '400028');

-- What each says of itself at sign-in, and when it came: the shop gains a customer about every eight days, in this order.
create temporary table demo_accounts as
select p.seq, pg_temp.demo_user(p.seq) as id, p.name, n.first || '-' || n.last as user_name,
       case when p.seq <= 3 then n.first || '@example.com'
            else format('%s.%s@example.%s', n.first, n.last, (array['com', 'net', 'org'])[1 + p.seq % 3]) end as email,
       case when p.seq <= 3 then 1000 + p.seq else 1997 + p.seq end::text as provider_id,
       case when p.seq <= 3 then now() - interval '16 months'
            else now() - interval '500 days' + (p.seq - 4) * interval '188 hours' end as joined_at
from demo_people p,
lateral (
  select split_part(w.words, ' ', 1) as first, substring(w.words from '[^ ]+$') as last
  from (select lower(replace(p.name, '''', '')) as words) w
) n;

-- The empty tokens are not decoration: the hosted auth server cannot read a null there.
insert into auth.users (
  id, aud, role, email, email_confirmed_at, confirmation_token, recovery_token, email_change,
  email_change_token_new, email_change_token_current, phone_change, phone_change_token, reauthentication_token,
  raw_app_meta_data, raw_user_meta_data, last_sign_in_at, created_at, updated_at)
select a.id, 'authenticated', 'authenticated', a.email, a.joined_at, '', '', '', '', '', '', '', '',
       '{"provider": "github", "providers": ["github"]}'::jsonb,
       jsonb_build_object('sub', a.provider_id, 'provider_id', a.provider_id, 'name', a.name, 'full_name', a.name,
                          'user_name', a.user_name, 'preferred_username', a.user_name,
                          'email', a.email, 'email_verified', true, 'phone_verified', false),
       a.joined_at, a.joined_at, a.joined_at
from demo_accounts a;

insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at, updated_at)
select ('00000000-0000-4000-b000-' || lpad(a.seq::text, 12, '0'))::uuid, 'github', a.provider_id, a.id,
       u.raw_user_meta_data, a.joined_at, a.joined_at, a.joined_at
from demo_accounts a join auth.users u on u.id = a.id;

-- The hosted auth server finds only accounts of its own instance, a column the embedded one does not have.
do $$
begin
  if exists (select from information_schema.columns
             where table_schema = 'auth' and table_name = 'users' and column_name = 'instance_id') then
    update auth.users set instance_id = '00000000-0000-0000-0000-000000000000'
    where instance_id is null and id in (select a.id from demo_accounts a);
  end if;
end $$;

insert into private.administrators (user_id, granted_at)
select a.id, a.joined_at from demo_accounts a where a.name = 'Asha Rao';

insert into public.user_profiles (user_id, phone, building_no, street, city, state, zip, created_at)
select a.id, (9000000000 + p.seq)::text, p.building_no, p.street, p.city, p.state, p.zip, a.joined_at
from demo_people p join demo_accounts a using (seq)
where p.zip is not null;

insert into private.customer_records (user_id, notes, tags) values
  (pg_temp.demo_user(1), 'Likes the boxes without printed prices: most of them are presents.', '{regular}'),
  (pg_temp.demo_user(4), 'Buys for the whole building at Diwali. Call in September about the list.', '{regular,bulk}'),
  (pg_temp.demo_user(14), 'Nut allergy in the family: only Nariyal Laddu, packed first.', '{allergy}'),
  (pg_temp.demo_user(21), 'Office in Ghatkopar, pays by bank transfer within the week.', '{office,bulk}'),
  (pg_temp.demo_user(35), 'Prefers evening deliveries after six.', '{regular}');
-- One customer is blocked, so that the refusal at the checkout can be tried.
insert into private.customer_records (user_id, notes, tags, blocked_at, blocked_reason) values
  (pg_temp.demo_user(47), 'Three parcels refused at the door in one month.', '{returns}', now() - interval '2 days',
   'Repeatedly refused parcels at the door');

drop table demo_people, demo_accounts;
drop function pg_temp.demo_user(integer);
