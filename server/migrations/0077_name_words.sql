-- The words of a name as people type them: in small letters and without accents.
create function name_words(name text) returns tsvector language sql immutable parallel safe
  return to_tsvector('pg_catalog.simple'::regconfig,
    regexp_replace(translate(lower(name), 'áàâäãéèêëíìîïóòôöõúùûüñç', 'aaaaaeeeeiiiiooooouuuunc'), '[^[:alnum:]]+', ' ', 'g'));
-- Finds names that have, for each of these words, one that begins with it; null for no word.
create function name_query(typed text) returns tsquery language sql immutable parallel safe
  return (select string_agg(word || ':*', ' & ') from unnest(tsvector_to_array(name_words(typed))) word)::tsquery;
