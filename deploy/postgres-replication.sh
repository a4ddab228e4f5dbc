#!/bin/sh
# Run once by the PostgreSQL image of the primary: a role for the replica, and where it may come from.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set password="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE replication LOGIN REPLICATION PASSWORD :'password';
SQL
echo "host replication replication samenet scram-sha-256" >> "$PGDATA/pg_hba.conf"
