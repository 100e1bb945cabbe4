-- An owner adds and changes products at the counter. `version` tells two who change one at once apart; `request_id` is the
-- press that added it, so that a repeated one adds nothing.
alter table products add column version integer not null default 1;
alter table products add column request_id uuid;

grant insert (merchant_id, name, description, sku, sale_price_centavos, iva_basis_points, invoicing_product_uuid, request_id)
  on products to aparta_app;
grant update (name, description, sku, sale_price_centavos, iva_basis_points, invoicing_product_uuid, withdrawn_at, version)
  on products to aparta_app;
