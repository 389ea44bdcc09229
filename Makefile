# Everything needs Python 3.11 or newer, git and make; the rest is installed into .venv, .venv-lowest and .servers.
.DEFAULT_GOAL := help
.PHONY: help demo chat workflow chromium test test-sandbox test-agents test-others test-long coverage test-lowest test-all mutants mutants-sample fuzz check portable messages evals replays flows bench docs site package format install lock clean

# Over all processors, each file in one process; one process more than there are, since tests wait for others.
WORKERS = $(shell echo $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )))
PYTEST = -m pytest -n $(WORKERS) --maxprocesses 8 --dist loadfile

# Every process that the tests start would compile its libraries anew.
unexport PYTHONDONTWRITEBYTECODE

# The type checker makes many short-lived objects; with more room for them it collects less.
check portable: export NODE_OPTIONS = --max-semi-space-size=64

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##/\1\t/p' Makefile | expand -t 16

demo: .venv/.ready  ## the main job, offline; MODEL=provider:name makes it live
	@.venv/bin/python -m demo

chat: .venv/.ready  ## a chat in the browser that asks before scripts act, on http://127.0.0.1:8000; MODEL=provider:name makes it live
	@.venv/bin/python -m examples.approvals

workflow: .venv/.ready  ## a support desk on Temporal, offline: its server, two workers, one of which is killed
	@.venv/bin/python -m examples.workflow

chromium:  ## the browser in which the chat is tested, where there is apt
	@.ci/chromium

test: .venv/.ready  ## all tests but the long ones
	@.venv/bin/python $(PYTEST)

# Together they are `test`, each in one process, which takes less processor time where there are few processors.
SANDBOX = tests/sandbox tests/signatures tests/corpus

test-sandbox: .venv/.ready  ## of the tests, those of the sandbox and of signatures
	@.venv/bin/python -m pytest $(SANDBOX)

test-agents: .venv/.ready  ## of the tests, those of the toolsets
	@.venv/bin/python -m pytest tests/toolscript

test-others: .venv/.ready  ## of the tests, all others
	@.venv/bin/python -m pytest $(addprefix --ignore=,tests/toolscript $(SANDBOX))

test-long: .venv/.ready  ## the tests that take too long for each change: whole matrices, kills at every instant
	@.venv/bin/python $(PYTEST) -m long

coverage: .venv/.ready  ## all tests, and the lines and branches that none of them takes
	@.venv/bin/python $(PYTEST) --cov

test-lowest: .venv-lowest/.ready  ## the tests that use pydantic-ai, on the oldest supported version; SOME=--one-of-each takes less time
	@.venv-lowest/bin/python $(PYTEST) $(SOME) -m 'pydantic_ai and not long' \
		$$(grep -rl --include='test_*.py' 'mark\.pydantic_ai' tests)

test-all: .venv/.ready  ## the tests on every supported Python that this machine has
	@.venv/bin/python .ci/every_python.py $(PYTEST)

mutants: .venv/.ready  ## break what the docs promise, one promise at a time: a test has to go red each time
	@.venv/bin/python -m tests.mutants

mutants-sample: .venv/.ready  ## the same with the few promises that CI breaks
	@.venv/bin/python -m tests.mutants --sample

fuzz: .venv/.ready  ## generated scripts, schemas and searches; the same ones each time
	@.venv/bin/python -m benchmarks.fuzz --cases 300 --seed 1

check: .venv/.ready  ## lint, format, strict types
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check
	@.venv/bin/basedpyright

portable: .venv/.ready  ## whether the source uses only what Windows and macOS have, by their types
	@.venv/bin/python .ci/portable.py

format: .venv/.ready  ## fix lint and format with ruff
	@.venv/bin/ruff check --fix
	@.venv/bin/ruff format

messages: .venv/.ready  ## every message that the product can give; the list is in tests/messages.txt
	@.venv/bin/python -m tests.messages

evals: .venv/.ready  ## direct calls against code, on the same tasks; UPDATE=--update-docs writes the figures into the docs
	@.venv/bin/python -m evals.vocabulary || echo 'No tokenizer is to be had: tokens are estimated.'
	@.venv/bin/python -m evals $(UPDATE)

replays: .venv/.ready  ## a public benchmark's published plans by direct calls, by code and by a peer; UPDATE=--update-docs writes the figures
	@.venv/bin/python -m evals.vocabulary || echo 'No tokenizer is to be had: tokens are estimated.'
	@.venv/bin/python -m evals.replays $(UPDATE)

flows: .venv/.ready  ## AgentDojo's tasks and injections, with and without data-flow rules; UPDATE=--update-docs writes the figures
	@.venv/bin/python -m evals.flows $(UPDATE)

bench: .venv/.ready  ## what code mode costs beside peers and floors; QUICK=1 takes three minutes, UPDATE=--update-docs writes the docs
	@.venv/bin/python -m benchmarks.costs $(if $(QUICK),--quick) $(UPDATE)
	@.venv/bin/python -m benchmarks.workflows $(if $(QUICK),1,3)
	@.venv/bin/python -m benchmarks.new_scripts --times $(if $(QUICK),1,5)
	@.venv/bin/python -m benchmarks.stages --repeats $(if $(QUICK),1,5)

docs: .venv/.ready  ## the docs as a site, served on http://127.0.0.1:8001 and rebuilt when a page changes
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs serve --dev-addr 127.0.0.1:8001

site: .venv/.ready  ## the docs as a site, in .site; a warning is an error
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet

package: .venv/.ready  ## build the package, install it with pip and with uv, oldest and newest, and run the README's first example
	@.venv/bin/python .ci/package.py

install: .venv/.ready  ## only the environment

lock: .venv/bin/uv  ## resolve the locked dependencies again; UPGRADE=--upgrade takes the newest
	@.ci/lock $(UPGRADE)

clean:  ## remove the environments
	@rm -rf .venv .venv-lowest .venv-3.* .servers

.venv/bin/uv: requirements-uv.lock
	@test -x .venv/bin/python || { python=$$(.ci/find_python) && "$$python" -m venv .venv; }
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
