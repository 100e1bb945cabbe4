-- What a label calls its product, to find the ones whose name changed; null on labels printed before this was kept.
alter table printed_labels add column product_name text;
