-- When a shop is open, in its own words: what a buyer reads under 'Ayuda'.
alter table merchants add column hours text not null default '';
