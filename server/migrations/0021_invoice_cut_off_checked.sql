-- No merchant has one yet.
alter table merchants validate constraint merchants_invoice_cut_off_days_check;
