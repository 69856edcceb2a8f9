-- Gives functions, tables and triggers names in the field's words (docs/decisions/0051). Rows, permissions and policies
-- stay as they are. Function bodies name each other as text, so each body that mentions an old name is created again
-- with the new one.
set check_function_bodies = off;

alter table private.turns rename to rate_limits;
alter table private.short_stock rename to low_stock;
alter table private.customer_crowds rename to large_customer_lists;
alter table private.search_meanings rename to search_synonym_words;
alter table private.search_words rename column bones to consonants;
alter table private.large_customer_lists rename column crowd to list;
alter index public.orders_to_give_back_idx rename to orders_refund_due_idx;
alter index private.search_words_bones_idx rename to search_words_consonants_idx;
alter table public.stock_movements rename constraint stock_movements_check2 to stock_movements_reserved_is_a_sale;
alter index private.search_meanings_group_idx rename to search_synonym_words_group_idx;
alter trigger stock_movements_forget_profit on public.stock_movements rename to stock_movements_invalidate_profit;
alter trigger refunds_forget_profit on private.refunds rename to refunds_invalidate_profit;
alter trigger refunds_change_forgets_profit on private.refunds rename to refunds_change_invalidates_profit;
alter trigger product_costs_forget_profit on private.product_costs rename to product_costs_invalidate_profit;
alter trigger placed_items_forget_profit on private.placed_items rename to placed_items_invalidate_profit;
alter trigger payments_forget_profit on private.payments rename to payments_invalidate_profit;
alter trigger payments_change_forgets_profit on private.payments rename to payments_change_invalidates_profit;
alter trigger orders_forget_profit on public.orders rename to orders_invalidate_profit;
alter trigger order_events_forget_profit on public.order_events rename to order_events_invalidate_profit;
alter trigger refunds_follow_sales_failed on private.refunds rename to refunds_invalidate_daily_sales_failed;
alter trigger refunds_follow_sales_decided on private.refunds rename to refunds_invalidate_daily_sales_decided;
alter trigger orders_follow_sales_placed on public.orders rename to orders_invalidate_daily_sales_placed;
alter trigger orders_follow_sales_moved on public.orders rename to orders_invalidate_daily_sales_moved;
alter trigger orders_follow_sales_canceled on public.orders rename to orders_invalidate_daily_sales_canceled;
alter trigger orders_follow_name_placed on public.orders rename to orders_index_name_placed;
alter trigger orders_follow_name_changed on public.orders rename to orders_index_name_changed;
alter trigger orders_keep_status_since on public.orders rename to orders_set_status_since;
alter trigger orders_undo on public.orders rename to orders_reverse_effects;
alter trigger stock_levels_tell_waiting on public.stock_levels rename to stock_levels_queue_back_in_stock;
alter trigger stock_levels_short_new on public.stock_levels rename to stock_levels_low_new;
alter trigger stock_levels_short on public.stock_levels rename to stock_levels_low;
alter trigger stock_levels_follow on public.stock_levels rename to stock_levels_update_availability;
alter trigger products_keep_margin_changed on public."Products" rename to products_update_margin_changed;
alter trigger products_keep_margin on public."Products" rename to products_update_margin;
alter trigger products_keep_availability on public."Products" rename to products_set_availability;
alter trigger products_remember_name on public."Products" rename to products_record_name;
alter trigger product_costs_keep_margin on private.product_costs rename to product_costs_update_margin;
alter trigger user_profiles_keep_card on public.user_profiles rename to user_profiles_update_card;
alter trigger comments_keep_rating on public.comments rename to comments_update_rating;
alter trigger expenses_take_back_repetition on public.expenses rename to expenses_restore_repetition;
alter trigger expenses_keep_repetition on public.expenses rename to expenses_set_repetition;
alter trigger categories_keep_fixed on public.categories rename to categories_guard_fixed;
alter trigger shop_settings_keep_gstin on public.shop_settings rename to shop_settings_guard_gstin;
alter trigger products_follow_category on public."Products" rename to products_invalidate_sales_spans;
alter trigger order_items_keep_placed on public.order_items rename to order_items_copy_placed;
alter trigger erasures_forget on private.erasures rename to erasures_erase_customer;
alter trigger orders_came_packed on public.orders rename to orders_inserted_as_packed;

