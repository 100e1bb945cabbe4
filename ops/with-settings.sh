#!/bin/sh
# Runs a command with the settings of /etc/aparta, or of the folder APARTA_SETTINGS: each line of its production.env, each file of
# its secrets as NAME_FILE. For the operator's commands on a machine without containers.
set -eu
folder=${APARTA_SETTINGS:-/etc/aparta}
while IFS= read -r line || [ -n "$line" ]; do
  case $line in '#'*) continue ;; *=*) ;; *) continue ;; esac
  value=${line#*=}
  # As systemd and Docker do for the server: quotes around a value are not part of it.
  case $value in '"'*'"' | "'"*"'") value=${value#?} value=${value%?} ;; esac
  export "${line%%=*}=$value"
done <"$folder/production.env"
for file in "$folder"/secrets/*; do
  name=$(basename "$file" | tr '[:lower:]' '[:upper:]')
  export "${name}_FILE=$file"
done
exec "$@"
