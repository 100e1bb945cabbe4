#!/bin/sh
# Restores a backup into the empty database of DATABASE_OWNER_URL, whole or not at all, as the role that is to own it (with CREATEROLE,
# like the first migration). No server may be running; a migration before the first one lets its login in. What to do next is in docs/production.md.
set -eu
here=$(dirname "$0")
. "$here/database-address.sh"

file=${1:?Say which backup: restore.sh FILE}
[ -r "$file" ] || fail "$file cannot be read."
if [ -r "$file.sha256" ]; then
  (cd "$(dirname "$file")" && sha256sum --check --quiet "$(basename "$file").sha256") || fail "$file is damaged."
fi

found=$(
  sql <<'SQL'
select count(*) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
where nspname not like 'pg\_%' and nspname <> 'information_schema';
SQL
)
[ "$found" = 0 ] || fail 'The database is not empty: nothing was changed.'

# Roles belong to the server, not to a database, so no backup of one holds them.
sql <<'SQL'
do $$
declare
  needed text;
begin
  foreach needed in array array['aparta_app', 'aparta_worker', 'aparta_operator'] loop
    if not exists (select from pg_roles where rolname = needed) then execute format('create role %I nologin', needed); end if;
    execute format('grant %I to %I', needed, current_user);
  end loop;
  grant aparta_app to aparta_operator;
  execute format('grant connect on database %I to aparta_app', current_database());
end $$;
SQL

pg_restore --no-owner --exit-on-error --single-transaction --dbname="$url" "$file"

"$here/after-restore.sh" "$(basename "$file")"

taken=$(basename "$file" .dump)
echo "Restored $taken. Follow 'After a restore' in docs/production.md: its first step comes before the servers."
