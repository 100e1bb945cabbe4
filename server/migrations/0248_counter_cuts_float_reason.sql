-- A cut says why its float is another than that of the drawer's cut before, beside why its count differs: whoever reads the cut saw
-- nothing of it. Nothing of cuts from before.
alter table counter_cuts
  add column float_reason text,
  add constraint counter_cuts_float_reason_check check (char_length(float_reason) between 3 and 200) not valid;
comment on column counter_cuts.float_reason is 'why the float is another than that of the cut before';
