# MemoryHub's commands: `make up` runs all of it, `make test` checks all of it, `make bench` measures
# recall and `make bench-write` measures writing.

PYTHON_IN_VENV := .venv/bin/python
MANAGE := $(PYTHON_IN_VENV) manage.py

.PHONY: up test lint venv browser bench bench-quality bench-speed bench-write
.DEFAULT_GOAL := up

# `exec`, so that signals reach the supervisor and not a shell before it.
up: .venv/run.stamp
	@exec $(PYTHON_IN_VENV) -m memoryhub.supervisor

test: .venv/dev.stamp browser lint
	@exec $(PYTHON_IN_VENV) -m pytest

venv: .venv/run.stamp

.venv/run.stamp: requirements.txt
	@.ci/venv requirements.txt
	@touch $@

.venv/dev.stamp: requirements-dev.txt requirements.txt
	@.ci/venv requirements-dev.txt
	@touch $@ .venv/run.stamp

.venv/bench.stamp: requirements-bench.txt requirements.txt
	@.ci/venv requirements-bench.txt
	@touch $@ .venv/run.stamp

# Recall, all of it or some parts: make bench PARTS="chinese absent" LOCOMO=FOLDER MEMORYBANK=FOLDER
# OPTIONS="--no-peers". Writing is measured apart, by bench-write: one table each.
bench: .venv/bench.stamp
	@exec $(PYTHON_IN_VENV) -m bench.recall $(PARTS) $(OPTIONS)

bench-quality: PARTS := quality chinese absent freshness
bench-quality: bench

bench-speed: PARTS := speed
bench-speed: bench

# Of the parts quality, locomo and speed, or all: make bench-write PARTS="quality speed"
bench-write: .venv/bench.stamp
	@exec $(PYTHON_IN_VENV) -m bench.write $(PARTS)

browser:
	@.ci/browser

# The checks load the settings but touch no server: these values open nothing.
lint: export MEMORYHUB_SECRET_KEY := a-key-for-the-checks-that-protects-nothing-at-all-0123
lint: export MEMORYHUB_FIELD_ENCRYPTION_KEY := YS1rZXktdGhhdC1wcm90ZWN0cy1ub3RoaW5nLWF0LWE=
lint: export MEMORYHUB_DATABASE_URL := postgresql://nobody@localhost/nothing
lint: export MEMORYHUB_REDIS_URL := redis://localhost:1/0
lint: export MEMORYHUB_HTTPS := true
lint: .venv/dev.stamp
	@$(PYTHON_IN_VENV) -m ruff check .
	@$(PYTHON_IN_VENV) -m ruff format --check .
	@$(PYTHON_IN_VENV) .venv/bin/lint-imports --no-logo
	@$(PYTHON_IN_VENV) -m mypy
	@$(MANAGE) makemigrations --check --dry-run
	@$(MANAGE) check --deploy --fail-level WARNING
	@$(MANAGE) spectacular --validate --fail-on-warn --file /dev/null
