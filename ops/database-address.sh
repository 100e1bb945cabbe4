# Sourced by backup.sh and restore.sh: `url` from DATABASE_OWNER_URL or DATABASE_OWNER_URL_FILE, its password apart in PGPASSWORD, so that no
# list of processes shows it. Several hosts, `one:5432,two:5432`, are tried for the one that takes writes.

fail() {
  echo "$1" >&2
  exit 1
}

decoded() {
  printf '%s' "$1" | awk '
    function digit(char) { return index("0123456789abcdef", tolower(char)) - 1 }
    {
      out = ""
      while (match($0, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
        out = out substr($0, 1, RSTART - 1)
        out = out sprintf("%c", digit(substr($0, RSTART + 1, 1)) * 16 + digit(substr($0, RSTART + 2, 1)))
        $0 = substr($0, RSTART + 3)
      }
      printf "%s", out $0
    }'
}

url=${DATABASE_OWNER_URL:-}
if [ -z "$url" ] && [ -n "${DATABASE_OWNER_URL_FILE:-}" ]; then url=$(cat "$DATABASE_OWNER_URL_FILE"); fi
[ -n "$url" ] || fail 'Set DATABASE_OWNER_URL or DATABASE_OWNER_URL_FILE.'

case $url in
  *://*:*@*)
    user_and_password=${url#*://}
    user_and_password=${user_and_password%%@*}
    PGPASSWORD=$(decoded "${user_and_password#*:}")
    export PGPASSWORD
    url="${url%%://*}://${user_and_password%%:*}@${url#*@}"
    ;;
esac
case $url in
  *target_session_attrs=*) ;;
  *\?*) url="$url&target_session_attrs=read-write" ;;
  *) url="$url?target_session_attrs=read-write" ;;
esac

for program in pg_dump pg_restore psql; do
  command -v "$program" >/dev/null || fail "$program is not in PATH: install PostgreSQL's client programs."
done

# Runs SQL of its standard input; ends at the first error. $name="$value" become :'name'.
sql() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 "$@" "$url"
}
