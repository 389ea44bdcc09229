# Everything needs Python 3.11 or newer, git and make; the rest is installed into .venv, .venv-lowest and .servers.
.DEFAULT_GOAL := help
.PHONY: help demo chat chromium test test-long coverage test-lowest test-all mutants check evals bench docs site package format install lock clean

COMPILE = .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock'

# Over all processors, each file in one process; one process more than there are, since tests wait for others.
WORKERS = $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))
SPREAD = -n $(WORKERS) --maxprocesses 8 --dist loadfile

# Every process that the tests start would compile its libraries anew.
unexport PYTHONDONTWRITEBYTECODE

# What does not meet pydantic-ai, deaths of whole processes and faults of stores, which are the same on each version.
WITHOUT_PYDANTIC_AI = search examples/test_the_page_in_chromium.py examples/test_the_service.py \
	examples/test_broken_off_runs_go_on.py output/test_killed_processes_answer.py reading/test_runs_are_bounded.py \
	reading/test_runs_as_pages.py sessions/test_chats_over_processes.py kept/test_kept_functions_over_deaths.py \
	stores/test_claims_end_with_their_process.py stores/test_postgres.py stores/test_stores.py \
	stores/test_stores_close_and_clean_up.py $(addprefix durability/test_,dbos_workflows.py every_field_is_looked_at.py \
	half_of_a_store_is_enough.py killed_processes_go_on.py scripts_are_taken_once.py the_work_of_the_docs_is_killed.py)

# With FEW=1 also pages and commands, what needs no model, and what other tests show at less cost.
FEWER = tests/demo tests/toolscript/reading tests/toolscript/kept tests/toolscript/files tests/test_mcp_servers.py \
	tests/wires/test_the_loopback_provider.py tests/wires/test_what_the_loopback_refuses.py tests/toolscript/test_servers_that_are_down.py \
	tests/toolscript/test_what_a_nested_call_costs.py \
	$(addprefix tests/toolscript/discovery/test_,familiar_spellings.py search_config.py) \
	$(addprefix tests/toolscript/durability/test_,pauses_in_other_processes.py decisions_survive_a_crash.py \
	snapshots_are_encrypted.py)

# python3 may be older than the project, so the first interpreter that will do is looked for.
define find_python
for candidate in "$${PYTHON:-python3}" python3 python3.11 python3.12 python3.13 python3.14 python; do \
	if "$$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		echo "$$candidate"; exit 0; \
	fi; \
done; \
echo 'No Python 3.11 or newer with the venv module was found. Install one, or name it: PYTHON=/path/to/python make' >&2; \
exit 1
endef

help:  ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*##/\1\t/p' Makefile | expand -t 14

demo: .venv/.ready  ## the main job, offline; MODEL=provider:name makes it live
	@.venv/bin/python -m demo

chat: .venv/.ready  ## a chat in the browser that asks before scripts act, on http://127.0.0.1:8000; MODEL=provider:name makes it live
	@.venv/bin/python -m examples.approvals

chromium:  ## the browser in which the chat is tested, where there is apt
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null || \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium chromium-driver >/dev/null; }

test: .venv/.ready  ## all tests
	@.venv/bin/python -m pytest $(SPREAD)

test-long: .venv/.ready  ## the tests that take too long for each change: what is tried on a sample in the others, whole
	@.venv/bin/python -m pytest $(SPREAD) -m long

coverage: .venv/.ready  ## all tests, and the lines and branches that none of them takes
	@.venv/bin/python -m pytest $(SPREAD) --cov

test-lowest: .venv-lowest/.ready  ## the tests of what meets pydantic-ai, on the oldest one supported; FEW=1 takes fewer
	@.venv-lowest/bin/python -m pytest $(SPREAD) \
		tests/toolscript tests/wires tests/demo tests/test_readme.py \
		$(if $(FEW),$(addprefix --ignore ,$(FEWER)),tests/test_mcp_servers.py tests/command tests/examples) \
		$(addprefix --ignore tests/toolscript/,$(WITHOUT_PYDANTIC_AI)) $(addprefix --ignore tests/,$(WITHOUT_PYDANTIC_AI))

test-all: .venv/.ready  ## the tests on every supported Python that this machine has
	@.venv/bin/python .ci/every_python.py $(SPREAD)

mutants: .venv/.ready  ## break what the docs promise, one promise at a time: a test has to go red each time
	@.venv/bin/python -m tests.mutants

check: .venv/.ready  ## lint, format, strict types
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check
	@.venv/bin/basedpyright

format: .venv/.ready  ## put everything into shape
	@.venv/bin/ruff check --fix
	@.venv/bin/ruff format

evals: .venv/.ready  ## direct calls against code, on the same tasks; UPDATE=--update-docs writes the figures into the docs
	@.venv/bin/python -m evals.vocabulary || echo 'No tokenizer is to be had: tokens are estimated.'
	@.venv/bin/python -m evals $(UPDATE)

bench: .venv/.ready  ## what code mode costs beside peers and floors; QUICK=1 takes three minutes, UPDATE=--update-docs writes the docs
	@.venv/bin/python -m benchmarks.costs $(if $(QUICK),--quick) $(UPDATE)

docs: .venv/.ready  ## the docs as a site, served on http://127.0.0.1:8001 and built anew when a page changes
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs serve --dev-addr 127.0.0.1:8001

site: .venv/.ready  ## the docs as a site, in .site; a warning is an error
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet

package: .venv/.ready  ## build the package, install it with pip and with uv, oldest and newest, and run the README's first example
	@.venv/bin/python .ci/package.py

install: .venv/.ready  ## only the environment

lock: .venv/bin/uv  ## resolve the locked dependencies anew; UPGRADE=--upgrade takes the newest
	@$(COMPILE) $(UPGRADE) pyproject.toml --group dev --output-file requirements.lock
	@$(COMPILE) $(UPGRADE) pyproject.toml --group test --group build --constraints requirements-lowest.in \
		--output-file requirements-lowest.lock
	@echo uv | $(COMPILE) $(UPGRADE) - --output-file requirements-uv.lock
	@for server in demo/locks/*.in; do \
		$(COMPILE) $(UPGRADE) "$$server" --output-file "$${server%.in}.lock" || exit 1; \
	done
	@npm install --prefix demo/locks --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund

clean:  ## remove the environments
	@rm -rf .venv .venv-lowest .venv-3.* .servers

.venv/bin/uv: requirements-uv.lock
	@test -x .venv/bin/python || { python=$$($(find_python)) && "$$python" -m venv .venv; }
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock
	@touch $@

.venv/.ready: .venv/bin/uv requirements.lock pyproject.toml
	@.venv/bin/uv pip install --quiet --python .venv/bin/python --require-hashes -r requirements.lock
	@.venv/bin/uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --editable .
	@touch $@

.venv-lowest/.ready: .venv/bin/uv requirements-lowest.lock pyproject.toml
	@test -x .venv-lowest/bin/python || .venv/bin/python -m venv --without-pip .venv-lowest
	@.venv/bin/uv pip install --quiet --python .venv-lowest/bin/python --require-hashes -r requirements-lowest.lock
	@.venv/bin/uv pip install --quiet --python .venv-lowest/bin/python --no-deps --no-build-isolation --editable .
	@touch $@
