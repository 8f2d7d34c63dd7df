"""The tests: each proves a promise. They run against the real stack, as the application role."""