create temporary table renamed (old_name text primary key, new_name text not null) on commit drop;
insert into renamed values
  ('private.take_turn', 'private.consume_rate_limit'),
  ('private.take_turns', 'private.consume_rate_limits'),
  ('private.refuse_change', 'private.reject_change'),
  ('private.refuse', 'private.reject'),
  ('private.refuse_problems', 'private.reject_problems'),
  ('private.refuse_payment', 'private.reject_payment'),
  ('private.payment_refusal', 'private.payment_rejection'),
  ('private.count_refusal', 'private.count_rejection'),
  ('private.undo_refusal', 'private.undo_rejection'),
  ('private.listing_refusal', 'private.listing_rejection'),
  ('private.say_refusal', 'private.describe_rejection'),
  ('private.guard_log', 'private.guard_audit_log'),
  ('private.is_blacked_out', 'private.is_redacted'),
  ('private.black_out', 'private.redact'),
  ('private.typed', 'private.validate_text'),
  ('private.typed_number', 'private.parse_number'),
  ('private.typed_link', 'private.validate_link'),
  ('private.typed_phone', 'private.validate_phone'),
  ('private.typed_shop_facts', 'private.validate_shop_facts'),
  ('private.typed_delivery', 'private.validate_delivery'),
  ('private.typed_lines', 'private.validate_lines'),
  ('private.uuid_in', 'private.parse_uuid'),
  ('private.bigint_in', 'private.parse_bigint'),
  ('private.rupees', 'private.format_rupees'),
  ('private.plain_rupees', 'private.format_plain_rupees'),
  ('private.rupees_of_paise', 'private.format_paise'),
  ('private.say_quantity', 'private.format_quantity'),
  ('private.say_stock', 'private.format_stock'),
  ('private.has_word', 'private.name_or_phone_condition'),
  ('private.note_session', 'private.record_session_use'),
  ('private.note_code', 'private.record_code'),
  ('private.may_refresh', 'private.can_refresh'),
  ('private.keep_gstin', 'private.guard_gstin_removal'),
  ('private.keep_fixed_categories', 'private.guard_fixed_categories'),
  ('private.remember_product_name', 'private.record_product_name'),
  ('private.true_offer', 'private.calculate_offer'),
  ('private.true_offer_of', 'private.calculate_draft_offer'),
  ('private.untrue_offer', 'private.offer_problem'),
  ('private.keep_rating', 'private.update_product_rating'),
  ('private.search_bones', 'private.search_consonants'),
  ('private.search_small_words', 'private.search_stop_words'),
  ('private.search_words_for_all', 'private.search_catalogue_words'),
  ('private.asks_for_absence', 'private.is_search_for_absence'),
  ('private.search_beside_veg', 'private.search_without_veg_mark'),
  ('private.follow_product_words', 'private.index_product_words'),
  ('private.follow_synonyms', 'private.index_synonyms'),
  ('private.know_words', 'private.add_search_words'),
  ('private.forget_unused_words', 'private.delete_unused_words'),
  ('private.enter_product_words', 'private.write_product_words'),
  ('private.meanings_of', 'private.synonyms_of'),
  ('private.is_plain_words', 'private.has_only_letters'),
  ('private.search_fits', 'private.search_matches'),
  ('private.promise', 'private.promise_delivery'),
  ('private.kept_promise', 'private.promise_at_payment'),
  ('private.survives', 'private.stays_fresh'),
  ('private.spoiled', 'private.products_that_spoil'),
  ('private.sent_instead', 'private.alternatives_to_send'),
  ('private.is_legal_move', 'private.is_allowed_move'),
  ('private.keep_status_since', 'private.set_status_since'),
  ('private.keep_placed_items', 'private.copy_placed_items'),
  ('private.is_kept', 'private.is_payment_retained'),
  ('private.follow_name', 'private.index_order_name'),
  ('private.words_of', 'private.name_words_of'),
  ('private.keep_order_words', 'private.index_order_words'),
  ('private.saleable', 'private.available_products'),
  ('private.checkout_answer', 'private.checkout_result'),
  ('private.settled_answer', 'private.settled_result'),
  ('private.count_answer', 'private.count_result'),
  ('private.free_stock', 'private.release_stock'),
  ('private.lapse_checkouts', 'private.release_expired_holds'),
  ('private.held_by', 'private.held_by_customer'),
  ('private.may_hold', 'private.can_hold_stock'),
  ('private.things_in', 'private.quote_contents'),
  ('private.give_back', 'private.refund_payment_in_full'),
  ('private.order_refund_tries', 'private.order_refund_attempts'),
  ('private.undo_order', 'private.reverse_order_effects'),
  ('private.keep_availability', 'private.set_availability'),
  ('private.open_stock', 'private.create_stock_level'),
  ('private.follow_stock', 'private.update_availability'),
  ('private.follow_short_stock', 'private.update_low_stock'),
  ('private.is_short', 'private.is_low_stock'),
  ('private.know_short_stock', 'private.rebuild_low_stock'),
  ('private.tell_waiting', 'private.queue_back_in_stock_emails'),
  ('private.keep_pace', 'private.update_sales_pace'),
  ('private.take_purchase', 'private.lock_purchase'),
  ('private.take_numbers', 'private.reserve_document_numbers'),
  ('private.forget_cost_of', 'private.delete_receipt_costs'),
  ('private.invoice_order_that_came_packed', 'private.invoice_order_inserted_as_packed'),
  ('private.spoken_for', 'private.pending_credits'),
  ('private.credit_called_off_order', 'private.credit_canceled_order'),
  ('private.place_in_invoice', 'private.invoice_line_position'),
  ('private.keep_repetition', 'private.set_repetition'),
  ('private.take_back_repetition', 'private.restore_repetition'),
  ('private.forget_profit', 'private.invalidate_profit'),
  ('private.forget_profit_day', 'private.invalidate_profit_day'),
  ('private.forget_takings', 'private.invalidate_order_profit'),
  ('private.unkept_days', 'private.missing_profit_days'),
  ('private.keep_profit_days', 'private.store_profit_days'),
  ('private.follow_account', 'private.update_card_of_account'),
  ('private.follow_profile', 'private.update_card_of_profile'),
  ('private.leave_crowds', 'private.subtract_deleted_customers'),
  ('private.move_from_crowd', 'private.subtract_changed_customer'),
  ('private.keep_crowds', 'private.count_large_customer_lists'),
  ('private.keep_card', 'private.update_customer_card'),
  ('private.know_everybody', 'private.rebuild_customers'),
  ('private.forget_customer', 'private.erase_customer'),
  ('private.erasure_hindrance', 'private.erasure_blocker'),
  ('private.follow_sales', 'private.invalidate_sales_of_row'),
  ('private.follow_category', 'private.invalidate_sales_spans'),
  ('private.forget_sales', 'private.invalidate_sales'),
  ('private.step_of', 'private.start_of_step'),
  ('private.add_up', 'private.calculate_sales'),
  ('private.add_up_products', 'private.calculate_product_sales'),
  ('private.add_up_cities', 'private.calculate_city_sales'),
  ('private.kept_until', 'private.stored_until'),
  ('private.last_kept_day', 'private.last_stored_day'),
  ('private.keep_steps', 'private.store_sales_steps'),
  ('private.keep_span', 'private.store_sales_span'),
  ('private.sum_up', 'private.total_sales'),
  ('private.follow_price', 'private.update_margin_of_product'),
  ('private.follow_cost', 'private.update_margin_of_cost'),
  ('private.keep_margin', 'private.update_margin'),
  ('private.urgency', 'private.job_priority'),
  ('private.check_pause', 'private.check_interval'),
  ('private.retry_pause', 'private.retry_delay'),
  ('private.lease_letters', 'private.lease_jobs'),
  ('private.tell_pages', 'private.invalidate_pages_always'),
  ('private.is_to_give_back', 'private.is_refund_due'),
  ('private.found_line', 'private.search_result'),
  ('private.recent_lines', 'private.recent_results'),
  ('private.items_in_short', 'private.summarize_items'),
  ('private.products_called', 'private.products_named'),
  ('private.beyond_order', 'private.cursor_condition'),
  ('private.order_as_seen', 'private.lock_unchanged_order'),
  ('private.lost_refund', 'private.refund_to_retry'),
  ('private.kept_because', 'private.deletion_blocker'),
  ('private.to_pack', 'private.units_to_pack'),
  ('public.keep_figures', 'public.refresh_figures'),
  ('public.note_missed_search', 'public.record_missed_search'),
  ('public.forget_addresses', 'public.delete_old_ip_hashes'),
  ('public.admin_forget_missed_search', 'public.admin_delete_missed_search'),
  ('public.admin_take_order', 'public.admin_create_phone_order'),
  ('public.admin_note_purchase', 'public.admin_save_purchase_note'),
  ('public.bound_due_times', 'public.correct_due_times'),
  ('private.shift_of', 'private.cutoff_window_start'),
  ('private.open_console_requests', 'private.grant_console_functions'),
  ('private.client_address', 'private.client_ip'),
  ('private.order_money', 'private.order_balance'),
  ('public.queue_figures', 'public.queue_metrics'),
  ('private.turns', 'private.rate_limits'),
  ('private.short_stock', 'private.low_stock'),
  ('private.customer_crowds', 'private.large_customer_lists'),
  ('private.search_meanings', 'private.search_synonym_words'),
  ('bones', 'consonants'),
  ('word_bones', 'word_consonants'),
  ('crowd', 'list'),
  ('turns_pkey', 'rate_limits_pkey');

