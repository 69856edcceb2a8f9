-- A review in somebody else's name is refused by the policy, with 42501, whether or not that customer wrote one: the
-- trigger runs before the policy and must not answer for it.
create or replace function private.guard_comment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.is_service() then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if auth.uid() is null then
      raise insufficient_privilege using message = 'sign in to write a review';
    end if;
    if new.user_id = auth.uid()
       and exists (select from public.comments c where c.user_id = auth.uid() and c.product_id = new.product_id) then
      raise sqlstate 'PT409' using message = 'You have already reviewed this product. Edit your review instead.';
    end if;
    if not private.take_turn('review', auth.uid()::text, 5, interval '1 hour') then
      raise sqlstate 'PT429' using message = 'too many reviews: at most five an hour';
    end if;
    new.created_at := now();
    new.updated_at := null;
    new.hidden_at := null;
    return new;
  end if;
  if (new.id, new.rating, new.product_id, new.user_id, new.created_at)
     is distinct from (old.id, old.rating, old.product_id, old.user_id, old.created_at)
     or (new.content <> old.content and old.user_id <> auth.uid())
     or (new.hidden_at is distinct from old.hidden_at and not private.is_admin()) then
    raise sqlstate 'PT403' using message = 'only the text of a review can be changed';
  end if;
  if new.hidden_at is not distinct from old.hidden_at
     and not private.take_turn('review edit', auth.uid()::text, 20, interval '1 hour') then
    raise sqlstate 'PT429' using message = 'too many edits: at most twenty an hour';
  end if;
  new.updated_at := case when new.content <> old.content then now() else old.updated_at end;
  return new;
end $$;
