comment on index purchases_owing is 'a shop''s lists of what is late or due soon';
comment on index purchases_settled is 'a shop''s lists of what is paid off or cancelled';
comment on index buyers_by_name_words is 'a shop finds its buyer by words of their name';
