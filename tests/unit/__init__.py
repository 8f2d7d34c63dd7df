"""Pure logic, without a database."""
