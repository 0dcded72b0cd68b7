-- Roles and databases, made by an administrator. Braces stand for identifiers and literals.

-- name: roles_existing
SELECT rolname FROM pg_roles WHERE rolname = ANY(%(names)s);

-- name: role_login
ALTER ROLE {} LOGIN PASSWORD {};

-- name: database_exists
SELECT EXISTS (SELECT FROM pg_database WHERE datname = %(name)s);

-- name: database_copy
CREATE DATABASE {} TEMPLATE {};

-- name: database_create
CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8';

-- name: database_drop
DROP DATABASE IF EXISTS {} WITH (FORCE);

-- name: database_rename
ALTER DATABASE {} RENAME TO {};
