#!/bin/sh
# Prepares a new database server for Muniment: the roles with their passwords, the extensions, the
# owner. The official image runs it once, when its volume is empty. By hand it is what
# docs/how-to/external-postgres.md describes in steps 1 and 3.
set -eu

psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
\getenv dba DBA_PASSWORD
\getenv app APP_PASSWORD
\getenv worker WORKER_PASSWORD
\getenv database POSTGRES_DB
CREATE ROLE muniment_dba LOGIN CREATEROLE PASSWORD :'dba';
CREATE ROLE muniment_app LOGIN PASSWORD :'app';
CREATE ROLE muniment_worker LOGIN PASSWORD :'worker';
GRANT muniment_app, muniment_worker TO muniment_dba WITH ADMIN TRUE, INHERIT FALSE, SET FALSE;
ALTER DATABASE :"database" OWNER TO muniment_dba;
CREATE EXTENSION vector;
CREATE EXTENSION btree_gist;
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC;
REVOKE CONNECT ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT ON DATABASE :"database" TO muniment_app, muniment_worker;
SQL
