comment on index purchases_cancelled is 'how many of a shop''s purchases were cancelled on a day';
