-- Money that left a card payment by another way than ours is found by reading it again; a key that the provider refuses is not
-- tried again until somebody says so.

alter table card_attempts add column read_again_at timestamptz default app_now() + interval '6 days'; -- null: nothing can leave it any more
create index card_attempts_to_read_again on card_attempts (read_again_at) where state in ('applied', 'returned');

alter table provider_credentials add column refused_at timestamptz; -- since when the provider refuses to refund with it
