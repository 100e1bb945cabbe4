#!/bin/sh
# `archive.sh backup` copies the cluster, whole on Sundays and what changed since on other days; `archive.sh check` proves that a
# change of now reaches the archive. As postgres, on the machine of the database. The audit log says when, so that
# `aparta_archive_timestamp_seconds` can raise an alert when it stops.
set -eu

case ${1:-} in
  backup)
    if [ "$(date +%u)" = 7 ]; then type=full; else type=incr; fi
    pgbackrest --stanza=aparta --type="$type" backup
    ;;
  check) pgbackrest --stanza=aparta check ;;
  *)
    echo 'Say which: archive.sh backup | check' >&2
    exit 2
    ;;
esac
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=command="$1" --dbname=aparta <<'SQL'
insert into audit_log (actor, command, subject_kind, subject_id) values (session_user, 'archive ' || :'command', 'archive', 'aparta');
SQL
