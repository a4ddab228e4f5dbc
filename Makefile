# Every chore has one name here; the work itself is done in bin/.

.DEFAULT_GOAL := help
# Not named PYTHON: that one is the reader's own, and bin/setup makes the environment with it.
VENV_PYTHON := .venv/bin/python
# Every test process would compile the code anew.
unexport PYTHONDONTWRITEBYTECODE
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Neither browsers nor the sandbox, which is tested by itself: they are not even read.
QUICK := --ignore=tests/browser --ignore-glob='sandbox/tests/*' -p no:schemathesis -m "not faults and not slow and not long and not walk"

.PHONY: help run start runtime tools setup test test-unit test-browser test-faults trial-cluster check messages lock sbom audit bench screenshots clean

help: ## list the chores
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: runtime ## start everything on this machine, with a sandbox to play in
	@exec $(VENV_PYTHON) -m bin.run

start: runtime ## start everything without the demo, to connect your own account
	@exec $(VENV_PYTHON) -m bin.run --empty

runtime: # without what only tests need; `make run` brings the database up to date by itself
	@bin/setup runtime

tools:
	@bin/setup

setup: tools ## the virtual environment, the dependencies, .env, the database
	@$(VENV_PYTHON) -m bin.database

test: tools ## all tests, on SQLite and (when installed) on PostgreSQL and Redis
	@$(VENV_PYTHON) -m bin.test

test-unit: tools ## the quick tests only, on SQLite
	@$(VENV_PYTHON) -m pytest -n auto --dist worksteal $(QUICK)

test-browser: tools ## the tests that drive Chromium, on SQLite
	@$(VENV_PYTHON) -m pytest -n auto --dist worksteal -m browser

test-faults: tools ## the tests that kill processes and break networks
	@$(VENV_PYTHON) -m bin.test -m "faults or slow or long"

trial-cluster: tools ## break the parts of a cluster, one by one (as root, on Linux; also TRIAL=upgrade, restore, shares)
	@$(VENV_PYTHON) -m tests.cluster $(or $(TRIAL),faults)

check: tools ## style, types, import contracts, templates, migrations, deployment
	@bin/check

messages: tools ## collect the sentences to translate into locale/ (needs gettext)
	@$(VENV_PYTHON) -m bin.messages collect

lock: tools ## write the exact versions and hashes of all packages (after a change of requirements*.txt)
	@$(VENV_PYTHON) -m bin.dependencies lock

sbom: tools ## write sbom.json, what an installation consists of (CycloneDX)
	@$(VENV_PYTHON) -m bin.dependencies sbom

audit: tools ## look each package up among published faults (needs a network)
	@$(VENV_PYTHON) -m bin.dependencies audit

bench: tools ## measure, and write docs/performance.md
	@$(VENV_PYTHON) -m tests.bench

screenshots: tools ## pictures of every page into var/screenshots, to be looked at
	@$(VENV_PYTHON) -m tests.screenshots

clean: ## remove what the other chores made, except .env and var/
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache test-results
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
