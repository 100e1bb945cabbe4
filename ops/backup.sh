#!/bin/sh
# Backs the database up into BACKUP_DIR: one file of pg_dump's own format, whole or not there, with its checksum. Keeps the newest
# BACKUP_KEEP (30). The audit log says when, so that `aparta_backup_timestamp_seconds` can raise an alert when there is none.
set -eu
umask 077
here=$(dirname "$0")
. "$here/database-address.sh"

folder=${BACKUP_DIR:?Set BACKUP_DIR to where backups are kept.}
keep=${BACKUP_KEEP:-30}
case $keep in '' | *[!0-9]* | 0*) fail 'BACKUP_KEEP must be a number from 1 on.' ;; esac
mkdir -p "$folder"

name="aparta-$(date -u +%Y%m%dT%H%M%SZ).dump"
draft="$folder/.$name"
trap 'rm -f "$draft"' EXIT
pg_dump --format=custom --file="$draft" --dbname="$url"
pg_restore --list "$draft" >/dev/null
[ ! -e "$folder/$name" ] || fail "$folder/$name is there already."
mv "$draft" "$folder/$name"
(cd "$folder" && sha256sum "$name" >"$name.sha256")

bytes=$(wc -c <"$folder/$name" | tr -d ' ')
sql --set=actor="$(id -un 2>/dev/null || id -u)" --set=name="$name" --set=bytes="$bytes" <<'SQL'
insert into audit_log (actor, command, subject_kind, subject_id, detail)
values (:'actor', 'backup', 'backup', :'name', jsonb_build_object('bytes', :'bytes'::bigint));
SQL

# By their names, which sort by time: a machine that was off for long does not lose all of them.
ls "$folder" | grep '^aparta-[0-9]*T[0-9]*Z\.dump$' | sort -r | tail -n "+$((keep + 1))" |
  while read -r old; do rm -f "$folder/$old" "$folder/$old.sha256"; done

echo "$folder/$name ($bytes bytes)"