do $rename$
declare
  changed record;
  key record;
  mentioned record;
  definition text;
begin
  -- Keys begin with the name of their table.
  for key in
    select c.conrelid::regclass as table_name, c.conname, split_part(r.new_name, '.', 2) || substr(c.conname, length(split_part(r.old_name, '.', 2)) + 1) as new_name
    from pg_temp.renamed r
    join pg_catalog.pg_constraint c on c.conrelid = to_regclass(r.new_name) and c.conname ^@ split_part(r.old_name, '.', 2)
  loop
    execute format('alter table %s rename constraint %I to %I', key.table_name, key.conname, key.new_name);
  end loop;
  for changed in
    select p.oid, split_part(r.old_name, '.', 2) as old_name, split_part(r.new_name, '.', 2) as new_name
    from pg_catalog.pg_proc p
    left join pg_temp.renamed r on r.old_name = p.pronamespace::regnamespace || '.' || p.proname
    where p.pronamespace in ('private'::regnamespace, 'public'::regnamespace)
      and (r.old_name is not null or exists (select from pg_temp.renamed o where strpos(p.prosrc, o.old_name) > 0))
  loop
    if changed.new_name is not null then
      execute format('alter function %s rename to %I', changed.oid::regprocedure, changed.new_name);
    end if;
    definition := pg_get_functiondef(changed.oid);
    for mentioned in select o.old_name, o.new_name from pg_temp.renamed o where strpos(definition, o.old_name) > 0 loop
      definition := regexp_replace(definition, '\m' || replace(mentioned.old_name, '.', '\.') || '\M', mentioned.new_name, 'g');
    end loop;
    if changed.new_name is not null then
      -- A body names its own arguments by its name.
      definition := regexp_replace(definition, '(?<![\w.])' || changed.old_name || '\.(?=\w)', changed.new_name || '.', 'g');
    end if;
    execute definition;
  end loop;
end $rename$;
