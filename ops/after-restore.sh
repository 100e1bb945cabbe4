#!/bin/sh
# Moves a database that came back from the past on, before any server runs: restore.sh ends with it; after a restore to a point in
# time it is run by hand. NAME is what came back, for the audit log.
set -eu
here=$(dirname "$0")
. "$here/database-address.sh"

name=${1:?Say what was restored: after-restore.sh NAME}

# A cluster that is led back to a moment answers long before it takes changes. An hour, then a person looks at PostgreSQL's log.
waited=0
until reason=$(LC_ALL=C sql --command='select' 2>&1); do
  case $reason in *read-only*) ;; *) fail "$reason" ;; esac
  [ "$waited" -lt 3600 ] || fail "$reason"
  [ "$waited" -gt 0 ] || echo 'The database takes no changes yet; waiting.'
  sleep 1
  waited=$((waited + 1))
done

# Who was erased since is back: signed out and without an address to sign in with until 'buyer erase-again' has run.
erased=
if [ -n "${ERASURES_FILE:-}" ] && [ -r "$ERASURES_FILE" ]; then
  erased=$(awk '$2 ~ /^[1-9][0-9]*$/ { printf "%s%s", comma, $2; comma = "," }' "$ERASURES_FILE")
fi

sql --set=erased="$erased" --set=actor="$(id -un 2>/dev/null || id -u)" --set=name="$name" <<'SQL'
begin;
-- Numbers that were given out after the backup are on paper and in emails: never again.
do $$
declare
  numbers regclass;
begin
  for numbers in select oid::regclass from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace loop
    execute format('select setval(%L, (select last_value from %s) + 1000000)', numbers, numbers);
  end loop;
end $$;
-- Nor places in the books: readers go on from theirs, and another cluster counts its transactions anew.
do $$
begin
  execute format('create or replace function journal_shift() returns bigint language sql immutable as %L',
    format('select %s::bigint', (select coalesce(max(position), 0) + 1000000 from ledger_events)));
end $$;
-- Whoever held these is another server's worker.
update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null;
update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null;
-- Card payments that came after the backup are known to the provider: found as soon as a server runs.
select graphile_worker.add_job('sweep_card_payments') is not null \g /dev/null
delete from sessions where buyer_id = any (string_to_array(:'erased', ',')::bigint[]);
update buyers set email = 'erased-' || id || '-' || gen_random_uuid() || '@erased.invalid' where id = any (string_to_array(:'erased', ',')::bigint[]) and erased_at is null;
-- Cuts and settlement reports, whose numbers come from no sequence, jump by what this says.
insert into audit_log (actor, command, subject_kind, subject_id) values (:'actor', 'restore', 'restore', :'name');
commit;
set client_min_messages = error; -- of the server's own tables, which are not ours to read
analyze;
SQL
# Helpers are on the list too. Without it nobody can tell: it may have been left on the machine that was lost.
if [ -n "${ERASURES_FILE:-}" ] && [ ! -r "$ERASURES_FILE" ]; then
  echo "$ERASURES_FILE cannot be read: if anybody was ever erased, bring it before any server runs, then: buyer erase-again FILE"
elif [ -s "${ERASURES_FILE:-}" ]; then
  echo "Before any server runs, erase again who was erased since: buyer erase-again $ERASURES_FILE"
fi
