# `make demo` shows Solvent at work, `make test` checks everything.
# Both create .venv first; the rules keep to what GNU make 3.81 understands.

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
JOBS ?= 2

# Where no byte code is kept, each command that a test starts would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

# The first Python on the path that is new enough; `make PYTHON=...` overrides it.
CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in $(CANDIDATES); do \
	$$python -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$python && break; done)

.PHONY: help install demo test test-all wheel-test lint bench everyday planted boogie-peer programs mass fuzz cpython docs pages-test clean

help:
	@echo "make demo    run a short tour of Solvent"
	@echo "make test    lint, then run all tests (JOBS=$(JOBS) at a time)"
	@echo "make test-all    run all tests on each Python from 3.11 to 3.13 that is here"
	@echo "make wheel-test  build a wheel, install it elsewhere, try commands and examples"
	@echo "make lint    check style and types only"
	@echo "make bench   run the benchmarks and print their tables"
	@echo "make everyday verify everyday functions (CROSSHAIR=command: beside CrossHair)"
	@echo "make planted  find planted bugs in the first seconds (CROSSHAIR=command: beside CrossHair)"
	@echo "make pages-test  open pages in Chromium, and use them (Debian: chromium, chromium-driver)"
	@echo "make boogie-peer  compare with Boogie where it is installed (BOOGIE=command Z3=path)"
	@echo "make mass    run the tests that are left out of make test for their time"
	@echo "make programs  1,000 random Boogie programs, with all engines (PROGRAMS=1000)"
	@echo "make fuzz    random inputs of all formats, random formulas and models (FUZZ=20000)"
	@echo "make cpython   the tests of the running Python itself, in lifted code (CASES=1500 of each area)"
	@echo "make docs    build the manual into build/site, without a network"
	@echo "make clean   remove .venv and everything generated"

install: $(INSTALLED)

# Installed again only when the package's requirements or its compiled core may have changed.
$(INSTALLED): pyproject.toml hatch_build.py src/solvent/terms/compiled.c
	@test -n "$(PYTHON)" && $(PYTHON) -c '$(NEW_ENOUGH)' 2>/dev/null || \
		{ echo "Solvent needs Python 3.11 or newer; install it or run: make PYTHON=/path/to/python3" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(INSTALLED)

demo: $(INSTALLED)
	@$(BIN)/solvent tour

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The compiled core is what is tested, where there is a compiler; then what rests on the core in
# Python most directly is tested with that.
PURE := tests/core tests/vm $(patsubst %,tests/terms/test_%.py,\
	arrays bitvector_sums bitvectors booleans cases integers memory rules texts values)
# Each check looks through all imported modules with contracts: tests that have some run apart.
CONTRACTS := tests/contracts tests/testing/test_plugin.py
test: lint
	$(BIN)/python -m pytest -n $(JOBS) -q $(addprefix --ignore=,$(CONTRACTS))
	$(BIN)/python -m pytest -n $(JOBS) -q $(CONTRACTS)
	SOLVENT_PURE=1 $(BIN)/python -m pytest -n $(JOBS) -q -m 'not mass and not pages and not any_core' $(PURE)

# All Pythons that Solvent is said to run on, each in an environment of its own.
test-all:
	@JOBS=$(JOBS) .ci/all-pythons

# The folder is outside of the checkout, whose sources must not be what is tried.
wheel-test: $(INSTALLED)
	rm -rf build/wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/wheel .
	@set -e; folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	$(BIN)/python -m venv "$$folder/venv"; \
	"$$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check build/wheel/*.whl; \
	checkout=$$(pwd); cd "$$folder"; venv/bin/python "$$checkout/.ci/installed.py"

bench: $(INSTALLED)
	$(BIN)/python -m benchmarks

everyday: $(INSTALLED)
	$(BIN)/python -m benchmarks.everyday $(if $(CROSSHAIR),--crosshair $(CROSSHAIR))

planted: $(INSTALLED)
	$(BIN)/python -m benchmarks.planted $(if $(CROSSHAIR),--crosshair $(CROSSHAIR))

# Needs Chromium and its driver, as Debian's packages `chromium` and `chromium-driver` have them.
pages-test: $(INSTALLED)
	SOLVENT_TEST_SECONDS=0 $(BIN)/python -m pytest -q -rs -m pages

boogie-peer: $(INSTALLED)
	$(BIN)/python -m benchmarks.boogie_peer $(if $(BOOGIE),--boogie $(BOOGIE)) $(if $(Z3),--z3 $(Z3))

mass: $(INSTALLED)
	SOLVENT_TEST_SECONDS=0 $(BIN)/python -m pytest -n $(JOBS) -q -m mass

FUZZ ?= 20000
fuzz: $(INSTALLED)
	$(BIN)/python -m tests.fuzz --inputs $(FUZZ) $(if $(filter file,$(origin JOBS)),,--jobs $(JOBS)) $(FUZZING)

PROGRAMS ?= 1000
programs: $(INSTALLED)
	SOLVENT_TEST_SECONDS=0 SOLVENT_PROGRAMS=$(PROGRAMS) $(BIN)/python -m pytest -n $(JOBS) -q tests/reach/test_random_programs.py

CASES ?= 1500
cpython: $(INSTALLED)
	$(BIN)/python -W ignore -m tests.cpython --jobs $(JOBS) --most $(CASES)

# The site has to be complete: a link that leads nowhere is an error.
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "the manual is build/site/index.html"

$(VENV)/.docs: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $(VENV)/.docs

# SOLVENT_SCREENSHOTS=folder keeps what the browser shows.
clean:
	rm -rf $(VENV) .venv-3.* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
