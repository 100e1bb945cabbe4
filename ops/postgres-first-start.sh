#!/bin/sh
# Run once by the postgres image, over an empty volume: the role of database_owner_url, no superuser, and its database. The
# server's role, of database_url, is the migration's to make.
set -eu
DATABASE_OWNER_URL_FILE=/run/secrets/database_owner_url
. /ops/database-address.sh
password=$PGPASSWORD
unset PGPASSWORD

psql --no-psqlrc --username="$POSTGRES_USER" --set=ON_ERROR_STOP=1 --set=password="$password" <<'SQL'
create role aparta login createrole password :'password';
create database aparta owner aparta;
SQL
