#!/bin/bash
# Makes MemoryHub's two roles and its database when the PostgreSQL image starts for the first time.
set -euo pipefail

psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\getenv owner_password MEMORYHUB_OWNER_PASSWORD
\getenv app_password MEMORYHUB_APP_PASSWORD
CREATE ROLE memoryhub_owner LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'owner_password';
CREATE ROLE memoryhub_app LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD :'app_password';
CREATE DATABASE memoryhub OWNER memoryhub_owner;
\connect memoryhub
CREATE EXTENSION vector;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO memoryhub_app;
GRANT CONNECT ON DATABASE memoryhub TO memoryhub_app;
SQL
