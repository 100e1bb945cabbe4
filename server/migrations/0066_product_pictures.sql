-- What a product looks like: one picture, drawn anew by the server in two sizes. `content` names it, so that its address
-- changes with it and may be kept for ever.
create table product_pictures (
  product_id bigint primary key references products (id),
  content text not null constraint product_pictures_content_is_a_hash check (content ~ '^[0-9a-f]{32}$'),
  small bytea not null constraint product_pictures_small_is_small check (octet_length(small) <= 65536),
  large bytea not null constraint product_pictures_large_is_bounded check (octet_length(large) <= 1048576),
  set_at timestamptz not null default app_now()
);
grant select, delete on product_pictures to aparta_app;
grant insert (product_id, content, small, large), update (content, small, large, set_at) on product_pictures to aparta_app;
