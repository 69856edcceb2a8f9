-- These had a pinned search path until they were restated without it (say_the_gst_in_shipping).
alter function public.product_page(bigint) set search_path = '';
alter function private.order_facts(public.orders, text) set search_path = '';
alter function private.order_head(public.orders) set search_path = '';
alter function private.invoice_document(private.invoices) set search_path = '';
alter function private.receipt_document(public.orders) set search_path = '';
