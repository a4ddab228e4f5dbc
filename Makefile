# Every chore has one name here; the work itself is done in bin/.

.DEFAULT_GOAL := help
PYTHON := .venv/bin/python
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.PHONY: help run setup test test-unit test-browser test-faults check messages bench screenshots clean

help: ## list the chores
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: setup ## start everything on this machine, with a sandbox to play in
	@exec $(PYTHON) -m bin.run

setup: ## the virtual environment, the dependencies, .env, the database
	@bin/setup

test: setup ## all tests, on SQLite and (when installed) on PostgreSQL and Redis
	@$(PYTHON) -m bin.test

test-unit: setup ## the quick tests only, on SQLite
	@$(PYTHON) -m pytest -n auto -m "not browser and not faults and not slow and not long"

test-browser: setup ## the tests that drive Chromium, on SQLite
	@$(PYTHON) -m pytest -n auto -m browser

test-faults: setup ## the tests that kill processes and break networks
	@$(PYTHON) -m bin.test -m "faults or slow or long"

check: setup ## style, types, import contracts, templates, migrations, deployment
	@bin/check

messages: setup ## collect the sentences to translate into locale/ (needs gettext)
	@$(PYTHON) -m bin.messages collect

bench: setup ## measure, and write docs/performance.md
	@$(PYTHON) -m tests.bench

screenshots: setup ## pictures of every page into var/screenshots, to be looked at
	@$(PYTHON) -m tests.screenshots

clean: ## remove what the other chores made, except .env and var/
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache test-results
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
