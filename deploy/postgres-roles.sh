#!/bin/sh
# Run once by the PostgreSQL image, when its volume is still empty: the application owns its
# database and is nothing else. The cluster's superuser has a password of its own.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set password="$COUVERT_PASSWORD" <<'SQL'
CREATE ROLE couvert LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
-- A server that was installed without a locale would make one of SQL_ASCII, which refuses some texts.
CREATE DATABASE couvert OWNER couvert ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE couvert FROM PUBLIC;
-- For disks without a moving head, and queries of milliseconds: docs/deploy.md.
ALTER ROLE couvert SET random_page_cost = 1.1;
ALTER ROLE couvert SET max_parallel_workers_per_gather = 0;
SQL
