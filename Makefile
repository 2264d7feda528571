# make run · make test · make setup; the rest is for those who work on the site.
PORT ?= 8000
ARGS ?=
N ?= 200
# The first Python that is new enough.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --require-hashes
SOURCES := gpuschedlab simulator lessons tools tests manage.py
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

# Bytecode is kept whatever the shell says: with it the site starts twice as fast.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test setup lint types format messages bench fuzz requirements vendor

run: .venv/.runtime ## serve the site on http://127.0.0.1:$(PORT)
	@exec $(BIN)/python manage.py serve --port $(PORT)

test: .venv/.development ## run every test; ARGS goes to pytest
	@$(BIN)/python -m tests.e2e.browser
	@$(BIN)/python -m pytest -n auto --dist load $(ARGS)

setup: .venv/.development ## only prepare what run and test need
	@$(BIN)/python -m tests.e2e.browser

lint: .venv/.development
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/djade --check --target-version 5.2 $$(find templates tests/demo -name '*.html')
	$(BIN)/lint-imports --no-cache

types: .venv/.development
	$(BIN)/mypy gpuschedlab simulator lessons tools manage.py

format: .venv/.development
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/djade --target-version 5.2 $$(find templates tests/demo -name '*.html')

messages: .venv/.development ## bring locale/ up to date and list what is to be translated
	@$(BIN)/python -m tools.messages

bench: .venv/.development
	@$(BIN)/python -m tests.benchmarks $(ARGS)

fuzz: .venv/.development
	@$(BIN)/python -m tests.fuzz $(N)

requirements: .venv/.development ## lock requirements*.in anew
	$(COMPILE) requirements.in -o requirements.txt
	$(COMPILE) requirements-dev.in -o requirements-dev.txt

vendor: ## build static/vendor anew from its lock; needs Node.js
	cd tools/vendor && npm ci --ignore-scripts && node build.mjs

.venv/.created:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed. Install it, or name it: make run PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python's venv module is missing. Install it: sudo apt-get install -y python3-venv" >&2; exit 1; }
	@echo "Creating .venv"
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/.runtime: requirements.txt .venv/.created
	@echo "Installing what the site needs (once)"
	@$(PIP) -r requirements.txt
	@touch $@

.venv/.development: requirements-dev.txt .venv/.created
	@echo "Installing what tests and checks need (once)"
	@$(PIP) -r requirements-dev.txt
	@touch $@
