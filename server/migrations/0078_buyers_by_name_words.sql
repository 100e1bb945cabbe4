-- outside a transaction
-- A shop finds its buyer by words of their name.
create index concurrently buyers_by_name_words on buyers using gin (name_words(name));
