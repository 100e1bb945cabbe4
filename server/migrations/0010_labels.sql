-- What the newest printed label of each product says, so that those whose figures have changed can be found and replaced.
create table printed_labels (
  product_id bigint primary key references products,
  price_centavos bigint not null check (price_centavos > 0),
  deposit_centavos bigint not null check (deposit_centavos > 0),
  payments integer not null check (payments between 2 and 120), -- the deposit among them
  printed_at timestamptz not null default app_now()
);
grant select, insert, update on printed_labels to aparta_app;
